/** Positions whose answers are known. */

import type { Position } from "../../types/scan.js";
import type { Example } from "../desk.js";

export const examples: Example<Position>[] = [
  {
    title: "Falador",
    fact: "18 spots, about 20 seconds to the dig",
    position: { desk: "scan", v: 1, region: 364, here: [2990, 3390] },
  },
  {
    title: "The desert, east of the Elid",
    fact: "51 spots, about 27 seconds to the dig",
    position: { desk: "scan", v: 1, region: 349 },
  },
  {
    title: "Two pulses that cannot both be true",
    fact: "The log names them and what would make sense",
    position: {
      desk: "scan",
      v: 1,
      region: 364,
      observations: [
        { at: [2960, 3340, 0], pulse: 3 },
        { at: [3040, 3400, 0], pulse: 3 },
      ],
    },
  },
  {
    title: "Brimhaven Dungeon on two levels",
    fact: "With the level sign the best area gives 2.20 bits instead of 1.54",
    position: { desk: "scan", v: 1, region: 356, levels: "use" },
  },
];
