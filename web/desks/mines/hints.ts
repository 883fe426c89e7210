/** The panels next to the board: hints by degree, best guess, flags, chances, contradictions, rating. */

import type { Guess, Move, Rated, Solved, Step } from "../../types/mines.js";
import { html, nothing } from "../../vendor.js";
import type { OnToggle } from "../../widgets/on.js";
import { choice, doubtCard } from "../../widgets/panel.js";
import { explained } from "../../widgets/term.js";
import { waiting, waitingFor } from "../../widgets/waiting.js";
import { boardProgress, openCells, paint } from "./board-actions.js";
import { cellName, clueName } from "./cell-names.js";
import { curve, scale } from "./difficulty-chart.js";
import type { Context, Hint } from "./model.js";
import { drawnOf, isArranged, knownOf } from "./model.js";
import { askedCell } from "./pads.js";
import { lightOf, steps } from "./proof-steps.js";
import { pathPanel } from "./replay.js";
import { solutionOf } from "./sealed-solution.js";
import { words } from "./strings.js";

const MOST = 4; // smallest contradictions to list, and repairs

export function hintPanel(context: Context) {
  const { position, view, replies } = context;
  const degree = view.degree ?? 0;
  const hint = replies.hint?.value ?? null;
  if (boardProgress(position)?.over || replies.hint?.fault?.kind === "contradiction" || hint?.wrong_flag)
    return nothing;
  const done = hint && (hint.degree === 4 || !hint.move);
  return html`<section class="card stack-small hints">
    <div class="between"><h2>${words.stuck}</h2>${degree ? html`<button class="plain" @click=${() => context.set({ degree: 0 })}>${words.enough}</button>` : nothing}</div>
    ${degree ? hintText(context, hint) : html`<p class="quiet">${words.beyond}</p>`}
    ${degree ? waitingFor(context, "hint") : nothing}
    <div class="row wrap">
      ${done && hint.move ? hintButton(context, hint) : nothing}
      ${done || (degree && !hint) ? nothing : html`<button class="soft" data-part="hint" @click=${() => context.set({ degree: degree + 1, why: null })}>${words.degrees[degree]}</button>`}
      <button class="plain" @click=${() => context.set({ check: true })}>${words.checkFlags}</button>
    </div>
    ${view.check ? flagCheck(context) : nothing}
  </section>`;
}

function hintText(context: Context, hint: Hint | null) {
  if (!hint) return nothing;
  const { position } = context;
  if (!hint.move)
    return html`<p role="status">${position.flags?.length ? words.hintNo : words.hintNoPlain}</p>${isArranged(position) ? nothing : bestGuess(context)}`;
  const { groups } = drawnOf(position);
  const cells = hint.cells?.length ?? 0;
  return html`<div class="hint-text" role="status">
    ${hint.degree === 1 ? html`<p>${explained(words.hintYes)}</p>` : nothing}
    ${hint.cells && hint.degree < 4 ? html`<p>${words.hintWhere(cells)}</p>` : nothing}
    ${
      hint.clues
        ? html`<p>${words.hintClues(
            hint.clues.map((n: string) => clueName(position, groups, n)),
            Boolean(hint.contradiction),
          )}</p>`
        : nothing
    }
    ${hint.uses_total && hint.degree === 3 ? html`<p class="quiet">${words.hintTotal}</p>` : nothing}
    ${hint.technique ? html`<p class="quiet">${words.techniques[hint.technique]} ${words.length(hint.length ?? 0)}</p>` : nothing}
    ${hint.verdict ? html`<p><b>${words.verdict[hint.verdict](cells)}</b></p>${steps(context, hint.steps)}` : nothing}
  </div>`;
}

function hintButton(context: Context, hint: Hint) {
  const act = hintAction(context, hint);
  return act
    ? html`<button class="main" data-part="hint" data-edit @click=${act.run}>${act.label}</button>`
    : nothing;
}

/** The action of the hint's button; null if the player has to enter a number. */
export function hintAction(context: Context, hint: Hint) {
  const { verdict: kind, cells } = hint;
  if (!kind || !cells) return null;
  const { sealed } = context.position;
  if (kind === "safe" && !sealed) return null; // the pad asks for its number
  const name = words.did.open(cellName(context.position, cells[0]));
  const run = () => {
    if (kind === "safe") return openCells(context, cells, name);
    paint(context, cells, true);
    if (!sealed) context.set({ degree: 4 }); // the next hint follows
  };
  return { label: words.doIt[kind], run };
}

