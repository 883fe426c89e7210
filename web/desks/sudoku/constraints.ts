/** Constraints beyond rows, columns and boxes: their houses, the pairs of cells that differ, whether a board can have them. */

import { KINDS } from "../../types/constraint-kinds.js";
import type { Constraint } from "./model.js";

const KNIGHT = [[1, 2], [2, 1], [1, -2], [2, -1]]; // biome-ignore format: a table
const KING = [[1, 1], [1, -1]]; // biome-ignore format: a table
/** Kinds that hold for the whole board and need no cells; the dialog has a check box for each. */
export const GLOBAL: Constraint["kind"][] = [
  "diagonals",
  "windows",
  "disjoint",
  "antiknight",
  "antiking",
  "nonconsecutive",
];

/** Those that a board with these boxes can have. */
export const globalFor = (box: [number, number]) => GLOBAL.filter((kind) => possible({ kind }, box));

/** The region of every cell: the boxes, unless there are others. */
function regionsOf([rows, cols]: [number, number], constraints: Constraint[]): number[] {
  const size = rows * cols;
  const own = constraints.find((one) => one.kind === "regions")?.cells;
  return (
    own ??
    Array.from(
      { length: size * size },
      (_, i) => Math.floor(i / size / rows) * rows + Math.floor((i % size) / cols),
    )
  );
}

/** Partition the cells of a board by a key; cells with the key null are left out. */
function partition(size: number, keyOf: (cell: number) => unknown): number[][] {
  const classes: Map<unknown, number[]> = new Map();
  for (let i = 0; i < size * size; i++) classes.set(keyOf(i), [...(classes.get(keyOf(i)) ?? []), i]);
  classes.delete(null);
  return [...classes.values()];
}

/** Cells of the windows: boxes one row and one column off the frame, one apart. */
function windows([rows, cols]: [number, number]) {
  const size = rows * cols;
  return partition(size, (i) => {
    const [r, c] = [Math.floor(i / size) - 1, (i % size) - 1];
    const [down, right] = [Math.floor(r / (rows + 1)), Math.floor(c / (cols + 1))];
    const inside = r >= 0 && c >= 0 && r % (rows + 1) < rows && c % (cols + 1) < cols;
    const fits = (down + 1) * (rows + 1) <= size && (right + 1) * (cols + 1) <= size;
    return inside && fits ? down * size + right : null;
  });
}

/** Houses that a constraint adds. */
export function housesOf(one: Constraint, box: [number, number]): number[][] {
  const [rows, cols] = box;
  const size = rows * cols;
  const falling = Array.from({ length: size }, (_, i) => i * size + i);
  const rising = Array.from({ length: size }, (_, i) => i * size + size - 1 - i);
  switch (one.kind) {
    case "house":
    case "killer":
    case "renban":
    case "thermometer":
      return [one.cells ?? []];
    case "diagonals":
      return [falling, rising];
    case "diagonal":
      return [falling];
    case "antidiagonal":
      return [rising];
    case "windows":
      return windows(box);
    case "disjoint":
      return partition(size, (i) => (Math.floor(i / size) % rows) * cols + ((i % size) % cols));
    default:
      return [];
  }
}

const cache: Map<string, [number, number][]> = new Map();

/** All pairs of cells that must differ. */
export function pairsOf(box: [number, number], constraints: Constraint[]): [number, number][] {
  const key = JSON.stringify([box, constraints]);
  const cached = cache.get(key);
  if (cached) return cached;
  const size = box[0] * box[1];
  const region = regionsOf(box, constraints);
  const houses = [
    ...partition(size, (i) => Math.floor(i / size)),
    ...partition(size, (i) => i % size),
    ...partition(size, (i) => region[i]),
    ...constraints.flatMap((one) => housesOf(one, box)),
  ];
  const has = (kind: Constraint["kind"]) => constraints.some((one) => one.kind === kind);
  const moves = [...(has("antiknight") ? KNIGHT : []), ...(has("antiking") ? KING : [])];
  const pairs = [
    ...houses.flatMap((cells) => cells.flatMap((a, i) => cells.slice(i + 1).map((b) => [a, b]))),
    ...movePairs(moves, size),
  ] as [number, number][];
  if (cache.size > 20) cache.clear();
  cache.set(key, pairs);
  return pairs;
}

/** Pairs of cells that one of these moves connects. */
const movePairs = (moves: number[][], size: number) =>
  Array.from({ length: size * size }, (_, i) => i).flatMap((i) =>
    moves.flatMap(([down, right]) => {
      const [r, c] = [Math.floor(i / size) + down, (i % size) + right];
      return r < size && c >= 0 && c < size ? [[i, r * size + c]] : [];
    }),
  );

const WHOLE_LINES = ["sandwich", "xsum", "skyscraper"];

/** Whether a board with these boxes can have it: its cells lie on the board, neither too few nor too many. */
export function possible(one: Constraint, [rows, cols]: [number, number]) {
  const size = rows * cols;
  if (one.kind === "windows" && rows !== cols) return false;
  const cells = one.cells ?? [];
  if (one.kind === "regions") {
    const regions = new Set(cells);
    const count = (region: number) => cells.filter((own) => own === region).length;
    return (
      cells.length === size * size && regions.size === size && [...regions].every((r) => count(r) === size)
    );
  }
  const { fewest = 0, most = "board", repeats = false, needs } = KINDS[one.kind] ?? { repeats: true };
  if (one.kind !== "other" && !fewest && cells.length) return false;
  if (!repeats && new Set(cells).size < cells.length) return false;
  if (cells.some((i) => i < 0 || i >= size * size)) return false;
  const least = WHOLE_LINES.includes(one.kind) ? size : fewest;
  if (cells.length < least || cells.length > { pair: 2, size, board: size * size }[most]) return false;
  const crosses = (line: (i: number) => number) => new Set(cells.map(line)).size > 1;
  if (WHOLE_LINES.includes(one.kind) && crosses((i) => Math.floor(i / size)) && crosses((i) => i % size))
    return false;
  return hasNeeds(one, needs, size);
}

/** Whether the fields that its kind needs are there and can be. */
function hasNeeds(one: Constraint, needs: "sum" | "value" | "values" | "of" | undefined, size: number) {
  const needed = needs && one[needs];
  if (needs && (needed == null || needed === "" || (Array.isArray(needed) && !needed.length))) return false;
  const [cells, values, head] = [one.cells?.length ?? 0, one.values ?? [], one.head ?? 1];
  if (one.kind === "arrow" && !(head >= 1 && head < Math.min(cells, 5))) return false;
  if (one.kind === "clone" && cells % 2) return false;
  if (one.kind === "quadruple" && values.length > cells) return false;
  return values.every((symbol) => symbol >= 1 && symbol <= size);
}
