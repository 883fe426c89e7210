/** The row being typed: pegs one by one, then the answer. Pure functions that return the next draft. */

import type { Clue, Rules } from "./model.js";
import { answerText, legalAnswer, legalRow, parseAnswer, SYMBOLS } from "./model.js";

/** One count of an answer: "?" if the player does not know it, null until it is entered. */
export type Half = number | "?" | null;
export interface Draft {
  /** a symbol for each peg, "" for an empty one */
  pegs: string[];
  /** the peg that the next symbol goes to; the number of pegs once all are set */
  at: number;
  exact: Half;
  partial: Half;
  /** index of the row that is edited, null for a new row */
  editing: number | null;
  /** an answer of marks or a sum */
  text?: string;
}

export function empty({ pegs }: Rules): Draft {
  return { pegs: Array(pegs).fill(""), at: 0, exact: null, partial: null, editing: null };
}

/** A draft with all pegs of a guess. */
export function fromGuess(guess: string, rules: Rules): Draft {
  return { ...empty(rules), pegs: [...guess], at: rules.pegs };
}

/** The view's draft, or an empty one if it has another number of pegs. */
export function draftFor(draft: Draft | null | undefined, rules: Rules) {
  return draft?.pegs?.length === rules.pegs ? (draft as Draft) : empty(rules);
}

export function fromClue(clue: Clue, index: number): Draft {
  return {
    pegs: [...clue.guess],
    at: clue.guess.length,
    exact: clue.exact ?? "?",
    partial: clue.partial ?? "?",
    editing: index,
    ...(clue.marks == null && clue.sum == null ? {} : { text: answerText(clue) }),
  };
}

export function isComplete(draft: Draft) {
  return draft.pegs.every((peg) => peg !== "");
}

/** Whether no peg is set and no row is edited. */
export function isUntouched(draft: Draft) {
  return draft.editing === null && draft.pegs.every((peg) => peg === "");
}

/** Put a symbol at the cursor and move the cursor to the next empty peg. */
export function setPeg(draft: Draft, symbol: string, rules: Rules): Draft {
  const at = Math.min(draft.at, rules.pegs - 1);
  const pegs = draft.pegs.slice();
  // Without repeats, a colour that is already used moves to the cursor.
  if (!rules.repeat && symbol !== ".")
    for (let i = 0; i < pegs.length; i++) if (pegs[i] === symbol) pegs[i] = "";
  pegs[at] = symbol;
  return { ...draft, pegs, at: nextEmpty(pegs, at) };
}

export function erase(draft: Draft): Draft {
  if (draft.text) return { ...draft, text: draft.text.slice(0, -1) };
  if (draft.exact !== null || draft.partial !== null) return { ...draft, exact: null, partial: null };
  const last = draft.pegs.findLastIndex((peg, i) => peg !== "" && i < Math.max(draft.at, 1));
  const at = last < 0 ? draft.pegs.findLastIndex((peg) => peg !== "") : last;
  if (at < 0) return draft;
  return { ...draft, pegs: draft.pegs.with(at, ""), at };
}

function nextEmpty(pegs: string[], from: number) {
  for (let step = 1; step <= pegs.length; step++) {
    const i = (from + step) % pegs.length;
    if (pegs[i] === "") return i;
  }
  return pegs.length;
}

/** Set one count of the answer; the other is cleared if both together are no legal answer. */
export function answer(draft: Draft, half: "exact" | "partial", value: number | "?", rules: Rules): Draft {
  const next = { ...draft, [half]: value };
  if (rules.feedback === "exact" || next.exact === rules.pegs) next.partial = 0;
  const open = next.exact === null || next.partial === null;
  if (!open && !legalAnswer(rules, known(next.exact), known(next.partial)))
    next[half === "exact" ? "partial" : "exact"] = null;
  return next;
}

/** A count as clues store it: null if it is unknown. */
export const known = (half: Half) => (half === "?" ? null : half);

/**
 * The draft after a character is typed: a colour while pegs are empty, then a number of the answer, or u if
 * it is unknown.
 * @param keys the key of each colour
 */
export function typeKey(
  draft: Draft,
  key: string,
  rules: Rules,
  keys: string[] = [...SYMBOLS.slice(0, rules.colours)],
): Draft {
  if (!isComplete(draft) || draft.at < rules.pegs) {
    if (key === "." && rules.blanks) return setPeg(draft, key, rules);
    return keys.includes(key) ? setPeg(draft, SYMBOLS[keys.indexOf(key)], rules) : draft;
  }
  if (rules.feedback === "order") {
    const text = draft.text ?? "";
    return "012".includes(key) && text.length < rules.pegs ? { ...draft, text: text + key } : draft;
  }
  if (rules.feedback === "sum") {
    if (key === "!") return { ...draft, text: `${rules.pegs}!` };
    return Number(key) <= rules.pegs ? { ...draft, text: key } : draft;
  }
  if (key === "u" || key === "?")
    return answer(draft, draft.exact === null ? "exact" : "partial", "?", rules);
  const value = Number(key);
  if (!Number.isInteger(value) || value > rules.pegs) return draft;
  return answer(draft, draft.exact === null ? "exact" : "partial", value, rules);
}

/** The finished row, or null. */
export function toClue(draft: Draft, rules: Rules): Clue | null {
  const { exact, partial } = draft;
  if (rules.feedback === "order" || rules.feedback === "sum") {
    if (!isComplete(draft) || !draft.text) return null;
    const row = { guess: draft.pegs.join(""), ...parseAnswer(draft.text, rules) };
    if (!row.won) delete row.won;
    return legalRow(rules, row) ? (row as Clue) : null;
  }
  if (!isComplete(draft) || exact === null || partial === null) return null;
  const answer = { exact: known(exact), partial: known(partial) };
  if (!legalAnswer(rules, answer.exact, answer.partial)) return null;
  return { guess: draft.pegs.join(""), ...answer };
}