/** The hint so far in a line for the bar. */
export function hintLine(context: Context, hint: Hint) {
  const cells = hint.cells ?? [];
  const clues = hint.clues?.length ? [{ text: words.bar.clues(hint.clues.length) }] : [];
  if (hint.verdict) {
    const names = cells.map((cell) => capitalized(cellName(context.position, cell)));
    return { title: words.bar.verdict(names, hint.verdict), facts: clues };
  }
  if (cells.length)
    return { title: words.bar.here, facts: [{ text: words.hintWhere(cells.length) }, ...clues] };
  return { title: words.bar.yes, facts: [{ text: words.bar.noGuess }] };
}

function flagCheck(context: Context) {
  const reply = context.replies.check;
  if (!context.position.flags?.length) return html`<p class="quiet">${words.noFlags}</p>`;
  const answer = reply?.value?.wrong;
  return answer
    ? html`<p role="status" class=${answer === "yes" ? "warn" : "good"}>${words.flagsWrong[answer]}</p>`
    : waiting(reply, { phase: context.phase, again: () => context.again("check") });
}

/** Whether a reply shows that a flag is wrong: they contradict the clues, or the solution. */
function flagsClash({ position, view, replies }: Context) {
  if (!position.flags?.length) return false;
  if (view.degree && replies.hint?.value?.wrong_flag) return true;
  if (view.which) return true;
  const clash = view.chances && replies.solve?.fault?.kind === "contradiction";
  const plain = position.sealed || (replies.doubt?.value && !replies.doubt.value.contradiction);
  return Boolean(clash && plain);
}

/** The notice that a flag is wrong, on request with its name. */
export function wrongFlagPanel(context: Context) {
  const { view } = context;
  if (!flagsClash(context)) return nothing;
  const wrong = wrongFlags(context).map((cell) => cellName(context.position, cell));
  return html`<section class="note warn stack-small" role="status"><p>${words.aFlagIsWrong}</p>
    ${
      view.which
        ? html`${wrong.length ? html`<p>${words.wrongFlags(wrong)}</p>` : nothing}${waiting(context.replies.doubt, { phase: context.phase })}`
        : html`<button class="soft" @click=${() => context.set({ which: true })}>${words.whichFlag}</button>`
    }
  </section>`;
}

/** The flags without a mine below, if the solution is known. */
export function wrongFlags({ position, view }: Context): number[] {
  const solution = view.which ? solutionOf(position) : null;
  return solution ? (position.flags ?? []).filter((f: number) => !solution.mines.has(f)) : [];
}

export function chancesPanel(context: Context) {
  const { view, replies } = context;
  const reply = replies.solve;
  const found = reply?.value;
  if (reply?.fault?.kind === "contradiction" && view.chances) return nothing;
  if (boardProgress(context.position)?.over) return nothing;
  return html`<section class="stack-small">
    <button class="soft" aria-pressed=${Boolean(view.chances)} @click=${() => context.set({ chances: !view.chances, why: null })}>${view.chances ? words.chancesOff : words.chances}</button>
    ${
      view.chances
        ? html`${waitingFor(context, "solve")}
        ${
          found
            ? html`<p class=${reply.stale ? "stale" : ""}>${explained(words.layouts(found.solutions, found.exact))} ${words.forced(found.safe.length, found.mines.length)}</p>
            ${found.exact || found.error == null ? nothing : html`<p class="note warn">${words.estimate(found.error)}</p>`}
            ${reply.stale ? nothing : focused(context, found)}
            <p class="assumed">${words.assumed}</p>`
            : nothing
        }`
        : nothing
    }
  </section>`;
}

/** The focused cell's chance, and its explanation. */
function focused(context: Context, found: Solved) {
  const { position, view, replies } = context;
  const cell = view.focus;
  const chance = cell == null ? null : found.probability[cell];
  if (cell == null || chance == null) return html`<p class="quiet">${words.askCell}</p>`;
  const [low, high] = [found.low?.[cell] ?? 0, found.high?.[cell] ?? 1];
  const name = cellName(position, cell);
  const reply = replies.explain;
  const reason = view.why === cell ? reply?.value : null;
  return html`<div class="note stack-small">
    <p>${explained(words.cellChance(capitalized(name), chance))} ${found.exact || low === high || (low === 0 && high === 1) ? nothing : words.bounds(low, high)}</p>
    ${chance === 0 || chance === 1 ? (view.why === cell ? nothing : html`<button class="plain" @click=${() => context.set({ why: cell, degree: 0 })}>${words.why(name)}</button>`) : nothing}
    ${view.why === cell ? waiting(reply, { phase: context.phase, again: () => context.again("explain") }) : nothing}
    ${reason?.technique ? html`<p class="quiet">${words.techniques[reason.technique]} ${reason.smallest ? words.smallest(countsOf(reason.clues)) : words.notSmallest}</p>` : nothing}
    ${reason ? steps(context, reason.steps) : nothing}
  </div>`;
}

