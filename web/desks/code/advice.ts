/** The advice: the ranked guesses, and the possible answers to the chosen one. */

import type { Guesses, Mine } from "../../types/code.js";
import { html, nothing } from "../../vendor.js";
import { advice, faded, reason } from "../../widgets/advice.js";
import { fixed, percent, whole } from "../../widgets/numbers.js";
import type { OnInput } from "../../widgets/on.js";
import { choice, tick } from "../../widgets/panel.js";
import { waitingFor } from "../../widgets/waiting.js";
import { signsOf, spelled, spokenCode } from "./colour-names.js";
import * as drafts from "./draft-row.js";
import type { Advice, Context, Criterion, Option, View } from "./model.js";
import { ALWAYS_COSTED, BOARD, codeCount, rowsLeft, rulesOf } from "./model.js";
import { pegs } from "./picture.js";
import { words } from "./strings.js";

/** The chosen ranking. */
function criterionOf(view: View): Criterion {
  return view.criterion ?? "guesses";
}

/**
 * The advice to show, and what it is ranked by: by guesses once the first place is certain, by bits
 * until then. A player who chose guesses also sees a ranking by bounds.
 */
export function bestAdvice(context: Context): { found: Advice | null | undefined; criterion: Criterion } {
  const { advise, costs } = context.replies;
  const criterion = criterionOf(context.view);
  const partial = advise?.state === "waiting" ? advise.progress?.best : null;
  const found = withCosts(context, partial ?? advise?.value);
  if (criterion !== "guesses") return { found, criterion };
  const done = costs?.state === "done";
  const ranked = done ? costs.value : costs?.state === "waiting" ? costs.progress?.best : null;
  const current = ranked?.criterion === "guesses" && (done || ranked.remaining === found?.remaining);
  const settled = current && (ranked.least?.exact || (done && context.view.criterion));
  return settled && !advise?.fault ? { found: ranked, criterion } : { found, criterion: "entropy" };
}

/**
 * The advised or chosen guess once its rank is final. Earlier it could be replaced while the player
 * enters the answer to it.
 */
export function advisedGuess(context: Context): Option | null {
  const { advise, costs } = context.replies;
  const { view } = context;
  if (advise?.state !== "done") return null;
  const { found, criterion } = bestAdvice(context);
  const ranking = criterionOf(view) !== criterion && costs?.state === "waiting";
  if (ranking && !view.patient && !view.chosen) return null;
  const options = found?.options ?? [];
  return options.find((o) => o.guess === view.chosen) ?? options[0] ?? null;
}

export function advicePanel(context: Context) {
  const reply = context.replies.advise;
  const { found, criterion } = bestAdvice(context);
  if (reply?.fault?.kind === "contradiction" || found?.remaining === 0) return nothing;
  const chosen = found?.options.find((o) => o.guess === context.view.chosen) ?? found?.options[0];
  const pricing = context.replies.costs?.state === "waiting"; // costs follow the ranking by bits
  return html`<section class="ask" aria-busy=${pricing}>
    <div class="between">
      <div><h2 class="head">${words.askNext}</h2><p class="sub">${found ? words.askLine(words.by[found.criterion as Criterion], found) : words.by[criterion]} ${pricing && criterion !== criterionOf(context.view) ? words.pricing : nothing}</p></div>
      ${choice({ label: words.criterion, options: words.criteria, value: criterionOf(context.view), onChange: (value) => context.set({ criterion: value, chosen: "" }) })}
    </div>
    ${tick(words.onlyPossible, context.view.only, (only) => context.set({ only, chosen: "" }))}
    ${criterion === "within" ? boardSizeField(context) : exactCostsTick(context)}
    ${waitingFor(context, "advise", { room: "list" })}
    ${
      found
        ? html`${advice({
            rows: found.options.map(rowOf(criterion, signsOf(context.position), found)),
            chosen: chosen?.guess ?? "",
            onChoose: (guess) => context.set({ chosen: guess }),
            label: words.askNext,
            detail: chosen ? optionReason(context, found, chosen, criterion) : null,
          })}
        ${found.ties > 1 && found.exact ? html`<p class="quiet">${words.ties(found.ties, criterion)}</p>` : nothing}
        ${found.exact ? nothing : html`<p class="note warn">${criterion === "within" ? words.withinOpen : words.howCertain(found)}</p>`}
        ${typedGuessNote(context, found)}`
        : faded(reply, words.askNext)
    }
  </section>`;
}

/** The switch for exact costs without a limit of time, for large rules. */
function exactCostsTick({ position, view, set }: Context) {
  const codes = codeCount(rulesOf(position));
  if (codes <= ALWAYS_COSTED) return nothing;
  return tick(words.toTheEnd, view.patient, (patient) => set({ patient }));
}

/** The field for the rows of the board, and how many are left. */
function boardSizeField({ position, view, set }: Context) {
  const left = rowsLeft(position, view);
  return html`<label class="row wrap">${words.board}<input class="field tight" type="number" min="1" max="40" .value=${String(view.board ?? BOARD)}
    @change=${(e: OnInput) => set({ board: Math.min(40, Math.max(1, Math.trunc(Number(e.target.value)) || BOARD)), chosen: "" })}>
    <span class="quiet">${left > 0 ? words.boardLeft(left) : words.boardFull}</span></label>`;
}

/** The advice with the costs of its options in guesses, as far as they are known. */
function withCosts({ replies }: Context, found: Advice | null | undefined) {
  const { costs } = replies;
  const known = costs?.state === "done" ? costs.value : costs?.progress?.best;
  if (!found || !known || known.remaining !== found.remaining) return found;
  const cost = new Map(known.options.map((o) => [o.guess, o.guesses]));
  const options = found.options.map((o) => ({ guesses: cost.get(o.guess), ...o }));
  return { ...found, options };
}

