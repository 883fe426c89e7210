/** A cut as a row of the advice: what is named and where, its chances, what it risks. */

import type { Cut } from "../../types/rack.js";
import { html } from "../../vendor.js";
import { percent } from "../../widgets/numbers.js";
import type { Context, Position } from "./model.js";
import { isMine, isTurned, letters, short } from "./model.js";
import { nameOf, words } from "./strings.js";

export function keyOf(cut: Cut) {
  return [cut.action, cut.stand, cut.slots.join("."), cut.value].join(" ");
}

/** Whose stands it points at, and which slots there. */
function placesOf(position: Position, cut: Cut) {
  const also = [...new Set(cut.also.map(([i]) => i))];
  return [cut.stand, ...(cut.action === "together" ? also : [])].map((i) => {
    const slots = i === cut.stand ? cut.slots : cut.also.flatMap(([k, j]) => (k === i ? [j] : []));
    return html`${nameOf(position, i)}<br>${letters(slots)} `;
  });
}

/** A value as it is drawn. */
export function face(value: string) {
  return value === "YELLOW" ? "◆" : value === "RED" ? "✸" : short(value);
}

export const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

export function cutRow({ position }: Context, cut: Cut) {
  const who = nameOf(position, cut.stand);
  const { success, red } = cut.read?.calibrated ?? cut;
  return {
    key: keyOf(cut),
    question: html`<span class="quest"><span class="mini-tile">${cut.value.split("/").map(face).join("/")}</span><span class="where">${placesOf(position, cut)}</span></span>`,
    split:
      cut.certain || cut.action === "miss"
        ? []
        : [success, Math.max(0, 1 - success - red), red].filter((p) => p > 0),
    facts: [
      ...(cut.action === "miss" ? [{ text: words.missCosts }] : []),
      ...(cut.win
        ? [{ text: words.wins(cut.win), tone: cut.win.equal ? ("good" as const) : undefined }]
        : []),
      ...(cut.certain ? [{ text: words.certain, tone: "good" as const }] : []),
      ...(cut.action === "dual" || cut.action === "miss" ? [] : [{ text: words.madeWith(cut) }]),
      ...(cut.action === "miss" ? [] : risks(position, cut)),
      ...priced(position, cut),
      ...(cut.gain === null || cut.certain || cut.win ? [] : [{ text: words.bits(cut.gain) }]),
    ],
    number: cut.action === "miss" ? "" : percent(success),
    unit: cut.action === "miss" ? "" : words.works,
    spoken: `${cut.action === "solo" ? words.actions.dual : words.madeWith(cut)} ${words.cutName(cut, who)}`,
  };
}

/** A wire turned away from a teammate takes a step of the detonator even where the cut works. */
function priced(position: Position, { action, stand, slots }: Cut) {
  const slot = position.stands[stand].slots[slots[0]];
  if (action !== "dual" || !isTurned(position, slot) || isMine(position, stand)) return [];
  const text = position.detonator === 1 ? words.lastStepGoes : words.takesStep;
  return [{ text, tone: "risk" as const }];
}

/** What may go wrong: red; or that whatever fails ends the game. */
function risks({ detonator }: Position, cut: Cut) {
  const { success, red: explodes } = cut.read?.calibrated ?? cut;
  const risk = (text: string) => ({ text, tone: "risk" as const });
  const fails = 1 - success;
  const red = explodes > 0 ? risk(`✸ ${words.redRisk(explodes)}`) : { text: words.noRed };
  if (cut.certain) return [red];
  if (explodes > 0 && fails - explodes < 1e-9) return [risk(words.endsGame(fails))];
  return detonator !== null && detonator < 2 ? [red, risk(words.endsGame(fails))] : [red];
}
