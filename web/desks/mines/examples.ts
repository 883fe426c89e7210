/** The bundled puzzles as examples, and one position that contradicts itself. */

import type { Position } from "../../types/mines.js";
import type { Example } from "../desk.js";
import { puzzles } from "./puzzles.js";
import { words } from "./strings.js";

export const examples: Example<Position>[] = [
  ...puzzles
    .filter((_, i) => i % 3 === 0)
    .map(({ title, level, kind, cells, position }) => ({
      title: `${title} (${words.levels[level].toLowerCase()})`,
      fact: `${words.kinds[kind]}, ${cells} cells, no guess needed`,
      position,
    })),
  {
    title: "Parity",
    fact: "Two pairs with one mine each and a count of 2: only adding them up decides it.",
    position: {
      desk: "mines",
      v: 1,
      neighbours: [[], [], [], []],
      pos: [
        [0, 0],
        [1, 0],
        [1, 1],
        [0, 1],
      ],
      groups: [
        { kind: "column", cells: [0, 1], count: 1 },
        { kind: "column", cells: [1, 2], count: 1 },
        { kind: "set", cells: [0, 2, 3], count: 2 },
      ],
    },
  },
  {
    title: "A contradiction",
    fact: "The 3 and the total of 2 cannot both be right.",
    position: {
      desk: "mines",
      v: 1,
      board: { kind: "square", width: 4, height: 4, total: 2 },
      revealed: [{ cell: 5, number: 3 }],
    },
  },
];
