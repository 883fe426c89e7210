/** A round against a sealed code, and how it went. */

import { html, nothing } from "../../vendor.js";
import { dialogIn } from "../../widgets/dialog.js";
import type { FaultFacts } from "../desk.js";
import { labelOf, signOf, signsOf, spelled } from "./colour-names.js";
import type { Context } from "./model.js";
import { hits, inRound, isOver, rulesOf, SYMBOLS } from "./model.js";
import { colourClass, pegs } from "./pegs.js";
import { words } from "./strings.js";

/** How the game ended. */
export function ending({ position, replies }: Context) {
  const [first] = hits(position);
  if (first !== undefined) return words.won(first + 1);
  const secret = replies.review?.value?.secret;
  return secret
    ? html`${words.secretWas(spelled(secret, signsOf(position)))} ${pegs(secret, signsOf(position))}`
    : nothing;
}

export function playBar(context: Context) {
  const { position, view } = context;
  if (!inRound(context))
    return html`<button class="plain" ?disabled=${context.phase !== "ready" || view.dealing} @click=${() => deal(context)}>${words.play}</button>
      <button class="plain" ?disabled=${context.phase !== "ready"} @click=${() => practise(context)}>${words.evil}</button>
      <button class="plain" ?disabled=${context.phase !== "ready" || view.dealing} @click=${() => context.open(() => setDialog(context))}>${words.setOpen}</button>`;
  return html`<div class="note">
    <p class="row wrap">${isOver(position) ? ending(context) : position.sealed ? words.playing : words.evilPlaying}</p>
    <div class="row wrap" data-edit>
      ${
        isOver(position)
          ? nothing
          : html`<button class="plain" @click=${() => context.set({ hint: !view.hint })}>${view.hint ? words.hideHint : words.hint}</button>
            ${position.sealed ? html`<button class="plain" @click=${() => giveUp(context)}>${words.giveUp}</button>` : nothing}`
      }
      <button class="plain" @click=${() => (position.sealed ? deal(context) : practise(context))}>${position.sealed ? words.play : words.evilAgain}</button>
      <button class="plain" @click=${() => stop(context)}>${words.stopPlaying}</button>
    </div></div>`;
}

/** A code of one's own, to be sealed and sent. */
function setDialog(context: Context, code: string = "", problem: string = "") {
  const rules = rulesOf(context.position);
  const signs = signsOf(context.position);
  const again = (next: string) => context.open(() => setDialog(context, next));
  const used = (c: string) => !rules.repeat && code.includes(c);
  const full = code.length === rules.pegs;
  return dialogIn(context, {
    title: words.setTitle,
    body: html`<p>${words.setHow}</p>
      <div class="row wrap chosen" role="img" aria-label=${words.setSoFar([...code].map((c) => signOf(c, signs)).join(" "))}>${pegs(code.padEnd(rules.pegs, "."), signs)}
        <button class="icon" aria-label=${words.erase} ?disabled=${!code} @click=${() => again(code.slice(0, -1))}>⌫</button></div>
      <div class="palette">${[...SYMBOLS.slice(0, rules.colours)].map(
        (
          c,
        ) => html`<button class="peg ${colourClass(c, signs)} ${used(c) ? "used" : ""}" aria-label=${words.colour(signOf(c, signs))}
          ?disabled=${full || used(c)} @click=${() => again(code + c)}>${labelOf(c, signs)}</button>`,
      )}</div>
      ${problem ? html`<p class="note warn" role="alert">${problem}</p>` : nothing}
      <button class="main" ?disabled=${!full} @click=${() => setCode(context, code)}>${words.setGo}</button>
      <p class="quiet">${words.setSealed}</p>`,
  });
}

async function setCode(context: Context, secret: string) {
  const rules = rulesOf(context.position);
  const { signs } = context.position;
  try {
    const request = { want: "deal" as const, position: { rules }, options: { secret } };
    const { sealed } = await context.ask(request).promise;
    context.open(null);
    context.set({ draft: null, hint: false, chosen: "", lookback: false, evil: false });
    context.commit(
      { desk: "code", v: 1, rules, clues: [], sealed, ...(signs ? { signs } : {}) },
      words.setOpen,
    );
    context.tell(words.setDone);
    showRows();
  } catch (fault) {
    context.open(() => setDialog(context, secret, (fault as FaultFacts).message));
  }
}

async function deal(context: Context) {
  const rules = rulesOf(context.position);
  const { signs, prior } = context.position;
  const chosen = prior ? { prior } : {};
  context.set({ dealing: true });
  try {
    const seed = crypto.getRandomValues(new Uint32Array(1))[0];
    const request = { want: "deal" as const, position: { rules, ...chosen }, options: { seed } };
    const { sealed } = await context.ask(request).promise;
    context.commit(
      { desk: "code", v: 1, rules, clues: [], sealed, ...(signs ? { signs } : {}), ...chosen },
      words.play,
      { view: { dealing: false, draft: null, hint: false, chosen: "", evil: false } },
    );
    showRows();
  } catch (fault) {
    context.set({ dealing: false });
    context.tell((fault as FaultFacts).message);
  }
}

/** Shows the rows, which stand at the top: the buttons that begin a round are below them. */
const showRows = () => globalThis.scrollTo?.(0, 0);

/** A round without a code: every guess gets the answer after which most guesses are needed. */
function practise({ position, commit }: Context) {
  const { sealed, shown, ...rest } = position;
  const view = { evil: true, draft: null, hint: false, chosen: "", lookback: false };
  commit({ ...rest, clues: [] }, words.evil, { view });
  showRows();
}

/** The code is shown and the round is over; undo takes it back. */
function giveUp(context: Context) {
  context.commit({ ...context.position, shown: true }, words.giveUp, { view: { draft: null } });
}

function stop(context: Context) {
  const { sealed, shown, ...rest } = context.position;
  context.commit(rest, words.stopPlaying, { view: { draft: null, hint: false, evil: false } });
}
