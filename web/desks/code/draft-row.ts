/**
 * The row being typed: pegs one by one, then the answer. Pure functions over
 * `{pegs: string[], at: number, exact: Half, partial: Half, editing: number | null, text?: string}`; marks
 * and sums are typed as `text`; a half of the
 * answer is a number, "?" where the player does not know it, null while it is not given.
 */

import type { Clue, Rules } from "./model.js";
import { answerOf, answerText, legalAnswer, legalRow, SYMBOLS } from "./model.js";

export type Half = number | "?" | null;
/** text: of marks or a sum */
export type Draft = {
  pegs: string[];
  at: number;
  exact: Half;
  partial: Half;
  editing: number | null;
  text?: string;
};

export function empty({ pegs }: Rules): Draft {
  return { pegs: Array(pegs).fill(""), at: 0, exact: null, partial: null, editing: null };
}

/** The view's draft, or an empty one where it does not fit the rules. */
export function fitting(draft: Draft | null | undefined, rules: Rules) {
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

export function complete(draft: Draft) {
  return draft.pegs.every((peg) => peg !== "");
}

/** Whether nothing has been typed and no row is edited. */
export function untouched(draft: Draft) {
  return draft.editing === null && draft.pegs.every((peg) => peg === "");
}

/** Put a symbol at the cursor and move on to the next empty peg. */
export function put(draft: Draft, symbol: string, rules: Rules): Draft {
  const at = Math.min(draft.at, rules.pegs - 1);
  const pegs = draft.pegs.slice();
  // Without repeats, a colour put down twice moves instead.
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

/** Set one half of the answer; the other is let go if both no longer fit. */
export function answer(draft: Draft, half: "exact" | "partial", value: number | "?", rules: Rules): Draft {
  const next = { ...draft, [half]: value };
  if (rules.feedback === "exact" || next.exact === rules.pegs) next.partial = 0;
  const open = next.exact === null || next.partial === null;
  if (!open && !legalAnswer(rules, known(next.exact), known(next.partial)))
    next[half === "exact" ? "partial" : "exact"] = null;
  return next;
}

/** A half as a clue has it: null where it is not known. */
const known = (half: Half) => (half === "?" ? null : half);

/**
 * What a typed character does: a colour while pegs are open (`keys`: the key of each), a number of the answer or u (not known) after.
 */
export function typed(
  draft: Draft,
  key: string,
  rules: Rules,
  keys: string[] = [...SYMBOLS.slice(0, rules.colours)],
): Draft {
  if (!complete(draft) || draft.at < rules.pegs) {
    if (key === "." && rules.blanks) return put(draft, key, rules);
    return keys.includes(key) ? put(draft, SYMBOLS[keys.indexOf(key)], rules) : draft;
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
    if (!complete(draft) || !draft.text) return null;
    const row = { guess: draft.pegs.join(""), ...answerOf(draft.text, rules) };
    if (!row.won) delete row.won;
    return legalRow(rules, row) ? (row as Clue) : null;
  }
  if (!complete(draft) || exact === null || partial === null) return null;
  const answer = { exact: known(exact), partial: known(partial) };
  if (!legalAnswer(rules, answer.exact, answer.partial)) return null;
  return { guess: draft.pegs.join(""), ...answer };
}
