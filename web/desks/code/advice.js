/** What to ask next: the ranked guesses, and what the chosen one would tell. */
import { html, nothing } from "../../vendor.js";
import { advice, faded } from "../../widgets/advice.js";
import { choice } from "../../widgets/choice.js";
import { fixed, whole } from "../../widgets/numbers.js";
import { reason } from "../../widgets/reason.js";
import { waiting } from "../../widgets/waiting.js";
import { signOf, signsOf, spelled } from "./colour-names.js";
import * as drafts from "./draft-row.js";
import { ALWAYS_COSTED, codeCount, rulesOf } from "./model.js";
import { pegs } from "./pegs.js";
import { words } from "./strings.js";

/** @typedef {import("./model.js").Context} Context */
/** @typedef {import("./model.js").Advice} Advice */
/** @typedef {import("./model.js").Option} Option */
/** @typedef {import("../../types/code.js").Mine} Mine */
/** @typedef {import("./model.js").Criterion} Criterion */

/** @param {import("./model.js").View} view @returns {Criterion} */
export function criterionOf(view) {
  return view.criterion ?? "entropy";
}

/** @param {Context} context */
export function advicePanel(context) {
  const reply = context.replies.advise;
  const criterion = criterionOf(context.view);
  const partial = reply?.state === "waiting" ? reply.progress?.best : null; // by guesses, live
  const found = priced(context, partial ?? reply?.value);
  if (reply?.fault?.kind === "contradiction" || found?.remaining === 0) return nothing;
  const chosen = found?.options.find((o) => o.guess === context.view.chosen) ?? found?.options[0];
  const pricing = context.replies.costs?.state === "waiting"; // what the options cost comes later
  return html`<section class="ask" aria-busy=${pricing}>
    <div class="between">
      <div><h2 class="head">${words.askNext}</h2><p class="sub">${found ? words.askLine(words.by[/** @type {Criterion} */ (found.criterion)], found) : words.by[criterion]}</p></div>
      ${choice({ label: words.criterion, options: words.criteria, value: criterion, onChange: (value) => context.set({ criterion: value, chosen: "" }) })}
    </div>
    <label class="check"><input type="checkbox" .checked=${Boolean(context.view.only)} @change=${(/** @type {import("../../widgets/on.js").OnInput} */ e) => context.set({ only: e.target.checked, chosen: "" })}>${words.onlyPossible}</label>
    ${patience(context)}
    ${waiting(reply, { phase: context.phase, stop: () => context.stop("advise"), again: () => context.again("advise"), room: "list" })}
    ${
      found
        ? html`${advice({
            rows: found.options.map(rowOf(criterion, signsOf(context.position))),
            chosen: chosen?.guess ?? "",
            onChoose: (guess) => context.set({ chosen: guess }),
            label: words.askNext,
            detail: chosen ? detail(context, found, chosen) : null,
          })}
        ${found.ties > 1 && found.exact ? html`<p class="quiet">${words.ties(found.ties)}</p>` : nothing}
        ${found.exact ? nothing : html`<p class="note warn">${words.howCertain(found)}</p>`}
        ${mine(context, found)}`
        : faded(reply, words.askNext)
    }
  </section>`;
}

/** Whether costs that take long are waited for, where they may. @param {Context} context */
function patience({ position, view, set }) {
  const codes = codeCount(rulesOf(position));
  if (codes <= ALWAYS_COSTED) return nothing;
  return html`<label class="check"><input type="checkbox" .checked=${Boolean(view.patient)} @change=${(/** @type {import("../../widgets/on.js").OnInput} */ e) => set({ patient: e.target.checked })}>${words.toTheEnd}</label>`;
}

/** The advice with what its options cost in guesses, as far as that is known by now. @param {Context} context @param {Advice | null | undefined} found */
function priced({ replies }, found) {
  const { costs } = replies;
  const known = costs?.state === "done" ? costs.value : costs?.progress?.best;
  if (!found || !known || known.remaining !== found.remaining) return found;
  const cost = new Map(known.options.map((o) => [o.guess, o.guesses]));
  const options = found.options.map((o) => ({ guesses: cost.get(o.guess), ...o }));
  return { ...found, options };
}

/** An option with its guess as people write it, for sentences. @template {Option} O @param {Context} context @param {O} o */
const said = ({ position }, o) => ({ ...o, guess: spelled(o.guess, signsOf(position)) });