const capitalized = (text: string) => text[0].toUpperCase() + text.slice(1);

/** The number of counts among the clues. */
const countsOf = (clues: string[]) => clues.filter((name) => !name.startsWith("flag:")).length;

/** The names of the clues of a contradiction. */
export function clashText({ position }: Context, set: string[]) {
  const { groups } = drawnOf(position);
  return set.map((clue) => clueName(position, groups, clue)).join(" · ");
}

export function contradictionPanel(context: Context) {
  const { position, replies } = context;
  const found = replies.doubt?.value;
  if (!found?.contradiction) return nothing;
  const { groups } = drawnOf(position);
  const name = (n: string) => clueName(position, groups, n);
  return doubtCard({
    title: words.doubtTitle,
    clashes: found.smallest.slice(0, MOST).map((set) => clashText(context, set)),
    listed: true,
    notes: [found.proved ? null : words.doubtNot],
    fixes: found.repairs.slice(0, MOST).map((r) => ({
      label: words.repair(name(r.clue), r.value, r.remaining),
    })),
  });
}

export function ratingPanel(context: Context) {
  const { position, view, replies } = context;
  if (!position.sealed || isArranged(position)) return nothing;
  const rounds = String(view.rounds ?? 1);
  const reply = replies.rate;
  const found = reply?.value;
  return html`<details class="more" .open=${Boolean(view.rate)} @toggle=${(e: OnToggle) => e.target.open !== Boolean(view.rate) && context.set({ rate: e.target.open })}>
    <summary>${words.ratingTitle}</summary>
    <p class="quiet">${words.ratingWhat}</p>
    ${view.rate ? waitingFor(context, "rate") : nothing}
    ${view.rate ? hardest(context) : nothing}
    ${found ? rated(found) : nothing}
    ${
      view.rate
        ? html`<p class="quiet">${words.roundsHow}</p>${choice({ label: words.rounds, options: words.roundsOf, value: rounds, onChange: (next) => context.set({ rounds: Number(next) }) })}${published(context)}${pathPanel(context)}`
        : nothing
    }
  </details>`;
}

/** The score on the scale of 2018, on request: it takes longer. */
function published(context: Context) {
  const { view, replies } = context;
  if (!view.published)
    return html`<p><button class="plain" @click=${() => context.set({ published: true })}>${words.publishedAsk}</button></p>`;
  const found = replies.published?.value?.published;
  const steps = (found?.score ?? 0) < 0 && found?.allowed ? found.allowed.steps : (found?.steps ?? []);
  return html`${waitingFor(context, "published")}
    ${found ? html`<p role="status">${explained(words.published(found))} ${words.orderFree(found.order_free.score)}</p>${curve(steps, Math.max(1, ...steps))}` : nothing}`;
}

/** The hardest move of the easiest path. */
function hardest({ replies }: Context) {
  const found = replies.path?.value?.hardest;
  return found
    ? html`<p role="status"><b class="score">${words.hardest(found)}</b> <span class="quiet">${words.techniques[found.technique]}</span></p>`
    : nothing;
}

function rated(found: Rated) {
  const most = Math.max(1, ...found.steps);
  return html`<div class="stack-small">
    ${found.smooth == null ? nothing : html`<p><b class="score">${explained(words.smooth(found.smooth))}</b></p>${scale(found.smooth)}`}
    <p>${explained(found.no_guess ? words.noGuess(found.waves) : words.guess)}</p>
    <p>${found.closure_solves ? words.climbs(found.steps.length, most) : found.no_guess ? words.stops(found.solves_with ?? null) : nothing}</p>
    ${found.steps.length ? curve(found.steps, most) : nothing}
    ${found.capped ? html`<p class="assumed">${words.capped}</p>` : nothing}
    ${found.records.length ? records(found.records) : nothing}
  </div>`;
}

