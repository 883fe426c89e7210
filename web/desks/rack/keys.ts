/** Keys: buttons for values, wires, slots and tokens, and rows of them. */

import { html, nothing } from "../../vendor.js";
import { percent } from "../../widgets/numbers.js";
import { choice } from "../../widgets/panel.js";
import type { Position } from "./model.js";
import { letter, playersOf, sign } from "./model.js";
import { face, playerName, valueName, words } from "./strings.js";

interface Look {
  /** accessible name; default: the text on the key */
  name?: string;
  title?: string;
  /** a second, small line */
  small?: string;
  /** of a key that stays down */
  pressed?: boolean;
  disabled?: boolean;
  /** absent from a board that is only looked at */
  edits?: boolean;
  /** further classes */
  kind?: string;
}

export function key(
  text: unknown,
  run: (event: Event) => void,
  { name, title, small, pressed, disabled = false, edits = false, kind = "" }: Look = {},
) {
  return html`<button type="button" class=${`soft key ${kind}`.trim()} aria-label=${name ?? nothing} title=${title ?? nothing} aria-pressed=${pressed ?? nothing}
    ?disabled=${disabled} ?data-edit=${edits} @click=${run}><b>${text}</b>${small ? html`<small>${small}</small>` : nothing}</button>`;
}

/** A key for a value, or for a wire such as Y4; colours are in words, too. */
export function valueKey(
  value: string,
  run: () => void,
  { chance, kind = "", ...look }: Look & { chance?: number } = {},
) {
  const colour = value[0] === "Y" ? "yellow" : value[0] === "R" ? "red" : "";
  const share = chance === undefined ? "" : percent(chance);
  const name = colour ? [valueName(value), share].filter(Boolean).join(", ") : undefined;
  return key(face(value), run, { name, small: share || colour, kind: `${colour} ${kind}`, ...look });
}

/** A key for what a token shows: "even", "2×", "not 7" or a number. */
export function tokenKey(token: string, run: () => void, look: Look = {}) {
  return key(sign(token), run, { name: words.tokenName(token), ...look });
}

export function slotKey(slot: number, run: () => void, look: Look = {}) {
  return key(letter(slot), run, { name: words.slotKey(slot), ...look });
}

/** A group of keys under a line, by default its name. */
export function keyGroup(label: string, keys: unknown, { line = label, kind = "numbers" } = {}) {
  return html`<p>${line}</p><div class=${`keys-row ${kind}`} role="group" aria-label=${label}>${keys}</div>`;
}

/** A choice of a player. */
export function playerChoice(
  label: string,
  position: Position,
  { players = playersOf(position), value }: { players?: number[]; value: number | null },
  onChange: (player: number) => void,
) {
  const options = players.map((p): [string, string] => [String(p), playerName(position, p)]);
  return choice({ label, options, value: String(value), onChange: (p) => onChange(Number(p)) });
}
