/** The moves that a puzzle is wished to take: lines of so many of a kind, and the wish as a text. */

/** @typedef {{many: string, kind: string}} Times so many moves of a kind: "3", "0", "2+" */
/** @typedef {{times: Times[], none: boolean, widest: number, rising: boolean}} Moves `widest` 0: no limit */

/** How many of a kind can be wished for: so many, none, at least so many. */
export const MANY = ["1", "2", "3", "4", "5", "6", "0", "1+", "2+", "3+"];
const KINDS = ["one", "subset", "cross", "chain", "bounds", "sum"];
const FIRST = ["sum", "chain", "cross", "subset", "bounds", "one"]; // as more of them are added
export const WIDEST = [0, 2, 3, 4, 5, 6, 8]; // counts that a move may rest on

/** The wish as the generator reads it. @param {Moves} moves */
export function wishText({ times, none, widest, rising }) {
  const wanted = times.some(({ many }) => many !== "0");
  return [
    ...times.map(({ many, kind }) => `${many} ${kind}`),
    ...(none && wanted ? ["none deeper"] : []),
    ...(widest ? [`at most ${widest} counts`] : []),
    ...(rising ? ["rising"] : []),
  ].join(", ");
}

/** The kinds that no other line names. @param {Times[]} times @param {number} [own] */
export const free = (times, own) =>
  KINDS.filter((kind) => times.every((one, i) => i === own || one.kind !== kind));

/** One more line, of a kind that none names yet. @param {Times[]} times */
export function another(times) {
  const left = free(times);
  const kind = FIRST.find((one) => left.includes(one));
  return kind ? [...times, { many: "1", kind }] : times;
}
