/** The advice bar of the code desk: the best guess, what the row still needs, or the end of the game. */

import type { Doubt } from "../../types/code.js";
import { html } from "../../vendor.js";
import type { Bar } from "../../widgets/advice-bar.js";
import { pendingBar } from "../../widgets/advice-bar.js";
import { advicePanel, bestAdvice, optionRow } from "./advice.js";
import { addRow, usesGrid } from "./answer-pad.js";
import { signOf, signsOf, spokenCode } from "./colour-names.js";
import * as drafts from "./draft-row.js";
import type { Advice, Context } from "./model.js";
import { answerText, hits, inRound, isOver, rulesOf } from "./model.js";
import { pegs as drawn } from "./picture.js";
import { applyRepair, doubt, slipFacts, submitGuess } from "./rows.js";
import { words } from "./strings.js";

const MAX_INLINE_PEGS = 6; // that leave room for the number in their line

/** Pegs with the class that their styles need outside the desk. */
const pegs = ({ position }: Context, code: string) =>
  html`<span class="code-desk">${drawn(code, signsOf(position))}</span>`;

export function bar(context: Context): Bar {
  const { position, view, replies } = context;
  const clash = replies.doubt?.value;
  if (clash?.contradiction) return contradiction(context, clash);
  if (isOver(position)) return finished(context);
  const typed = typedRow(context);
  if (typed) return typed;
  if (inRound(context) && !view.hint)
    return { state: "input", title: words.yourGuess, facts: [{ text: words.bar.fillRow }] };
  const sheet = () => advicePanel(context);
  const late = pendingBar(context, "advise", words.bar.comparing);
  return late ? { ...late, sheet } : { ...advised(context), sheet };
}

/** The bar with the chosen or the best guess; the advice must be there. */
function advised(context: Context): Bar {
  const found = bestAdvice(context).found as Advice;
  const { options, exact, ties, remaining } = found;
  const option = options.find((o) => o.guess === context.view.chosen) ?? options[0];
  const signs = signsOf(context.position);
  const act = { label: words.bar.others, opens: true };
  const title = pegs(context, option.guess);
  const spoken = spokenCode(option.guess, signs);
  const plain = [...option.guess].map((c) => signOf(c, signs)).join("");
  if (remaining === 1)
    return {
      state: "certain",
      title,
      spoken,
      plain,
      facts: [{ text: words.bar.onlyOne, tone: "good" }],
      act,
    };
  const row = optionRow(context)(option);
  const equal = exact && ties > 1 && option === options[0];
  const facts = [
    ...row.facts.slice(0, 2),
    ...(equal ? [{ text: words.bar.equal(ties) }] : exact ? [] : [{ text: words.bar.estimated }]),
  ] as NonNullable<Bar["facts"]>;
  const state = exact ? (equal ? "equal" : "advice") : "estimated";
  const shared = { title, spoken, plain, act };
  if (option.guess.length > MAX_INLINE_PEGS) {
    const text = words.bar.number(row.number, row.unit, exact ? null : (found.error ?? 0));
    return { ...shared, state, facts: [{ text }, ...facts.slice(-1)] };
  }
  return { ...shared, state, number: row.number, unit: row.unit, facts };
}

/** The bar for a complete row, which needs an answer before it is added; null for an incomplete row. */
function typedRow(context: Context): Bar | null {
  const { position, view } = context;
  const rules = rulesOf(position);
  const draft = drafts.draftFor(view.draft, rules);
  if (!drafts.isComplete(draft)) return null;
  const guessed = draft.pegs.join("");
  const title = pegs(context, guessed);
  const spoken = spokenCode(guessed, signsOf(position));
  if (inRound(context))
    return {
      state: "input",
      title,
      spoken,
      facts: [],
      act: { label: words.guessNow, run: () => submitGuess(context), off: Boolean(view.judging), main: true },
    };
  const clue = drafts.toClue(draft, rules);
  if (!clue || usesGrid(rules, view))
    return {
      state: "input",
      title: usesGrid(rules, view) ? title : words.answerPad,
      spoken: usesGrid(rules, view) ? spoken : undefined,
      facts: [{ text: words.bar.pressAnswer }],
      act: { label: words.bar.clearRow, run: () => context.set({ draft: null }) },
    };
  const label = draft.editing === null ? words.addRow : words.saveRow;
  return {
    state: "input",
    title,
    spoken,
    number: answerText(clue),
    unit: "",
    act: { label, run: () => addRow(context), main: true },
  };
}

function contradiction(context: Context, clash: Doubt): Bar {
  const [rows] = clash.smallest;
  const [slip] = clash.slips;
  return {
    state: "contradiction",
    title: rows?.length === 1 ? words.bar.rowWrong(rows[0]) : words.bar.clash(rows ?? []),
    facts: slip ? slipFacts(context, slip) : [{ text: words.slipNone }],
    act: slip ? { label: words.bar.fix, run: () => applyRepair(context, slip) } : undefined,
    sheet: () => doubt(context),
  };
}

function finished(context: Context): Bar {
  const { position, commit, replies } = context;
  const [row] = hits(position);
  const code = row === undefined ? replies.review?.value?.secret : position.clues[row].guess;
  const again = () => commit({ ...position, clues: [], sealed: null, shown: false }, words.clear);
  return {
    state: "finished",
    title: code ? pegs(context, code) : words.bar.over,
    spoken: code ? spokenCode(code, signsOf(position)) : undefined,
    facts: [
      ...(code ? [{ text: words.bar.isCode, tone: "good" as const }] : []),
      ...(row === undefined ? [] : [{ text: words.bar.found(row + 1) }]),
    ],
    act: { label: words.bar.newGame, run: again },
  };
}