/** The inequalities stored at the end of every step. */
function records(list: Step[]) {
  const sum = (key: "rounds" | "inexact_rounds") => list.reduce((n, step) => n + step[key], 0);
  const rows = list.map((s, i) => [i + 1, s.rounds, s.inexact_rounds, s.inequalities, s.exact]);
  return html`<p>${words.inexactOf(sum("rounds"), sum("inexact_rounds"))}</p>
    <details class="more"><summary>${words.records}</summary><div class="wide records" role="region" tabindex="0" aria-label=${words.records}><table>
    <thead><tr>${words.recordHeads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
    <tbody>${rows.map(([n, ...rest]) => html`<tr><th scope="row">${n}</th>${rest.map((v) => html`<td>${v}</td>`)}</tr>`)}</tbody></table></div></details>`;
}

/**
 * The outlines of the replies on the board: classes by cell, and the highlighted groups.
 * @param move of a replay, in place of the replies
 */
export function outlines(context: Context, move?: Move | null) {
  const { position, view, replies } = context;
  const rings: Map<number, string> = new Map();
  const lit: Set<number> = new Set();
  const clue = (name: string, ring: string) => {
    const [kind, index] = name.split(":");
    if (kind === "group") lit.add(Number(index));
    else rings.set(Number(index), ring);
  };
  if (move !== undefined) {
    for (const name of move?.clues ?? []) clue(name, "clue");
    for (const cell of move?.cells ?? []) rings.set(cell, "target");
    return { rings, lit, known: knownOf(position) };
  }
  const hint = view.degree ? replies.hint?.value : null;
  for (const name of hint?.clues ?? []) clue(name, "clue");
  const asked = position.sealed ? null : askedCell(context);
  for (const cell of hint?.cells ?? []) rings.set(cell, asked === null ? "target" : "near");
  const guess = hint && view.guess ? replies.guess?.value : null;
  const best = guess ? guessedCell(guess) : null;
  if (best != null) rings.set(best, "target");
  const reason = view.why != null ? replies.explain?.value : null;
  for (const name of reason?.clues ?? []) clue(name, "clue");
  if (reason && view.why != null) rings.set(view.why, "target");
  const light = lightOf(reason?.steps ?? hint?.steps, view.step);
  if (light) {
    rings.clear();
    lit.clear();
    for (const name of light.clues) clue(name, "clue");
    for (const cell of light.before) rings.set(cell, "near");
    for (const cell of light.cells) rings.set(cell, "target");
  }
  const found = replies.doubt?.value;
  if (found?.contradiction) for (const name of found.smallest[0] ?? []) clue(name, "wrong");
  for (const cell of wrongFlags(context)) rings.set(cell, "wrong");
  for (const cell of view.chord?.cells ?? []) rings.set(cell, "near");
  if (asked !== null) rings.set(asked, "target");
  return { rings, lit, known: knownOf(position) };
}

const LISTED = 5; // candidates in the list

/**
 * The button, then the cells with the greatest chance to win. Without that chance the text is "least
 * likely a mine", never "best".
 */
function bestGuess(context: Context) {
  const { position, view, replies } = context;
  const reply = replies.guess;
  if (!view.guess)
    return html`<button class="soft" @click=${() => context.set({ guess: true })}>${words.guesses.ask}</button>`;
  const found = reply?.value;
  const again = () => context.again("guess");
  if (!found) return waiting(reply, { phase: context.phase, stop: () => context.stop("guess"), again });
  const name = (cell: number) => cellName(position, cell);
  const cell = guessedCell(found);
  const most = found.options.find((one) => one.cell === found.safest)?.safe;
  const ties = found.options.filter((one) => one.safe === most).length > 1;
  const note = (safe: number) => (safe === most ? words.guesses.safestCell(ties) : "");
  return html`<div class="stack-small" role="status">
    ${cell == null ? nothing : html`<p><b>${found.win == null ? words.guesses.safest(name(cell)) : words.guesses.best(name(cell), found.win)}</b></p>`}
    <ul class="candidates">${found.options.slice(0, LISTED).map((one) => html`<li class=${one.cell === cell ? "first" : nothing}><b>${name(one.cell)}</b><span>${note(one.safe)}</span><span>${words.guesses.win(one)}</span><span>${words.guesses.safe(one.safe)}</span></li>`)}</ul>
    <p class="assumed">${found.win == null ? words.guesses.safestWhat : words.guesses.bestWhat}</p>
  </div>`;
}

/** The cell to open: the best one, or the safest. */
export function guessedCell(found: Guess): number | null {
  return found.win == null ? found.safest : (found.options[0]?.cell ?? null);
}
