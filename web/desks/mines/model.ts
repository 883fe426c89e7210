/** The view state, and the drawing of a board (cached by its graph): neighbours, places, outlines, labels. */

import type { Group, Hint, Position, Rectangle, Verbs, Wished } from "../../types/mines.js";
import { letters, placesOn } from "./cell-names.js";
import type { Symmetry } from "./editor/topology.js";
import type { Kind } from "./player-marks.js";
import { notesOf } from "./player-marks.js";

export type { Group, Hint, Position };
export interface View {
  /** the action of a press; "open" by default */
  mode?: "open" | "flag" | "mark";
  /** the kind of mark that a press sets; "dot" by default */
  kind?: Kind;
  /** the degree of the hint, 1 to 4; 0: no hint */
  degree?: number;
  /** the best guess is requested */
  guess?: boolean;
  /** the number of presses when the review was requested */
  lookback?: number | null;
  /** the cell whose proof is shown */
  why?: number | null;
  /** the step of the proof whose cells are highlighted */
  step?: number | null;
  /** the chances of all cells are shown */
  chances?: boolean;
  /** a check of the flags is requested */
  check?: boolean;
  /** the name of the wrong flag is requested */
  which?: boolean;
  /** the number of opened mines */
  slips?: number;
  /** the rating is open */
  rate?: boolean;
  /** the rounds of inexact inequalities that the rating allows; 1 by default */
  rounds?: number;
  /** the moves of the solution path are requested */
  path?: boolean;
  /** the move of the replay; null if it is closed */
  at?: number | null;
  /** the score on the scale of 2018 is requested */
  published?: boolean;
  /** the cell whose number is being entered */
  pad?: number | null;
  /** the drawn group whose count is being entered */
  line?: number | null;
  /** counts are shown less their flags */
  countdown?: boolean;
  /** pixels per unit of the drawing; 0: the whole board fits its frame */
  zoom?: number;
  /** the pressed number, and the cells that a second press opens, or flags if they are all mines (`mine`) */
  chord?: { cell: number; cells: number[]; number: number; flags: number; mine: boolean } | null;
  /** a made puzzle's score if it misses the requested difficulty, or the result of the requested moves */
  made?: { wanted?: string | null; smooth: number | null; wished?: Wished | null } | null;
  /** the focused cell */
  focus?: number | null;
  /** the brush of the level editor; "mine" by default */
  brush?: Brush;
  /** the colour of the brush, with "dark " in front for the dark shade; "blue" by default */
  hue?: string;
  /** the symmetry of strokes; "none" by default */
  symmetry?: Symmetry;
  /** cells selected one by one for a brush that acts on several */
  selection?: number[];
  /** the copied cells; null: none */
  stamp?: ReturnType<typeof import("./editor/edits.js").copyCells> | null;
  /** a cell of the unsolved region whose repairs are listed */
  region?: number | null;
}
export type Brush = "mine" | "secret" | "start" | "colour" | "line" | "cell" | "join" | "copy" | "ask";
export type Asked = {
  author: "author";
  freeing: "author";
  hint: "hint";
  guess: "guess";
  review: "review";
  check: "check";
  solve: "solve";
  explain: "explain";
  doubt: "doubt";
  rate: "rate";
  published: "rate";
  path: "rate";
};
export type Desk = { position: Position; view: View; verbs: Verbs; asked: Asked };
export type Context = import("../desk.js").Context<Desk>;
export type Requests = import("../desk.js").Requests<Desk>;
export type Drawn = {
  cells: number;
  neighbours: number[][];
  groups: Group[];
  x: number[];
  y: number[];
  points: string[];
  size: number;
  view: [number, number, number, number];
  labels: { x: number; y: number; group: number; inside?: boolean }[];
  fences: string;
  names: Name[];
};
/** the letter or number of a column, a row or, inside it, a cell */
export type Name = { x: number; y: number; text: string; inside?: boolean };

/** the position of queries that need none */
export const EMPTY: Position = { desk: "mines", v: 1 };
export const STEP = 44; // one step between cells, in the drawing's units
/** the corners of a square of side 1 around its middle */
export const SQUARE = [
  [-0.5, -0.5],
  [0.5, -0.5],
  [0.5, 0.5],
  [-0.5, 0.5],
];

const drawings: WeakMap<object, { groups: unknown; drawn: Drawn }> = new WeakMap();

