/** Positions with known answers. */

import type { Position } from "../../types/rack.js";
import type { Example } from "../desk.js";

const worked = ["1", "1", "2", "2", "2", "3", "3", "4", "8", "10"];
const hidden = (n: number) => Array.from({ length: n }, () => ({}));
const known = (text: string) => text.split(" ").map((wire) => ({ wire }));

export const examples: Example<Position>[] = [
  {
    title: "Mid-game with yellow and red",
    fact: "Three cuts are certain to work",
    position: {
      desk: "rack",
      v: 1,
      wires: { blue: [1, 6], yellow: ["Y2", "Y4"], red: ["R3"] },
      stands: [
        {
          slots: [
            { wire: "1" },
            { state: "cut", wire: "2" },
            { wire: "Y2" },
            { wire: "3" },
            { wire: "4" },
            { wire: "5" },
            { wire: "6" },
          ],
        },
        { name: "Ann", slots: [{}, { state: "info", wire: "3" }, {}, { tokens: ["not:5"] }, {}, {}, {}] },
        {
          name: "Bob",
          slots: [{}, { state: "cut", wire: "2" }, {}, {}, { state: "info", value: "YELLOW" }, {}, {}],
        },
        {
          name: "Cleo",
          slots: [{}, {}, { tokens: ["x2"] }, {}, {}, {}],
          facts: [{ kind: "has", value: "5" }],
        },
      ],
    },
  },
  {
    title: "Which wire to show",
    fact: "Five players: indicate the 4 in slot H",
    position: {
      desk: "rack",
      v: 1,
      stands: [
        { slots: worked.map((wire) => ({ wire })) },
        { slots: hidden(10) },
        { slots: hidden(10) },
        { slots: hidden(9) },
        { slots: hidden(9) },
      ],
    },
  },
  {
    title: "A shown copy is no hint at more",
    fact: "Ann shows a 2; her next wire is a 2 with 30 %, not 43 %.",
    position: {
      desk: "rack",
      v: 1,
      wires: { blue: [1, 3] },
      stands: [
        { slots: known("1 2 2 3") },
        { name: "Ann", slots: [{}, { state: "info", wire: "2" }, {}, {}] },
        { name: "Bob", slots: hidden(4) },
      ],
    },
  },
  {
    title: "Five 7s",
    fact: "Cannot be: five tiles are named.",
    position: {
      desk: "rack",
      v: 1,
      stands: [
        { slots: [{}, {}, {}, {}, {}, { wire: "7" }, { wire: "7" }, {}, {}, {}, {}, {}] },
        {
          name: "Ann",
          slots: [
            {},
            {},
            {},
            {},
            {},
            { state: "cut", wire: "7" },
            { state: "cut", wire: "7" },
            {},
            {},
            {},
            {},
            {},
          ],
        },
        { name: "Bob", slots: [{}, {}, {}, {}, {}, { state: "info", wire: "7" }, {}, {}, {}, {}, {}, {}] },
        { name: "Cleo", slots: hidden(12) },
      ],
    },
  },
];
