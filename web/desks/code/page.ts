/** The code desk: Mastermind, Bulls & Cows and similar games. */

import type { Doubt } from "../../types/code.js";
import { html, nothing } from "../../vendor.js";
import { plainLines } from "../../widgets/file.js";
import { whole } from "../../widgets/numbers.js";
import type { Binding, DeskPage } from "../desk.js";
import { advicePanel, assumption, bestAdvice } from "./advice.js";
import { addAnsweredRow, addRow, answerKeys, guessInSlots, withAdvisedGuess } from "./answer-pad.js";
import { bar } from "./bar.js";
import { keysOf, signsOf } from "./colour-names.js";
import { gameDialog, pasteDialog, takePasted } from "./dialogs.js";
import * as drafts from "./draft-row.js";
import { examples } from "./examples.js";
import type { Clue, Context, Desk, Position, Requests, View } from "./model.js";
import {
  codesLeft,
  gameOf,
  inRound,
  isOver,
  legalGuess,
  MASTERMIND,
  newGame,
  ranksByGuesses,
  rowsLeft,
  rulesOf,
} from "./model.js";
import { mini, picture } from "./picture.js";
import { ending, playBar, review } from "./round.js";
import { doubt, list, remainingPanel, rowsPanel, submitGuess } from "./rows.js";
import { checkRequests, strategyPosition } from "./strategies.js";
import { words } from "./strings.js";
import { otherGameRequests, relationRequests, theoryPage } from "./theory.js";

const TOP = 10;
const SECONDS = 8; // of the search for costs; then it returns bounds

const ROW =
  /^[0-9a-z.]{2,8}[:,; ]{1,8}\d ?(A ?\d ?B|[, :/-]{1,8}\d)|^[a-z]{3,8} [+-]{1,8}$|^(\p{Extended_Pictographic}\ufe0f? ?){3,8}.*[⚫⚪●○⬛\d]/iu;

export const page: DeskPage<Desk> = {
  name: "code",
  initial: () => newGame(MASTERMIND),
  anew: ({ rules, signs }) => newGame(rules, signs),
  examples,
  accept,
  title,
  listRequests,
  draw,
  bar,
  keys,
  describe,
  picture: ({ position }, caption) => picture(position, caption),
  mini,
  asks: words.asks,
  fresh: (position) => (position.sealed ? { ...position, clues: [], shown: false } : null),
  recognises: (text) => plainLines(text).some((line) => ROW.test(line)),
  paste(text, context) {
    if (text.length > 20_000 || !/\d|[+●○⚫⚪⬛⬜🟩🟨]|\b[bwr]{1,8}\b/iu.test(text)) return false;
    takePasted(text, context);
    return true;
  },
};

function title(position: Position): [string, string] {
  const name = words.games[gameOf(rulesOf(position))] ?? words.games.other;
  const rows = position.clues?.length ?? 0;
  return [name, rows ? words.soFar(rows, codesLeft(position)) : ""];
}

function describe(context: Context) {
  const { position, replies } = context;
  const rules = rulesOf(position);
  const rows = (position.clues ?? []).map(
    (clue, i: number) => `${words.row(i)}. ${words.spokenRow(clue, signsOf(position))}.`,
  );
  const count = replies.remaining?.value?.count;
  const { found, criterion } = bestAdvice(context);
  const doubtful = replies.doubt?.value?.contradiction ? replies.doubt.value.smallest : [];
  const first = doubtful.length
    ? `${words.doubtTitle}.`
    : count === undefined
      ? []
      : `${whole(count)} ${words.left(count)}.`;
  return [
    first,
    doubtful.map((r: number[]) => (r.length === 1 ? words.alone(r[0]) : words.together(r))),
    words.rulesLine(rules),
    rows,
    (found?.options ?? []).map((o) => `${words.spokenOption(o, signsOf(position))}.`),
    found ? assumption(found, criterion) : [],
  ].flat();
}

