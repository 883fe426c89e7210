/** What to ask next: the ranked guesses, and what the chosen one would tell. */
import { html, nothing } from "../../vendor.js";
import { advice } from "../../widgets/advice.js";
import { choice } from "../../widgets/choice.js";
import { fixed, whole } from "../../widgets/numbers.js";
import { reason } from "../../widgets/reason.js";
import { waiting } from "../../widgets/waiting.js";
import * as drafts from "./draft.js";
import { rulesOf } from "./model.js";
import { pegs } from "./pegs.js";
import { words } from "./words.js";

/** @typedef {import("../desk.js").Context} Context */
/** @typedef {"entropy" | "minmax" | "minavg" | "maxparts"} Criterion */

/** @param {any} view @returns {Criterion} */
export function criterionOf(view) {
  return view.criterion ?? "entropy";
}

/** @param {Context} context */
export function ask(context) {
  const reply = context.replies.advise;
  const found = reply?.value;
  const criterion = criterionOf(context.view);
  if (reply?.fault?.kind === "contradiction" || found?.remaining === 0) return nothing;
  const chosen =
    found?.options.find((/** @type {any} */ o) => o.guess === context.view.chosen) ?? found?.options[0];
  return html`<section class="ask">
    <div class="between">
      <div><h1>${words.askNext}</h1><p class="sub">${found ? words.askLine(words.by[/** @type {Criterion} */ (found.criterion)], found) : words.by[criterion]}</p></div>
      ${choice({ label: words.criterion, options: words.criteria, value: criterion, onChange: (value) => context.set({ criterion: value, chosen: "" }) })}
    </div>
    <label class="check"><input type="checkbox" .checked=${Boolean(context.view.only)} @change=${(/** @type {any} */ e) => context.set({ only: e.target.checked, chosen: "" })}>${words.onlyPossible}</label>
    ${waiting(reply, { phase: context.phase, stop: () => context.stop("advise"), again: () => context.again("advise"), room: "list" })}
    ${
      found
        ? html`${advice({
            rows: found.options.map(rowOf(criterion)),
            chosen: chosen?.guess ?? "",
            onChoose: (guess) => context.set({ chosen: guess }),
            label: words.askNext,
            stale: reply.stale,
            detail: chosen ? detail(context, found, chosen) : null,
          })}
        ${found.ties > 1 && found.exact ? html`<p class="quiet">${words.ties(found.ties)}</p>` : nothing}
        ${found.exact ? nothing : html`<p class="note warn">${words.howCertain(found)}</p>`}
        ${mine(context, found)}`
        : nothing
    }
  </section>`;
}

/** @param {Criterion} criterion */
function rowOf(criterion) {
  return (/** @type {any} */ o) => ({
    key: o.guess,
    question: pegs(o.guess),
    split: /** @type {number[]} */ (Object.values(o.answers)).sort((a, b) => b - a),
    facts: [
      o.possible ? { text: words.can, tone: /** @type {const} */ ("good") } : { text: words.cannot },
      criterion === "minmax" ? { text: `${fixed(o.bits)} bits` } : { text: words.worst(o.worst) },
      criterion === "maxparts" ? { text: `${fixed(o.bits)} bits` } : { text: words.parts(o.parts) },
      ...(o.same > 1 ? [{ text: words.alike(o.same) }] : []),
    ],
    number: scoreOf(criterion, o),
    unit: words.units[criterion],
    spoken: [...o.guess].join(" "),
  });
}

/** A row of the advice, as the chosen criterion tells it. @param {any} view */
export function optionRow(view) {
  return rowOf(criterionOf(view));
}

/** The number an option is ranked by. @param {Criterion} criterion @param {any} o @returns {number} */
function worthOf(criterion, o) {
  return { entropy: o.bits, minmax: o.worst, minavg: o.expected_left, maxparts: o.parts }[criterion];
}

/** @param {Criterion} criterion @param {any} o */
function scoreOf(criterion, o) {
  const digits = { entropy: 2, minmax: 0, minavg: 1, maxparts: 0 }[criterion];
  return digits ? fixed(worthOf(criterion, o), digits) : whole(worthOf(criterion, o));
}

/** @param {Context} context @param {any} found @param {any} o */
function detail(context, found, o) {
  const next = found.options[found.options.indexOf(o) + 1] ?? null;
  const pegs = [...o.guess];
  return reason({
    title: words.ifYouAsk(o.guess),
    answers: /** @type {[string, number][]} */ (Object.entries(o.answers)),
    sentences: [words.why(o)],
    runnerUp: next ? words.runnerUp(o, next) : null,
    alike: found.tried === undefined ? words.same(o.same) : null,
    assumed: words.assumed,
    action: {
      label: words.use,
      run: () =>
        context.set({ draft: { ...drafts.empty(rulesOf(context.position)), pegs, at: pegs.length } }),
    },
  });
}

/** The typed guess against the best. @param {Context} context @param {any} found */
function mine(context, found) {
  const reply = context.replies.mine;
  const row = reply && !reply.stale ? reply.value?.mine : null;
  const best = found.options[0];
  if (!row || !best) return nothing;
  return html`<div class="note mine">${pegs(row.guess)}<p>${verdict(criterionOf(context.view), row, best)}</p></div>`;
}

/** @param {Criterion} criterion @param {any} row @param {any} best */
function verdict(criterion, row, best) {
  if (row.rank === 1) return words.mineBest(row);
  const alike = Math.abs(worthOf(criterion, row) - worthOf(criterion, best)) < 1e-12;
  if (alike && best.possible && !row.possible) return words.mineEqual(row, best);
  return words.yours(row.guess, words.mine[criterion](row, best));
}
