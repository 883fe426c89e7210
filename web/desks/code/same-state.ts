/** Is another game in the same state as this one? Its rows are pasted; the answer comes with what shows it. */

import type { SameState, SameStep } from "../../types/code.js";
import { html, nothing } from "../../vendor.js";
import { waiting } from "../../widgets/waiting.js";
import { signOf, signsOf } from "./colour-names.js";
import type { Context, Wanted } from "./model.js";
import { rulesOf, SYMBOLS } from "./model.js";
import { pegs } from "./pegs.js";
import { words } from "./strings.js";

const SHOWN = 12; // codes and the ones that play their parts

/** What is asked while a game is compared; nothing once the rules are others. */
export function showSameStateDialog(
  { position, view }: Pick<Context, "position" | "view">,
  bare: object,
): Wanted {
  const other = view.theory && view.others && view.other;
  if (!other || JSON.stringify(other.rules) !== JSON.stringify(rulesOf(position))) return {};
  return { other: { want: "equivalent", position: bare, options: { other } } };
}

export function SameStateGame(context: Context) {
  const reply = context.replies.other;
  const { otherText = "", otherBad = "" } = context.view;
  return html`<p class="quiet">${words.otherHow}</p>
    <form class="stack" @submit=${(e: Event) => {
      e.preventDefault();
      read(context, otherText);
    }}>
      <textarea class="field" aria-label=${words.otherRows} placeholder="0011 1A1B" .value=${otherText}
        @input=${(e: InputEvent) => context.set({ otherText: (e.target as HTMLTextAreaElement).value, other: null, otherBad: "" })}></textarea>
      <div><button class="soft" ?disabled=${!otherText.trim()}>${words.otherGo}</button></div>
    </form>
    ${otherBad ? html`<p class="note warn" role="alert">${otherBad}</p>` : nothing}
    ${context.view.other ? waiting(reply, { phase: context.phase }) : nothing}
    ${reply?.state === "done" && reply.value && context.view.other ? verdict(reply.value.state, signsOf(context.position)) : nothing}`;
}

async function read(context: Context, text: string) {
  const rules = rulesOf(context.position);
  try {
    const position = { ...context.position, clues: [] };
    const found = await context.ask({ want: "paste", position, options: { text } }).promise;
    const bad = found.bad[0];
    const clues = found.clues.map((clue) => ({ partial: 0, ...clue }));
    context.set(
      bad ? { otherBad: words.otherBad(bad), other: null } : { otherBad: "", other: { rules, clues } },
    );
  } catch (fault) {
    context.set({ otherBad: (fault as Error).message, other: null });
  }
}

function verdict(found: SameState | null, signs: string[]) {
  if (!found) return html`<p>${words.otherLarge}</p>`;
  return html`<div class="stack" data-part="same-state"><p>${words.otherSaid(found)}</p>
    ${found.kind === "symmetry" ? html`<p>${swaps(found, signs)}</p>` : nothing}
    ${found.left ? parts(found.left, signs) : nothing}</div>`;
}

/** Codes and those that play their parts in the other game. */
function parts(left: [string, string][], signs: string[]) {
  return html`<ul class="walk">${left
    .slice(0, SHOWN)
    .map(
      ([mine, theirs]) =>
        html`<li class="row wrap">${pegs(mine, signs)}<span aria-hidden="true">→</span>${pegs(theirs, signs)}</li>`,
    )}</ul>
    ${left.length > SHOWN ? html`<p class="quiet">${words.otherMore(left.length - SHOWN)}</p>` : nothing}`;
}

/** A permutation in words: which peg goes where, which colour becomes which. */
export function swaps({ pegs: places, colours }: Pick<SameStep, "pegs" | "colours">, signs: string[]) {
  const sign = (colour: number) => signOf(SYMBOLS[colour], signs);
  const moved = (places ?? []).map((to, from) => [from, to]).filter(([from, to]) => from !== to);
  const recoloured = (colours ?? [])
    .map((to, from) => [from, to])
    .filter(([from, to]) => from !== to && to >= 0);
  const said = [
    ...(moved.length ? [`peg ${moved.map(([f, t]) => `${f + 1}→${t + 1}`).join(", ")}`] : []),
    ...(recoloured.length
      ? [`colour ${recoloured.map(([f, t]) => `${sign(f)}→${sign(t)}`).join(", ")}`]
      : []),
  ];
  return said.length ? said.join(", ") : words.asItIs;
}