export function drawnOf(position: Position): Drawn {
  const key = position.board ?? position.neighbours ?? position;
  const found = drawings.get(key);
  if (found && found.groups === position.groups) return found.drawn;
  const drawn = buildDrawing(position);
  drawings.set(key, { groups: position.groups, drawn });
  return drawn;
}

export function cellsOf(position: Position) {
  return position.board ? position.board.width * position.board.height : (position.neighbours ?? []).length;
}

function buildDrawing(position: Position): Drawn {
  const cells = cellsOf(position);
  const neighbours = position.board ? gridNeighbours(position.board) : (position.neighbours ?? []);
  const groups = [...edgeGroups(position.board), ...(position.groups ?? [])];
  const places = placesOf(position, cells);
  const scale = scaleOf(position);
  const x = places.map((p) => p[0] * scale);
  const y = places.map((p) => p[1] * scale);
  const shapes = places.map((_, i) => shapeOf(position, i, scale));
  const points = shapes.map((shape, i) =>
    shape.map(([a, b]) => `${round(x[i] + a)},${round(y[i] + b)}`).join(" "),
  );
  const size = Math.min(...shapes.slice(0, 8).map(innerSize), STEP);
  const outside = lineLabels(groups, x, y, position, scale);
  const names = namesOf(position, x, y, shapes, outside);
  const all = [
    ...(cells ? [] : [[0, 0]]),
    ...shapes.flatMap((shape, i) => shape.map(([a, b]) => [x[i] + a, y[i] + b])),
    ...outside.flatMap((l) => [
      [l.x - size / 2, l.y - size / 2],
      [l.x + size / 2, l.y + size / 2],
    ]),
    ...names.flatMap((n) => [
      [n.x - STEP * 0.3, n.y - STEP * 0.3],
      [n.x + STEP * 0.3, n.y + STEP * 0.3],
    ]),
  ];
  const low = [Math.min(...all.map((p) => p[0])) - 4, Math.min(...all.map((p) => p[1])) - 4];
  const high = [Math.max(...all.map((p) => p[0])) + 4, Math.max(...all.map((p) => p[1])) + 4];
  return {
    cells,
    neighbours,
    groups,
    x,
    y,
    points,
    size,
    labels: [...outside, ...cornerLabels(groups, x, y, shapes)],
    fences: groupBorders(groups, x, y, shapes),
    names,
    view: [round(low[0]), round(low[1]), round(high[0] - low[0]), round(high[1] - low[1])],
  };
}

/** The scale from the position's units to the drawing's; by the median distance of cells if that differs much. */
export function scaleOf({ board, pos, unit = 1, neighbours = [] }: Position) {
  if (board || !pos) return STEP;
  const away = neighbours
    .map((near: number[], c: number) =>
      Math.min(...near.map((n) => Math.hypot(pos[n][0] - pos[c][0], pos[n][1] - pos[c][1]))),
    )
    .filter((d: number) => d > 0 && Number.isFinite(d))
    .sort((a: number, b: number) => a - b);
  const usual = away[Math.floor(away.length / 2)] ?? unit;
  return STEP / (usual < 0.4 * unit || usual > 2.5 * unit ? usual : unit);
}

/** Letters under the columns and numbers right of the rows; off a grid a number in every cell. */
function namesOf(
  position: Position,
  x: number[],
  y: number[],
  shapes: number[][][],
  labels: { x: number; y: number }[],
): Name[] {
  const grid = placesOn(position);
  if (!grid)
    return shapes.map((shape, c) => {
      const [u, v] = nameOffset(shape);
      return { x: round(x[c] + u), y: round(y[c] + v), text: String(c), inside: true };
    });
  const [right, low] = [x, y].map((values, axis) =>
    Math.max(...values, ...labels.map((l) => (axis ? l.y : l.x))),
  );
  const columns = new Map(grid.map(([column], c) => [column, x[c]]));
  const rows = new Map(grid.map(([, row], c) => [row, y[c]]));
  return [
    ...[...columns].map(([n, at]) => ({ x: round(at), y: round(low + STEP * 0.82), text: letters(n) })),
    ...[...rows].map(([n, at]) => ({ x: round(right + STEP * 0.82), y: round(at), text: String(n + 1) })),
  ];
}

/**
 * The offset of a cell's name from its middle: above it; in a square in the upper left corner; in a triangle
 * at the base, left or right so that two which share that side do not collide.
 */
function nameOffset(shape: number[][]) {
  const [top, low] = [Math.min, Math.max].map((f) => f(...shape.map((p) => p[1])));
  if (shape.length === 4) return [Math.min(...shape.map((p) => p[0])) * 0.66, top * 0.68];
  if (shape.length !== 3) return [0, top * 0.7];
  const wide = low < -top ? low : top;
  return [-0.84 * wide, 0.64 * wide];
}