function accept(position: Position) {
  const { rules } = position;
  const between = (n: number, low: number, high: number) => n >= low && n <= high;
  if (!between(rules.pegs, 1, 8) || !between(rules.colours, 1, 16))
    throw new Error("It asks for more pegs or colours than there are (8 and 16).");
  position.clues.forEach((clue: Clue, i: number) => {
    const legal = legalGuess({ ...rules, repeat: true }, clue.guess);
    if (!legal || !between(clue.exact ?? 0, 0, rules.pegs) || !between(clue.partial ?? 0, 0, rules.pegs))
      throw new Error(`Its row ${i + 1} is no guess of this game.`);
  });
  return position;
}

function listRequests(position: Position, view: View) {
  const requests: Requests = {};
  const { prior } = position;
  const bare = { rules: rulesOf(position), clues: position.clues ?? [], ...(prior ? { prior } : {}) };
  const over = isOver(position);
  const round = inRound({ position, view });
  const helping = (!round || view.hint) && !over;
  const byGuesses = ranksByGuesses(position, view);
  const rows = rowsLeft(position, view);
  const within = view.criterion === "within";
  const options = {
    criterion: byGuesses ? ("entropy" as const) : (view.criterion ?? "entropy"),
    top: TOP,
    merge: true,
    ...(within ? { rows, seconds: SECONDS } : {}),
    ...(view.only ? { consistent_only: true } : {}),
  };
  if (!round || view.hint || over)
    requests.remaining = {
      want: "remaining",
      position: bare,
      options: { top: 1, colours: true },
      urgency: "first",
    };
  const advised = helping && !(within && rows < 1);
  if (advised) requests.advise = { want: "advise", position: bare, options: { ...options, guesses: false } };
  if (bare.clues.length && !round) requests.doubt = { want: "doubt", position: bare, urgency: "first" };
  if (view.list) requests.list = { want: "remaining", position: bare, options: { top: 500 } };
  const draft = drafts.draftFor(view.draft, bare.rules);
  const typed = draft.pegs.join("");
  if (advised && drafts.isComplete(draft) && draft.editing === null && legalGuess(bare.rules, typed))
    requests.mine = {
      want: "advise",
      position: bare,
      options: { ...options, top: 1, mine: typed },
    };
  if (helping && !within) {
    const criterion = byGuesses ? ("guesses" as const) : options.criterion;
    const patience = view.patient ? {} : { seconds: SECONDS };
    requests.costs = {
      want: "advise",
      position: bare,
      options: { ...options, criterion, settle: true, ...patience },
      urgency: "last",
    };
  }
  if (over || (view.lookback && bare.clues.length)) {
    requests.review = { want: "review", position };
    requests.priced = {
      want: "review",
      position,
      options: { guesses: true, seconds: SECONDS },
      urgency: "last",
    };
  }
  return { ...requests, ...theoryPageRequests({ position, view }, bare) };
}

/** The requests of the theory page while it is open. @param bare the position without notes */
function theoryPageRequests({ position, view }: Pick<Context, "position" | "view">, bare: Partial<Position>) {
  const requests: Requests = {
    ...relationRequests({ position, view }, bare),
    ...otherGameRequests({ position, view }, bare),
  };
  if (view.theory && view.strategy)
    requests.strategy = {
      want: "strategy",
      position: strategyPosition(position, view),
      options: { criterion: view.strategy, tree: true },
      urgency: "last",
    };
  return { ...requests, ...checkRequests({ position, view }) };
}

/** The rows that can all be removed together without more codes remaining. */
function redundantRows(position: Position, found: Doubt | null | undefined) {
  if (!found || found.contradiction) return [];
  const rows = [...(position.clues ?? []).keys()];
  return rows.filter((i) => found.redundant.includes(i) && !found.irreducible.includes(i));
}

