/**
 * Rounds against a sealed code or an undecided code maker; the review of a game in guesses and in bits, with
 * skill and luck.
 */

import type { Review, Reviewed } from "../../types/code.js";
import { html, nothing } from "../../vendor.js";
import { dialogIn } from "../../widgets/dialog.js";
import { copyText } from "../../widgets/file.js";
import { fixed, percent, randomSeed, whole } from "../../widgets/numbers.js";
import { scrollTable } from "../../widgets/panel.js";
import { waitingFor } from "../../widgets/waiting.js";
import type { FaultFacts } from "../desk.js";
import { labelOf, signOf, signsOf, spelled, spokenCode } from "./colour-names.js";
import type { Context } from "./model.js";
import { hits, inRound, isOver, newGame, rulesOf, SYMBOLS } from "./model.js";
import { colourClass, pegs } from "./picture.js";
import { words } from "./strings.js";

/** A sentence on how the game ended. */
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
    return html`<button class="plain" ?disabled=${context.phase !== "ready" || view.dealing} @click=${() => startRound(context)}>${words.play}</button>
      <button class="plain" ?disabled=${context.phase !== "ready"} @click=${() => startUndecidedRound(context)}>${words.evil}</button>
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
      <button class="plain" @click=${() => (position.sealed ? startRound(context) : startUndecidedRound(context))}>${position.sealed ? words.play : words.evilAgain}</button>
      <button class="plain" @click=${() => endRound(context)}>${words.stopPlaying}</button>
    </div></div>`;
}

