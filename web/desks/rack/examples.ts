/** Positions with known answers. */

import type { Position } from "../../types/rack.js";
import type { Example } from "../desk.js";
import type { Fact } from "./model.js";
import { slotFromText } from "./model.js";

/** A stand in the players' shorthand. */
const stand = (text: string, name = "", facts: Fact[] = []) => ({
  name,
  slots: text.split(" ").flatMap((slot) => slotFromText(slot) ?? []),
  facts,
});
const hidden = (slots: number, name?: string) => stand(Array(slots).fill("?").join(" "), name);

export const examples: Example<Position>[] = [
  {
    title: "Mid-game with yellow and red",
    fact: "Three cuts are certain to work",
    position: {
      wires: { blue: [1, 6], yellow: ["Y2", "Y4"], red: ["R3"] },
      stands: [
        stand("?1 2 ?Y2 ?3 ?4 ?5 ?6"),
        stand("? i3 ? !5 ? ? ?", "Ann"),
        stand("? 2 ? ? iY ? ?", "Bob"),
        stand("? ? 2x ? ? ?", "Cleo", [{ kind: "has", value: "5" }]),
      ],
    },
  },
  {
    title: "Which wire to show",
    fact: "Five players: indicate the 4 in slot H",
    position: {
      stands: [stand("?1 ?1 ?2 ?2 ?2 ?3 ?3 ?4 ?8 ?10"), hidden(10), hidden(10), hidden(9), hidden(9)],
    },
  },
  {
    title: "A shown copy is no hint at more",
    fact: "Ann shows a 2; her next wire is a 2 with 30 %, not 43 %.",
    position: {
      wires: { blue: [1, 3] },
      stands: [stand("?1 ?2 ?2 ?3"), stand("? i2 ? ?", "Ann"), hidden(4, "Bob")],
    },
  },
  {
    title: "Five 7s",
    fact: "Cannot be: five tiles are named.",
    position: {
      stands: [
        stand("? ? ? ? ? ?7 ?7 ? ? ? ? ?"),
        stand("? ? ? ? ? 7 7 ? ? ? ? ?", "Ann"),
        stand("? ? ? ? ? i7 ? ? ? ? ? ?", "Bob"),
        hidden(12, "Cleo"),
      ],
    },
  },
];
