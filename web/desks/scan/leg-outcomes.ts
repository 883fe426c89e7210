/** What may come at the end of a leg of a plan, after a scan or on a run, and what follows. */

import type { Node, Observation } from "./model.js";
import { words } from "./strings.js";

export type Tile = [number, number];
/** what may come at the end of a leg of a plan */
export interface End {
  key: string;
  pulse: number;
  /** "double", "turns double at 3010, 3350" */
  said: string;
  /** the same for a key */
  short: string;
  /** where it comes */
  at: Tile | undefined;
  next: Node;
  /** what is known after a run; null after a scan */
  rows: Observation[] | null;
}

export function endsOf({ answers, heard, tile, at, dig, else: otherwise }: Node): End[] {
  if (otherwise) {
    const said = words.dugInVain;
    return [{ key: "x", pulse: 3, said, short: said, at: dig, next: otherwise, rows: [] }];
  }
  if (heard)
    return heard.map((came, i) => ({
      key: `h${i}`,
      pulse: came.pulse,
      said: words.run.place(came),
      short: words.run.came(came),
      at: came.at,
      next: came.then,
      rows: came.rows,
    }));
  return Object.entries(answers ?? {}).map(([key, next]) => {
    const said = words.answer(key);
    return { key, pulse: Number(key[0]), said, short: said, at: at ?? tile, next, rows: null };
  });
}

/** The end that an answer names. */
export const endAt = (node: Node, answer: string) => endsOf(node).find((end) => end.key === answer);
