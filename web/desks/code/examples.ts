/** Example positions with known answers. */

import type { Example } from "../desk.js";
import type { Position } from "./model.js";
import { GAMES, newGame } from "./model.js";

const at = (game: string, rows: [string, number, number][]) =>
  newGame(GAMES[game], [], { clues: rows.map(([guess, exact, partial]) => ({ guess, exact, partial })) });

export const examples: Example<Position>[] = [
  {
    title: "Mastermind, first guess",
    fact: "4.34 guesses on average, at most 6",
    position: at("p4c6r", []),
  },
  {
    title: "Mastermind after 0011 1A1B",
    fact: "208 codes left, 3.45 more guesses",
    position: at("p4c6r", [["0011", 1, 1]]),
  },
  {
    title: "Where two filters are not the join",
    fact: "After 0011 0A0B chaining keeps 18 guesses; 17 are not equivalent.",
    position: at("p4c6r", [["0011", 0, 0]]),
  },
  {
    title: "Bulls & Cows, the large rest",
    fact: "At most 1 440 codes remain after a first guess.",
    position: at("p4c10n", [["0123", 0, 2]]),
  },
  {
    title: "A contradiction",
    fact: "Rows 1 and 2 cannot both be right.",
    position: at("p4c6r", [
      ["0011", 0, 0],
      ["0101", 2, 1],
    ]),
  },
];