function draw(context: Context) {
  const { position, view } = context;
  const rules = rulesOf(position);
  const found = context.replies.doubt?.value;
  const over = isOver(position) && !found?.contradiction;
  const marks = {
    doubted: new Set((found?.smallest?.flat() ?? []) as number[]),
    redundant: new Set((over ? [] : redundantRows(position, found)) as number[]),
    over,
  };
  const round = inRound(context);
  if (view.theory && !round) return theoryPage(context);
  const helping = !round || view.hint;
  return html`<div class="desk code-desk">
    <section class="stack">
      <div class="stack code-play ${over ? "over" : ""}">
      <div class="between">
        <div><h1>${words.games[gameOf(rules)] ?? words.games.other}</h1><p class="sub">${words.rulesLine(rules)}</p></div>
        <button class="plain" data-edit @click=${() => context.open(() => gameDialog(context))}>${words.changeGame}</button>
      </div>
      ${rowsPanel(context, marks)}
      ${round ? playBar(context) : nothing}
      ${over && !round ? html`<p class="note">${ending(context)}</p>` : nothing}
      ${helping && (!over || !round) ? remainingPanel(context) : nothing}
      </div>
      <div>${helping && (!over || !round) ? list(context) : nothing}
        ${
          round
            ? nothing
            : html`<div class="row wrap" data-edit>
          ${playBar(context)}
          <button class="plain" @click=${() => context.open(() => pasteDialog(context))}>${words.pasteOpen}</button>
          ${position.clues?.length && !over && !found?.contradiction ? html`<button class="plain" aria-pressed=${Boolean(view.lookback)} @click=${() => context.set({ lookback: !view.lookback })}>${words.lookBack}</button>` : nothing}
          <button class="plain" @click=${() => context.set({ theory: true })}>${words.theoryOpen}</button>
          ${position.clues?.length ? html`<button class="plain" @click=${() => context.commit({ ...position, clues: [] }, words.cleared)}>${words.clear}</button>` : nothing}
        </div>`
        }
      </div>
    </section>
    <div class="stack">
      ${over || (view.lookback && !found?.contradiction && position.clues?.length) ? review(context) : nothing}
      ${doubt(context)}
      ${helping && !over ? advicePanel(context) : nothing}
      ${round && !view.hint && !over ? html`<p class="note">${words.hiddenAdvice}</p>` : nothing}
    </div>
  </div>`;
}

function keys(context: Context): Binding[] {
  const { position, view } = context;
  const rules = rulesOf(position);
  const draft = drafts.draftFor(view.draft, rules);
  const signs = keysOf(signsOf(position), rules.colours);
  const symbols = [...signs, ...(rules.blanks ? ["."] : [])];
  const numbers = Array.from({ length: rules.pegs + 1 }, (_, n) => String(n));
  const others = { order: ["2"], sum: ["!"] }[rules.feedback as string] ?? ["u"];
  const change = (next: drafts.Draft) => context.set({ draft: next });
  const slotGuess = guessInSlots(context);
  const answers = slotGuess ? answerKeys(context).filter(({ key }) => key) : [];
  const letters = {
    keys: answers.map(({ key }) => key),
    label: words.answerLetters,
    run: (event: KeyboardEvent) => {
      const answer = answers.find(({ key }) => key === event.key.toLowerCase());
      if (answer) addAnsweredRow(context, answer.exact, answer.partial);
    },
  };
  return [
    ...(answers.length ? [letters] : []),
    {
      keys: [...new Set([...symbols, ...numbers, ...others])],
      label: words.typeRow,
      run: (event) => change(drafts.typeKey(draft, event.key.toLowerCase(), rules, signs)),
    },
    { keys: ["Backspace"], label: words.erase, run: () => change(drafts.erase(draft)) },
    {
      keys: ["ArrowLeft"],
      label: words.pegKeys[0],
      run: () => change({ ...draft, at: Math.max(0, draft.at - 1) }),
    },
    {
      keys: ["ArrowRight"],
      label: words.pegKeys[1],
      run: () => change({ ...draft, at: Math.min(rules.pegs, draft.at + 1) }),
    },
    { keys: ["Escape"], label: words.cancel, run: () => context.set({ draft: null }) },
    {
      keys: ["Enter"],
      label: slotGuess?.advised ? words.use : inRound(context) ? words.guessNow : words.addRow,
      run: () => {
        if (slotGuess?.advised) change(withAdvisedGuess(context, draft, slotGuess));
        else if (inRound(context)) submitGuess(context);
        else addRow(context);
      },
    },
  ];
}
