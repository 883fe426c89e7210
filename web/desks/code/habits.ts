/** How the code maker chooses, as weights of kinds of codes: the position's `prior`. */

import type { Position, Rules } from "./model.js";

const HABITS = ["any", "varied", "pair", "different"] as const;
export type Habit = (typeof HABITS)[number];
type Prior = NonNullable<Position["prior"]>;
const MOST_CODES = 32768; // above that, codes are not weighed one by one

/** The kinds of codes as how often each of their colours stands in them, the most often first. */
function kinds(pegs: number, colours: number, most = pegs): number[][] {
  if (!pegs) return [[]];
  if (!colours) return [];
  return Array.from({ length: Math.min(pegs, most) }, (_, i) => i + 1).flatMap((n) =>
    kinds(pegs - n, colours - 1, n).map((rest) => [n, ...rest]),
  );
}

const WEIGHTS: Record<Exclude<Habit, "any">, (counts: number[]) => number> = {
  varied: (counts) => counts.length,
  pair: (counts) => Number(counts[0] < 3 && (counts[1] ?? 1) < 2),
  different: (counts) => Number(counts[0] < 2),
};

/** @returns the weights, null where every code weighs the same or the habit leaves none */
export function priorOf(habit: Habit, rules: Rules): Prior | null {
  if (habit === "any" || !rules.repeat || rules.colours ** rules.pegs > MOST_CODES) return null;
  const every = kinds(rules.pegs, rules.colours).map((counts) => {
    const least = counts.map((n, colour) => colour.toString(16).repeat(n)).join("");
    return [least, WEIGHTS[habit](counts)] as const;
  });
  return every.some(([, weight]) => weight)
    ? { kinds: Object.fromEntries(every.filter(([, w]) => w !== 1)) }
    : null;
}

/** The habits that these rules allow. */
export const habitsOf = (rules: Rules) => HABITS.filter((habit) => habit === "any" || priorOf(habit, rules));

/** The habit of a position, undefined for other weights. */
export function habitOf({ prior }: Position, rules: Rules): Habit | undefined {
  const text = JSON.stringify(Object.entries(prior?.kinds ?? {}).sort());
  if (Object.keys(prior?.codes ?? {}).length) return undefined;
  return habitsOf(rules).find(
    (habit) => JSON.stringify(Object.entries(priorOf(habit, rules)?.kinds ?? {}).sort()) === text,
  );
}