/** The dialog to choose a code that is sealed into a link. */
function setDialog(context: Context, code: string = "", problem: string = "") {
  const rules = rulesOf(context.position);
  const signs = signsOf(context.position);
  const again = (next: string) => context.open(() => setDialog(context, next));
  const used = (c: string) => !rules.repeat && code.includes(c);
  const full = code.length === rules.pegs;
  return dialogIn(context, {
    title: words.setTitle,
    body: html`<p>${words.setHow}</p>
      <div class="row wrap chosen" role="img" aria-label=${words.setSoFar(spokenCode(code, signs))}>${pegs(code.padEnd(rules.pegs, "."), signs)}
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
    context.commit(newGame(rules, signs, { sealed }), words.setOpen);
    context.notify(words.setDone);
    scrollToRows();
  } catch (fault) {
    context.open(() => setDialog(context, secret, (fault as FaultFacts).message));
  }
}

async function startRound(context: Context) {
  const rules = rulesOf(context.position);
  const { signs, prior } = context.position;
  const chosen = prior ? { prior } : {};
  context.set({ dealing: true });
  try {
    const seed = randomSeed();
    const request = { want: "deal" as const, position: { rules, ...chosen }, options: { seed } };
    const { sealed } = await context.ask(request).promise;
    context.commit(newGame(rules, signs, { sealed, ...chosen }), words.play, {
      view: { dealing: false, draft: null, hint: false, chosen: "", evil: false },
    });
    scrollToRows();
  } catch (fault) {
    context.set({ dealing: false });
    context.notify((fault as FaultFacts).message);
  }
}

/** Scroll to the rows: the buttons that start a round are below them. */
const scrollToRows = () => globalThis.scrollTo?.(0, 0);

/** Start a round without a code: each guess gets the answer after which most guesses are needed. */
function startUndecidedRound({ position, commit }: Context) {
  const { sealed, shown, ...rest } = position;
  const view = { evil: true, draft: null, hint: false, chosen: "", lookback: false };
  commit({ ...rest, clues: [] }, words.evil, { view });
  scrollToRows();
}

/** Show the code, which ends the round. */
function giveUp(context: Context) {
  context.commit({ ...context.position, shown: true }, words.giveUp, { view: { draft: null } });
}

function endRound(context: Context) {
  const { sealed, shown, ...rest } = context.position;
  context.commit(rest, words.stopPlaying, { view: { draft: null, hint: false, evil: false } });
}

// ---- the review

const MAX_LISTED = 500;
const IN_BITS = 4; // columns before those in bits

export function review(context: Context) {
  const reply = context.replies.review;
  const found = withCosts(context, reply?.value);
  const rows = found?.guesses ?? [];
  const unpriced = context.replies.priced?.state === "done" && rows.every((row) => !row.guesses);
  return html`<section class="card review"><div class="between"><h2 class="head">${words.reviewTitle}</h2>
    ${found?.share && rows.length && !context.readOnly ? html`<button class="plain" @click=${() => copyResult(context, found.share)}>${words.shareCopy}</button>` : nothing}</div>
    ${waitingFor(context, "review")}
    ${
      found && rows.length
        ? html`${inGuesses(context, found)}
      ${scrollTable(
        words.reviewTitle,
        Object.values(words.reviewHead),
        rows.map((row, i) => reviewRow(context, row, i)),
        { classOf: (i) => (i < IN_BITS ? (i ? "n" : "") : "n bits") },
      )}
      <details class="more in-bits" ?open=${unpriced}><summary>${words.inBits}</summary><p class="why">${words.reviewSum(found)}</p></details>`
        : nothing
    }
  </section>`;
}

/** The review with the costs of its rows in guesses, as far as they are known. */
function withCosts({ replies }: Context, found: Review | null | undefined) {
  const { priced } = replies;
  const known = priced?.state === "done" ? priced.value : priced?.progress?.best;
  return known && !priced?.stale && known.guesses.length === found?.guesses.length ? known : found;
}

/** The game in guesses: needed with best play, lost, and won or lost by luck. */
function inGuesses(context: Context, found: Review) {
  const costs = found.guesses.map((row) => row.guesses);
  const late = waitingFor(context, "priced", { room: "line" });
  if (context.replies.priced?.state !== "done") return late;
  const reasons = new Set(found.guesses.flatMap((row) => row.uncosted ?? []));
  if (reasons.size) return html`${[...reasons].map((text) => html`<p class="why">${text}</p>`)}`;
  if (!found.won || found.given === null || costs.some((c) => !c || c.luck === null)) return nothing;
  const luck = costs.reduce((sum, c) => sum + (c?.luck ?? 0), 0);
  return html`<p class="sum">${words.reviewGuesses(costs[0]?.best.expected, found.given, luck, costs.length)}</p>`;
}

function reviewRow(context: Context, row: Reviewed, i: number) {
  const signs = signsOf(context.position);
  const heads = Object.values(words.reviewHead);
  return html`<tr><th scope="row"><span class="unseen">${spelled(row.guess, signs)}</span>${pegs(row.guess, signs)}</th>
    <td class="n" data-head=${heads[1]}>${codeCounts(context, row, i)}</td>
    <td class="n" data-head=${heads[2]}>${lostGuesses(row, signs)}</td>
    <td class="n" data-head=${heads[3]}>${luckInGuesses(row)}</td>
    <td class="n bits" data-head=${heads[4]}>${fixed(row.bits)}${row.rank > 1 && row.loss < 1e-9 ? html`<br><span class="quiet">${words.reviewCannot}</span>` : nothing}</td>
    <td class="n bits" data-head=${heads[5]}>${fixed(row.best_bits)}<br><span class="code">${spelled(row.best, signs)}</span>${row.best_after ? html`<br><span class="quiet">${words.wouldLeave(row.best_after)}</span>` : nothing}</td>
    <td class="n bits" data-head=${heads[6]}>${row.best_bits > 0 ? percent(row.bits / row.best_bits) : "–"}</td>
    <td class="n bits" data-head=${heads[7]}>${row.luck > 0 ? "+" : ""}${fixed(row.luck)}</td></tr>`;
}

/** The numbers of codes before and after a row, as a button that lists those after it. */
function codeCounts(context: Context, row: Reviewed, i: number) {
  const text = `${whole(row.before)} → ${whole(row.after)}`;
  if (context.readOnly) return text;
  return html`<button class="plain tight" title=${words.stepOpen(row.after)} @click=${() => showCodes(context, row, i)}>${text}</button>`;
}

/** The guesses that a row lost, and the guess that loses none. */
function lostGuesses(row: Reviewed, signs: string[]) {
  if (!row.guesses) return "–";
  const { given, cheapest } = row.guesses;
  if (!given.exact) return words.givenBetween(given.low, given.high);
  return html`${fixed(given.expected)}${(given.expected ?? 0) > 1e-9 ? html`<br><span class="code">${spelled(cheapest, signs)}</span>` : nothing}`;
}

/** The guesses that the answer saved; negative if it cost some. */
function luckInGuesses({ guesses }: Reviewed) {
  const luck = guesses?.luck ?? null;
  return luck === null ? "–" : `${luck > 0 ? "+" : ""}${fixed(luck)}`;
}

/** The indices of the rows that are not ignored. */
function activeRows({ position }: Context): number[] {
  return (position.clues ?? []).flatMap((clue, i) => (clue.ignored ? [] : [i]));
}

async function showCodes(context: Context, row: Reviewed, i: number) {
  const { rules, prior } = context.position;
  const clues = context.position.clues.slice(0, activeRows(context)[i] + 1);
  const request = {
    want: "remaining" as const,
    position: { rules, clues, ...(prior ? { prior } : {}) },
    options: { top: MAX_LISTED },
  };
  try {
    const { codes } = await context.ask(request).promise;
    context.open(() => codesDialog(context, row, codes));
  } catch (fault) {
    context.notify((fault as FaultFacts).message);
  }
}

/** The dialog that lists the codes left after a row. */
function codesDialog(context: Context, row: Reviewed, codes: string[]) {
  const signs = signsOf(context.position);
  return dialogIn(context, {
    title: words.stepTitle(row.after),
    body: html`<div class="row">${pegs(row.guess, signs)}<span class="code">${row.answer}</span></div>
      ${codes.length < row.after ? html`<p class="quiet">${words.listMore(codes.length, row.after)}</p>` : nothing}
      <ul class="codes code" tabindex="0" role="list" aria-label=${words.stepTitle(row.after)}>${codes.map((c: string) => html`<li>${spelled(c, signs)}</li>`)}</ul>`,
  });
}

async function copyResult(context: Context, text: string) {
  if (await copyText(text)) return context.notify(words.shareCopied);
  const body = html`<textarea class="field" readonly aria-label=${words.shareCopy} .value=${text}></textarea>`;
  return context.open(() => dialogIn(context, { title: words.shareCopy, body }));
}
