/** What may come at the end of a leg of a plan, after a scan or on a run, and what follows. */
import { words } from "./strings.js";

/** @typedef {[number, number]} Tile */
/**
 * @typedef {object} End what may come at the end of a leg of a plan
 * @property {string} key
 * @property {number} pulse
 * @property {string} said "double", "turns double at 3010, 3350"
 * @property {string} short the same for a key
 * @property {Tile | undefined} at where it comes
 * @property {import("./model.js").Node} next
 * @property {import("./model.js").Observation[] | null} rows what is known after a run; null after a scan
 */

/** @param {import("./model.js").Node} node @returns {End[]} */
export function endsOf({ answers, heard, tile, at, dig, else: otherwise }) {
  if (otherwise) {
    const said = words.dugInVain;
    return [{ key: "x", pulse: 3, said, short: said, at: dig, next: otherwise, rows: [] }];
  }
  if (heard)
    return heard.map((came, i) => ({
      key: `h${i}`,
      pulse: came.pulse,
      said: words.run.place(came, heard),
      short: words.run.came(came, heard),
      at: came.at,
      next: came.then,
      rows: came.rows,
    }));
  return Object.entries(answers ?? {}).map(([key, next]) => {
    const said = words.answer(key);
    return { key, pulse: Number(key[0]), said, short: said, at: at ?? tile, next, rows: null };
  });
}

/** The end that an answer names. @param {import("./model.js").Node} node @param {string} answer */
export const endAt = (node, answer) => endsOf(node).find((end) => end.key === answer);