export const ascending = (numbers: Iterable<number>) => [...numbers].sort((a, b) => a - b);

const round = (value: number) => Math.round(value * 100) / 100;

function innerSize(shape: number[][]) {
  const far = shape.map(([a, b]) => Math.hypot(a, b));
  return Math.min(...far) * (shape.length === 3 ? 1.1 : shape.length > 4 ? 1.55 : 1.4);
}

function gridNeighbours({ kind, width: w, height: h }: Rectangle): number[][] {
  const around = (cell: number) => {
    const found = new Set() as Set<number>;
    for (const dy of [-1, 0, 1])
      for (const dx of [-1, 0, 1]) {
        const u = (cell % w) + dx;
        const v = Math.floor(cell / w) + dy;
        if (kind === "torus") found.add(((v + h) % h) * w + ((u + w) % w));
        else if (u >= 0 && v >= 0 && u < w && v < h) found.add(v * w + u);
      }
    found.delete(cell);
    return ascending(found);
  };
  return Array.from({ length: w * h }, (_, cell) => around(cell));
}

function edgeGroups(board: Rectangle | null | undefined): Group[] {
  if (!board) return [];
  const { width: w, height: h } = board;
  const line = (n: number, cell: (i: number) => number) => Array.from({ length: n }, (_, i) => cell(i));
  const rows = (board.rows ?? []).map((count: number | null, y: number) => ({
    kind: "row",
    count,
    cells: line(w, (x) => y * w + x),
  }));
  const columns = (board.columns ?? []).map((count: number | null, x: number) => ({
    kind: "column",
    count,
    cells: line(h, (y) => y * w + x),
  }));
  const total =
    board.total == null ? [] : [{ kind: "total", count: board.total, cells: line(w * h, (i) => i) }];
  return [...rows, ...columns, ...total].flatMap(({ count, ...rest }) =>
    count === null ? [] : [{ ...rest, count }],
  );
}

function placesOf(position: Position, cells: number): number[][] {
  if (position.board) {
    const { width } = position.board;
    return Array.from({ length: cells }, (_, i) => [i % width, Math.floor(i / width)]);
  }
  if (position.pos) return position.pos;
  const across = Math.ceil(Math.sqrt(cells));
  return Array.from({ length: cells }, (_, i) => [(i % across) * 1.15, Math.floor(i / across) * 1.15]);
}

function shapeOf(position: Position, cell: number, scale: number): number[][] {
  const shapes = position.board ? null : position.polygons;
  if (!shapes?.length) return SQUARE.map(([a, b]) => [a * STEP, b * STEP]);
  const shape = shapes[position.polygon_of?.[cell] ?? 0];
  return shape.map((p: number[]) => [p[0] * scale, p[1] * scale]);
}

/** The places of counts: one step before the first cell of a line, or that of the file; no two in one place. */
function lineLabels(groups: Group[], x: number[], y: number[], position: Position, scale: number) {
  const taken = x.map((_, i) => [x[i], y[i]]);
  const clear = (at: number[]) =>
    taken.every((other) => Math.hypot(other[0] - at[0], other[1] - at[1]) > STEP * 0.62);
  const labels: { x: number; y: number; group: number }[] = [];
  groups.forEach((group, index) => {
    if (group.kind === "total" || group.colour || !group.cells.length) return;
    const free = labelCandidates(group, x, y, position, scale).find(clear);
    if (!free) return;
    taken.push(free);
    labels.push({ x: round(free[0]), y: round(free[1]), group: index });
  });
  return labels;
}

/** The places of coloured groups' counts: a corner of the first cell, so that no colour is needed to match them. */
function cornerLabels(groups: Group[], x: number[], y: number[], shapes: number[][][]) {
  const taken: Set<number> = new Set();
  return groups.flatMap((group, index) => {
    if (!group.colour || !group.cells.length) return [];
    const ordered = [...group.cells].sort((a, b) => y[a] - y[b] || x[a] - x[b]);
    const cell = ordered.find((c) => !taken.has(c)) ?? ordered[0];
    taken.add(cell);
    const [a, b] = [...shapes[cell]].sort((p, q) => p[0] + p[1] - q[0] - q[1])[0];
    return [{ x: round(x[cell] + 0.62 * a), y: round(y[cell] + 0.62 * b), group: index, inside: true }];
  });
}