/** @param {Criterion} criterion @param {string[]} signs */
function rowOf(criterion, signs) {
  return (/** @type {Option} */ o) => ({
    key: o.guess,
    question: pegs(o.guess, signs),
    split: /** @type {number[]} */ (Object.values(o.answers)).sort((a, b) => b - a),
    facts: [
      o.possible ? { text: words.can, tone: /** @type {const} */ ("good") } : { text: words.cannot },
      ...(o.guesses && criterion !== "guesses" ? [{ text: words.guessCost(o.guesses) }] : []),
      criterion === "minmax" || criterion === "guesses"
        ? { text: `${fixed(o.bits)} bits` }
        : { text: words.worst(o.worst) },
      criterion === "maxparts" ? { text: `${fixed(o.bits)} bits` } : { text: words.parts(o.parts) },
      ...(o.same > 1 ? [{ text: words.alike(o.same) }] : []),
    ],
    number: scoreOf(criterion, o),
    unit: words.units[criterion],
    spoken: [...o.guess].map((c) => signOf(c, signs)).join(" "),
  });
}

/** A row of the advice, with the number of the chosen criterion. @param {Context} context */
export function optionRow({ view, position }) {
  return rowOf(criterionOf(view), signsOf(position));
}

/** The number an option is ranked by. @param {Criterion} criterion @param {Option} o @returns {number} */
function worthOf(criterion, o) {
  const guesses = o.guesses?.expected ?? o.guesses?.high ?? Number.NaN;
  return { entropy: o.bits, minmax: o.worst, minavg: o.expected_left, maxparts: o.parts, guesses }[criterion];
}

/** @param {Criterion} criterion @param {Option} o */
function scoreOf(criterion, o) {
  const digits = { entropy: 2, minmax: 0, minavg: 1, maxparts: 0, guesses: 3 }[criterion];
  if (criterion === "guesses" && !o.guesses?.exact) return o.guesses ? `≤ ${fixed(o.guesses.high, 2)}` : "–";
  return digits ? fixed(worthOf(criterion, o), digits) : whole(worthOf(criterion, o));
}

/** @param {Context} context @param {Advice} found @param {Option} o */
function detail(context, found, o) {
  const next = found.options[found.options.indexOf(o) + 1] ?? null;
  const pegs = [...o.guess];
  return reason({
    title: words.ifYouAsk(said(context, o).guess),
    answers: /** @type {[string, number][]} */ (Object.entries(o.answers)),
    sentences: [words.why(o), ...(o.guesses ? [words.whyGuesses(o.guesses)] : [])],
    runnerUp: next ? words.runnerUp(o, said(context, next)) : null,
    alike: found.tried === undefined ? words.same(o.same) : null,
    assumed: words.assumed,
    action: {
      label: words.use,
      run: () =>
        context.set({ draft: { ...drafts.empty(rulesOf(context.position)), pegs, at: pegs.length } }),
    },
  });
}

/** The typed guess against the best. @param {Context} context @param {Advice} found */
function mine(context, found) {
  const reply = context.replies.mine;
  const row = reply && !reply.stale ? reply.value?.mine : null;
  const best = found.options[0];
  if (!row || !best) return nothing;
  const criterion = criterionOf(context.view);
  const two = /** @type {const} */ ([said(context, row), said(context, best)]);
  const text = criterion === "guesses" ? mineCost(...two) : verdict(criterion, ...two);
  return html`<div class="note mine">${pegs(row.guess, signsOf(context.position))}<p>${text}</p></div>`;
}

/** @param {Mine} row @param {Option} best */
function mineCost(row, best) {
  const [cost, least] = [row, best].map(({ guesses }) => (guesses?.exact ? guesses.expected : null));
  if (cost == null || least == null) return words.yours(row.guess, `${fixed(row.bits)} bits`);
  return words.yours(row.guess, words.mineGuesses(cost, cost - least));
}

/** @param {Exclude<Criterion, "guesses">} criterion @param {Mine} row @param {Option} best */
function verdict(criterion, row, best) {
  if (row.rank === 1) return words.mineBest(row);
  const alike = Math.abs(worthOf(criterion, row) - worthOf(criterion, best)) < 1e-12;
  if (alike && best.possible && !row.possible) return words.mineEqual(row, best);
  return words.yours(row.guess, words.mine[criterion](row, best));
}
