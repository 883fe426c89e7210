/** The moves that a puzzle is wished to take: lines of so many of a kind, and the wish as a text. */

/** so many moves of a kind: "3", "0", "2+" */
export type Times = { many: string; kind: string };
/** `widest` 0: no limit */
export type Moves = { times: Times[]; none: boolean; widest: number; rising: boolean };

/** How many of a kind can be wished for: so many, none, at least so many. */
export const MANY = ["1", "2", "3", "4", "5", "6", "0", "1+", "2+", "3+"];
const KINDS = ["one", "subset", "cross", "chain", "bounds", "sum"];
const FIRST = ["sum", "chain", "cross", "subset", "bounds", "one"]; // as more of them are added
export const WIDEST = [0, 2, 3, 4, 5, 6, 8]; // counts that a move may rest on

/** The wish as the generator reads it. */
export function wishText({ times, none, widest, rising }: Moves) {
  const wanted = times.some(({ many }) => many !== "0");
  return [
    ...times.map(({ many, kind }) => `${many} ${kind}`),
    ...(none && wanted ? ["none deeper"] : []),
    ...(widest ? [`at most ${widest} counts`] : []),
    ...(rising ? ["rising"] : []),
  ].join(", ");
}

/** The kinds that no other line names. */
export const free = (times: Times[], own?: number) =>
  KINDS.filter((kind) => times.every((one, i) => i === own || one.kind !== kind));

/** One more line, of a kind that none names yet. */
export function another(times: Times[]) {
  const left = free(times);
  const kind = FIRST.find((one) => left.includes(one));
  return kind ? [...times, { many: "1", kind }] : times;
}