/**
 * The borders of coloured groups as one path: the sides of their cells without a cell of the same group
 * behind. The middle of the cell behind a side mirrors the own one.
 */
function groupBorders(groups: Group[], x: number[], y: number[], shapes: number[][][]) {
  const path = new Set();
  for (const { cells } of groups.filter((g) => g.colour))
    for (const cell of cells)
      shapes[cell].forEach(([a, b], i) => {
        const [c, d] = shapes[cell][(i + 1) % shapes[cell].length];
        const [u, v] = [x[cell] + a + c, y[cell] + b + d];
        if (cells.some((other) => Math.hypot(x[other] - u, y[other] - v) < STEP * 0.4)) return;
        path.add(`M${round(x[cell] + a)} ${round(y[cell] + b)}L${round(x[cell] + c)} ${round(y[cell] + d)}`);
      });
  return [...path].join("");
}

/**
 * Places for a line's count, best first. Lines are labelled at their start: rows left, columns above, and the
 * three directions of hexagons a third of a turn apart, so that no two start in one place.
 */
function labelCandidates(
  group: Group,
  x: number[],
  y: number[],
  position: Position,
  scale: number,
): number[][] {
  if (group.label && !position.board) return [[group.label[0] * scale, group.label[1] * scale]];
  const down = group.kind === "column";
  const [major, minor] = down ? [y, x] : [x, y];
  const ordered = [...group.cells].sort((a, b) => major[a] - major[b] || minor[a] - minor[b]);
  let [first, last] = [ordered[0], ordered.at(-1) ?? ordered[0]];
  let way = [x[last] - x[first], y[last] - y[first]];
  if (first === last) {
    const middle = [mean(x), mean(y)];
    const inward = [middle[0] - x[first], middle[1] - y[first]];
    way = down ? [0, 1] : group.kind === "row" ? [1, 0] : inward;
  } else if (Math.cos(3 * Math.atan2(way[1], way[0])) < -0.01) {
    [first, last] = [last, first];
    way = [-way[0], -way[1]];
  }
  const long = Math.hypot(way[0], way[1]) || 1;
  const step = [(way[0] / long) * STEP, (way[1] / long) * STEP];
  const steps = [1, 1.25, 1.6, 2];
  return [
    ...steps.map((s) => [x[first] - s * step[0], y[first] - s * step[1]]),
    ...steps.map((s) => [x[last] + s * step[0], y[last] + s * step[1]]),
  ];
}

const mean = (values: number[]) => values.reduce((a, b) => a + b, 0) / Math.max(1, values.length);

/** The number of mines in all, null where it is not shown. */
export const totalOf = (position: Position) =>
  drawnOf(position).groups.find((g) => g.kind === "total")?.count ?? null;

/** The cells open at the start of the game. */
export const startOf = ({ start, revealed }: Position) => start ?? (revealed ?? []).map((r) => r.cell);

/** The open numbers, flags and marks by cell. */
export function knownOf(position: Position) {
  const numbers = new Map((position.revealed ?? []).map((r) => [r.cell, r.number]));
  return { numbers, flags: new Set(position.flags ?? []), marks: notesOf(position) };
}

/** The position for queries: without marks, title and shapes, with the places that name its cells. */
export function queryPosition(position: Position) {
  const {
    title: _t,
    polygons: _y,
    polygon_of: _o,
    marks: _m,
    notes: _n,
    sealed: _s,
    start: _a,
    presses: _p,
    puz: _z,
    rating: _r,
    ...rest
  } = position;
  return rest;
}

/** Whether some clue is more than a count: an arrangement, or a count on a mine. */
export const isArranged = ({ forms, spots, groups }: Position) =>
  Boolean(spots?.length || Object.keys(forms ?? {}).length || groups?.some((g) => g.form));

/** The puzzle at its start. */
export function startPosition(position: Position) {
  const { start, flags: _f, marks: _m, notes: _n, presses: _p, ...rest } = position;
  if (!start) return rest;
  return {
    ...rest,
    revealed: (position.revealed ?? []).filter((r) => start.includes(r.cell)),
  };
}

/** A group's colour as classes: its hue, and whether it is the dark shade. */
export const tintOf = ({ colour, dark }: Group) =>
  colour ? `tint-${colour.toLowerCase()}${dark ? " dark" : ""}` : "";

/** A class per coloured cell. */
export function tintsOf(groups: Group[]): string[] {
  const tints: string[] = [];
  for (const group of groups) if (group.colour) for (const cell of group.cells) tints[cell] = tintOf(group);
  return tints;
}
