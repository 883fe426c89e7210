/** Is another game in the same state as this one? Its rows are pasted; the answer comes with what shows it. */
import { html, nothing } from "../../vendor.js";
import { waiting } from "../../widgets/waiting.js";
import { signOf, signsOf } from "./colour-names.js";
import { rulesOf, SYMBOLS } from "./model.js";
import { pegs } from "./pegs.js";
import { words } from "./strings.js";

/** @typedef {import("./model.js").Context} Context */
/** @typedef {import("../../types/code.js").SameState} SameState */
/** @typedef {import("../../types/code.js").SameStep} SameStep */

const SHOWN = 12; // codes and the ones that play their parts

/** What is asked while a game is compared; nothing once the rules are others. @param {Pick<Context, "position" | "view">} context @param {object} bare @returns {import("./model.js").Wanted} */
export function showSameStateDialog({ position, view }, bare) {
  const other = view.others && view.other;
  if (!other || JSON.stringify(other.rules) !== JSON.stringify(rulesOf(position))) return {};
  return { other: { want: "equivalent", position: bare, options: { other } } };
}

/** @param {Context} context */
export function SameStateGame(context) {
  const reply = context.replies.other;
  const { otherText = "", otherBad = "" } = context.view;
  return html`<p class="quiet">${words.otherHow}</p>
    <form class="stack" @submit=${(/** @type {Event} */ e) => {
      e.preventDefault();
      read(context, otherText);
    }}>
      <textarea class="field" aria-label=${words.otherRows} placeholder="0011 1A1B" .value=${otherText}
        @input=${(/** @type {InputEvent} */ e) => context.set({ otherText: /** @type {HTMLTextAreaElement} */ (e.target).value, other: null, otherBad: "" })}></textarea>
      <div><button class="soft" ?disabled=${!otherText.trim()}>${words.otherGo}</button></div>
    </form>
    ${otherBad ? html`<p class="note warn" role="alert">${otherBad}</p>` : nothing}
    ${context.view.other ? waiting(reply, { phase: context.phase }) : nothing}
    ${reply?.state === "done" && reply.value && context.view.other ? verdict(reply.value.state, signsOf(context.position)) : nothing}`;
}

/** @param {Context} context @param {string} text */
async function read(context, text) {
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
    context.set({ otherBad: /** @type {Error} */ (fault).message, other: null });
  }
}

/** @param {SameState | null} found @param {string[]} signs */
function verdict(found, signs) {
  if (!found) return html`<p>${words.otherLarge}</p>`;
  return html`<div class="stack" data-part="same-state"><p>${words.otherSaid(found)}</p>
    ${found.kind === "symmetry" ? html`<p>${swaps(found, signs)}</p>` : nothing}
    ${found.left ? parts(found.left, signs) : nothing}</div>`;
}

/** Codes and those that play their parts in the other game. @param {[string, string][]} left @param {string[]} signs */
function parts(left, signs) {
  return html`<ul class="walk">${left
    .slice(0, SHOWN)
    .map(
      ([mine, theirs]) =>
        html`<li class="row wrap">${pegs(mine, signs)}<span aria-hidden="true">→</span>${pegs(theirs, signs)}</li>`,
    )}</ul>
    ${left.length > SHOWN ? html`<p class="quiet">${words.otherMore(left.length - SHOWN)}</p>` : nothing}`;
}

/** A permutation in words: which peg goes where, which colour becomes which. @param {Pick<SameStep, "pegs" | "colours">} step @param {string[]} signs */
export function swaps({ pegs: places, colours }, signs) {
  const sign = (/** @type {number} */ colour) => signOf(SYMBOLS[colour], signs);
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
