/** The advice bar of the mines desk: a hint up to the requested degree. */

import type { Bar } from "../../widgets/advice-bar.js";
import { pendingBar } from "../../widgets/advice-bar.js";
import { boardProgress, act as open } from "./board-actions.js";
import { cellName } from "./cell-names.js";
import { analysisPanel } from "./editor/analysis.js";
import { isMade, playLevel } from "./editor/edits.js";
import {
  clashText,
  contradictionPanel,
  guessedCell,
  hintAction,
  hintLine,
  hintPanel,
  wrongFlagPanel,
  wrongFlags,
} from "./hints.js";
import type { Context } from "./model.js";
import { cellsOf, knownOf } from "./model.js";
import { openPuzzles } from "./puzzles-dialog.js";
import { words } from "./strings.js";

export function bar(context: Context): Bar {
  const { position, view, replies } = context;
  if (isMade(position)) return editorBar(context);
  const now = boardProgress(position);
  if (now?.over)
    return {
      state: "finished",
      title: words.bar.solved,
      facts: [{ text: view.slips ? words.slipped(view.slips) : words.wonClean, tone: "good" }],
      act: { label: words.puzzles, run: () => openPuzzles(context) },
    };
  const clash = replies.doubt?.value;
  if (clash?.contradiction)
    return {
      state: "contradiction",
      title: words.doubtTitle,
      facts: [{ text: clashText(context, clash.smallest[0] ?? []) }],
      sheet: () => contradictionPanel(context),
    };
  const degree = view.degree ?? 0;
  const counts = now
    ? [
        { text: `${now.left} ${words.safeLeft(now.left)}` },
        { text: words.minesLeft(now.mines - knownOf(position).flags.size) },
      ]
    : [];
  const ask = (next: number) => () => context.set({ degree: next, why: null });
  if (!degree)
    return {
      state: "input",
      title: words.stuck,
      facts: counts.slice(0, 1),
      act: { label: words.bar.hint, run: ask(1), main: true },
      sheet: () => hintPanel(context),
    };
  const late = pendingBar(context, "hint", words.bar.looking);
  const hint = replies.hint?.value;
  if (late || !hint) return late ?? { state: "computing", title: "" };
  if (hint.wrong_flag) {
    const wrong = wrongFlags(context).map((cell) => cellName(position, cell));
    return {
      state: "contradiction",
      title: words.bar.wrongFlag,
      facts: wrong.length ? [{ text: words.wrongFlags(wrong) }] : [],
      act: view.which ? undefined : { label: words.whichFlag, run: () => context.set({ which: true }) },
      sheet: () => wrongFlagPanel(context),
    };
  }
  const sheet = () => hintPanel(context);
  const enough = { label: words.enough, run: ask(0), main: false };
  if (!hint.move) return { ...guessed(context), sheet };
  const act =
    hint.degree < 4 ? { label: words.bar.more, run: ask(degree + 1) } : (hintAction(context, hint) ?? enough);
  return { state: hint.degree < 4 ? "advice" : "certain", ...hintLine(context, hint), act, sheet };
}

/** The best guess, on request, where no cell is certain. */
function guessed(context: Context): Bar {
  const { position, view, replies } = context;
  const found = view.guess ? replies.guess?.value : null;
  const cell = found ? guessedCell(found) : null;
  if (!found || cell === null) {
    const run = () => context.set({ guess: true });
    const act = view.guess ? undefined : { label: words.bar.bestGuess, run, main: true };
    return { state: "advice", title: words.bar.noMove, facts: [{ text: words.bar.guess }], act };
  }
  const name = cellName(position, cell);
  const best = found.options.find((one) => one.cell === cell);
  return {
    state: "advice",
    title: found.win === null ? words.guesses.safest(name) : words.bar.guessAt(name, found.win),
    facts: best ? [{ text: words.chance(1 - best.safe) }] : [],
    act: { label: words.did.open(name), run: () => void open(context, cell) },
  };
}

/** The bar of the level editor. */
function editorBar(context: Context): Bar {
  const { position, view, replies } = context;
  const sheet = () => analysisPanel(context);
  const late = pendingBar(context, "author", words.editor.computing);
  const found = replies.author?.value;
  if (late || !found) return late ?? { state: "computing", title: "" };
  const closed = found.stuck.flat().length;
  if (found.no_guess)
    return {
      state: "certain",
      title: words.editor.noGuess,
      facts: [{ text: found.smooth == null ? words.editor.noScore : words.smooth(found.smooth) }],
      act: { label: words.editor.play, run: () => playLevel(context) },
      sheet,
    };
  return {
    state: "advice",
    title: words.editor.stuck,
    facts: [{ text: words.editor.closed(closed, cellsOf(position)) }],
    act: {
      label: words.editor.free,
      run: () => context.set({ region: view.region ?? found.stuck[0][0] }),
    },
    sheet,
  };
}