/** An option with its guess in signs, for sentences. */
const withSpelledGuess = <O extends Option>({ position }: Context, o: O) => ({
  ...o,
  guess: spelled(o.guess, signsOf(position)),
});

function rowOf(criterion: Criterion, signs: string[], found: Advice) {
  return (o: Option) => ({
    key: o.guess,
    question: pegs(o.guess, signs),
    split: (Object.values(o.answers) as number[]).sort((a, b) => b - a),
    facts: [
      o.possible ? { text: words.can, tone: "good" as const } : { text: words.cannot },
      ...(o.guesses ? costFacts(criterion, o.guesses) : []),
      ...(criterion === "within" && o.within ? [{ text: words.withinCodes(o.within, found) }] : []),
      ...(criterion === "guesses" || criterion === "within"
        ? []
        : [{ text: criterion === "minmax" ? `${fixed(o.bits)} bits` : words.worst(o.worst) }]),
      criterion === "maxparts" ? { text: `${fixed(o.bits)} bits` } : { text: words.parts(o.parts) },
      ...(o.same > 1 ? [{ text: words.alike(o.same) }] : []),
    ],
    number: formatScore(criterion, o, found),
    unit: words.units[criterion],
    spoken: spokenCode(o.guess, signs),
  });
}

function costFacts(criterion: Criterion, cost: Guesses) {
  if (criterion !== "guesses") return [{ text: words.guessCost(cost) }];
  return cost.exact ? [{ text: words.atMost(cost.worst) }] : [];
}

/** A row of the advice, with the number it is ranked by. */
export function optionRow(context: Context) {
  const { found, criterion } = bestAdvice(context);
  return rowOf(criterion, signsOf(context.position), found as Advice);
}

/** The number that an option is ranked by. */
function criterionValue(criterion: Criterion, o: Option): number {
  const guesses = o.guesses?.expected ?? o.guesses?.high ?? Number.NaN;
  const within = o.within?.codes ?? o.within?.low ?? Number.NaN;
  return { entropy: o.bits, minmax: o.worst, minavg: o.expected_left, maxparts: o.parts, guesses, within }[
    criterion
  ];
}

/** The same as text. */
function formatScore(criterion: Criterion, o: Option, { remaining, weight }: Advice) {
  if (criterion === "within") {
    const chance = percent(criterionValue(criterion, o) / (weight ?? remaining));
    return o.within?.exact ? chance : `≥ ${chance}`;
  }
  const digits = { entropy: 2, minmax: 0, minavg: 1, maxparts: 0, guesses: 2 }[criterion];
  if (criterion === "guesses" && !o.guesses?.exact) return o.guesses ? `≤ ${fixed(o.guesses.high, 2)}` : "–";
  return digits ? fixed(criterionValue(criterion, o), digits) : whole(criterionValue(criterion, o));
}

function optionReason(context: Context, found: Advice, o: Option, criterion: Criterion) {
  const next = found.options[found.options.indexOf(o) + 1] ?? null;
  return reason({
    title: words.ifYouAsk(withSpelledGuess(context, o).guess),
    answers: Object.entries(o.answers) as [string, number][],
    sentences: [
      ...(o.guesses ? [words.whyGuesses(o.guesses)] : []),
      ...(o.within ? [words.whyWithin(o.within, found)] : []),
      words.why(o),
    ],
    runnerUp: next ? words.runnerUp(o, withSpelledGuess(context, next), criterion) : null,
    alike: found.tried === undefined ? words.same(o.same) : null,
    assumed: assumption(found, criterion),
    action: {
      label: words.use,
      run: () => context.set({ draft: drafts.fromGuess(o.guess, rulesOf(context.position)) }),
    },
  });
}

/** The assumptions of the numbers. */
export function assumption({ weight }: Advice, criterion: Criterion): string {
  const ahead = criterion === "guesses" || criterion === "within" ? "" : ` ${words.looksAhead}`;
  return `${words.likely(weight)}${ahead}`;
}

/** A note that compares the typed guess with the best. */
function typedGuessNote(context: Context, found: Advice) {
  const reply = context.replies.mine;
  const row = reply?.value?.mine;
  const best = found.options[0];
  if (!row || !best) return nothing;
  const { criterion } = bestAdvice(context);
  const two = [withSpelledGuess(context, row), withSpelledGuess(context, best)] as const;
  const text =
    criterion === "guesses"
      ? compareCosts(...two)
      : criterion === "within"
        ? words.yours(two[0].guess, words.mineWithin(row, best, found))
        : compareScores(criterion, ...two);
  return html`<div class="note mine">${pegs(row.guess, signsOf(context.position))}<p>${text}</p></div>`;
}

function compareCosts(row: Mine, best: Option) {
  const [cost, least] = [row, best].map(({ guesses }) => (guesses?.exact ? guesses.expected : null));
  if (cost == null || least == null) return words.yours(row.guess, `${fixed(row.bits)} bits`);
  return words.yours(row.guess, words.mineGuesses(cost, cost - least));
}

function compareScores(criterion: Exclude<Criterion, "guesses" | "within">, row: Mine, best: Option) {
  if (row.rank === 1) return words.mineBest(row);
  const alike = Math.abs(criterionValue(criterion, row) - criterionValue(criterion, best)) < 1e-12;
  if (alike && best.possible && !row.possible) return words.mineEqual(row, best);
  return words.yours(row.guess, words.mine[criterion](row, best));
}
