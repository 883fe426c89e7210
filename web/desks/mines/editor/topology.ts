/** The topology of a board in the editor: cells removed, added and merged; lines; symmetries. */

import type { Group, Position } from "../model.js";
import { cellsOf, drawnOf, SQUARE } from "../model.js";

export type Point = [number, number];
/** a free place for a cell, in units of `pos` */
export type Place = { x: number; y: number; shape: number[][]; step: number };
export type Symmetry = "none" | "sides" | "heads" | "half" | "turns";

const NEAR = 0.12; // steps that two corners may be apart and still be one
const MERGE = 0.4; // steps that cells of one line may be off it
const CORNERS = 64; // of a polygon

/** The board as a graph: neighbours, places and groups instead of the short form of a rectangle. */
export function toGraph(position: Position): Position {
  if (!position.board) return position;
  const { board, ...rest } = position;
  const { neighbours, groups } = drawnOf(position);
  const pos = neighbours.map((_, c) => [c % board.width, Math.floor(c / board.width)] as Point);
  return { ...rest, neighbours, pos, unit: 1, groups };
}

/** A cell's corners relative to its place, in units. */
function shapeAt({ polygons, polygon_of: shapes, unit = 1 }: Position, cell: number): number[][] {
  return polygons?.length ? polygons[shapes?.[cell] ?? 0] : SQUARE.map(([x, y]) => [x * unit, y * unit]);
}

/** A position with the cells renumbered: `kept` are the old numbers in their new order. */
function renumber(position: Position, kept: number[]): Position {
  const now = new Map(kept.map((old, i) => [old, i]));
  const moved = (list: readonly number[]) =>
    [...list].flatMap((c) => {
      const at = now.get(c);
      return at === undefined ? [] : [at];
    });
  const { neighbours = [], groups = [], revealed = [], mines = [], secret = [] } = position;
  return {
    ...position,
    neighbours: kept.map((c) => moved(neighbours[c])),
    pos: kept.map((c) => (position.pos ?? [])[c]),
    ...(position.polygon_of ? { polygon_of: kept.map((c) => (position.polygon_of ?? [])[c]) } : {}),
    groups: groups.map((g) => ({ ...g, cells: moved(g.cells) })).filter((g) => g.cells.length),
    revealed: revealed.filter((r) => now.has(r.cell)).map((r) => ({ ...r, cell: now.get(r.cell) ?? 0 })),
    mines: moved(mines ?? []),
    secret: moved(secret),
    puz: levelTexts(position),
  };
}

/** The board without those cells; unchanged if none would be left. */
export function removeCells(position: Position, cells: number[]): Position {
  const gone = new Set(cells);
  const kept = Array.from({ length: cellsOf(position) }, (_, c) => c).filter((c) => !gone.has(c));
  return kept.length ? renumber(toGraph(position), kept) : position;
}

/** The board with cells added, adjacent to cells that share a corner, in the total and in their lines. */
export function addCells(position: Position, places: Place[]): Position {
  let made = toGraph(position);
  for (const { x, y, shape, step } of places) {
    const cell = cellsOf(made);
    const near = touching(made, x, y, shape, step);
    const polygons = [...(made.polygons ?? [shapeAt(made, 0)])];
    const known = polygons.findIndex((p) => sameShape(p, shape, step));
    if (known < 0) polygons.push(shape as Point[]);
    const shapes = made.polygon_of ?? Array.from({ length: cell }, () => 0);
    made = {
      ...made,
      neighbours: [
        ...(made.neighbours ?? []).map((list, c) => (near.includes(c) ? [...list, cell] : list)),
        near,
      ],
      pos: [...(made.pos ?? []), [x, y]],
      polygons: polygons as Position["polygons"],
      polygon_of: [...shapes, known < 0 ? polygons.length - 1 : known],
      groups: (made.groups ?? []).map((g) =>
        g.kind === "total" || onLine(made, g, x, y, step) ? { ...g, cells: [...g.cells, cell] } : g,
      ),
      puz: levelTexts(made),
    };
  }
  return made;
}

/** Whether a place lies on a group's line. */
function onLine(
  { pos, polygons }: Position,
  { kind = "", cells }: Group,
  x: number,
  y: number,
  step: number,
) {
  const way = WAYS[kind];
  if (!way || !cells.length) return false;
  const off = (p: readonly number[]) => (p[0] * way[1] - p[1] * way[0]) / step;
  const wide = polygons?.[0]?.length === 3 ? MERGE : NEAR;
  return cells.some((c) => Math.abs(off((pos ?? [])[c]) - off([x, y])) < wide);
}

const sameShape = (a: number[][], b: number[][], step: number) =>
  a.length === b.length && a.every((p) => b.some((q) => Math.hypot(p[0] - q[0], p[1] - q[1]) < NEAR * step));

/** The cells that share a corner with a shape at a place. */
function touching(position: Position, x: number, y: number, shape: number[][], step: number): number[] {
  return (position.pos ?? []).flatMap(([u, v], c) =>
    shapeAt(position, c).some(([a, b]) =>
      shape.some(([p, q]) => Math.hypot(u + a - x - p, v + b - y - q) < 2 * NEAR * step),
    )
      ? [c]
      : [],
  );
}

/**
 * The board with cells merged into one, at the place of the one nearest to their middle; null unless they are
 * connected without a hole.
 */
export function mergeCells(position: Position, cells: number[]): Position | null {
  const whole = toGraph(position);
  const { pos = [], neighbours = [], groups = [], mines = [], secret = [], revealed = [] } = whole;
  const places = pos ?? [];
  const mean = [0, 1].map((axis) => cells.reduce((sum, c) => sum + places[c][axis], 0) / cells.length);
  const far = (c: number) => Math.hypot(places[c][0] - mean[0], places[c][1] - mean[1]);
  const kept = [...cells].sort((a, b) => far(a) - far(b) || a - b)[0];
  const outline = mergedOutline(whole, cells, kept);
  if (!outline) return null;
  const inside = new Set(cells);
  const around = [...new Set(cells.flatMap((c) => neighbours[c]))].filter((c) => !inside.has(c));
  const as = (list: readonly number[]) => [...new Set(list.map((c) => (inside.has(c) ? kept : c)))];
  const polygons = [...(whole.polygons ?? [shapeAt(whole, 0)]), outline];
  const shapes = whole.polygon_of ?? places.map(() => 0);
  const merged = {
    ...whole,
    neighbours: neighbours.map((list, c) => (c === kept ? around : as(list))),
    polygons: polygons as Position["polygons"],
    polygon_of: shapes.map((s, c) => (c === kept ? polygons.length - 1 : s)),
    groups: groups.map((g) => ({ ...g, cells: as(g.cells) })),
    mines: as(mines ?? []),
    secret: as(secret),
    revealed: revealed.filter((r) => r.cell === kept || !inside.has(r.cell)),
  };
  return removeCells(
    merged,
    cells.filter((c) => c !== kept),
  );
}

/** The outline of merged cells, relative to the place of `kept`: their unshared sides as one closed path. */
function mergedOutline(position: Position, cells: number[], kept: number): number[][] | null {
  const places = position.pos ?? [];
  const step = stepSize(position);
  const name = (p: number[]) => p.map((n) => Math.round(n / (NEAR * step))).join();
  const sides: Map<string, { from: number[]; to: number[] }> = new Map();
  for (const c of cells) {
    const corners = clockwise(shapeAt(position, c)).map(([a, b]) => [places[c][0] + a, places[c][1] + b]);
    corners.forEach((from, i) => {
      const to = corners[(i + 1) % corners.length];
      if (!sides.delete(`${name(to)} ${name(from)}`)) sides.set(`${name(from)} ${name(to)}`, { from, to });
    });
  }
  const next = new Map([...sides.values()].map((side) => [name(side.from), side]));
  if (next.size < sides.size || !sides.size) return null;
  const [first] = sides.values();
  const path = [];
  for (let at = first; ; ) {
    path.push([at.from[0] - places[kept][0], at.from[1] - places[kept][1]]);
    const then = next.get(name(at.to));
    if (!then || path.length > sides.size) return null;
    if (then === first) break;
    at = then;
  }
  return path.length === sides.size && path.length <= CORNERS ? path : null;
}

function clockwise(shape: number[][]) {
  const area = shape.reduce((sum, [x, y], i) => {
    const [u, v] = shape[(i + 1) % shape.length];
    return sum + x * v - u * y;
  }, 0);
  return area < 0 ? [...shape].reverse() : shape;
}

/** A step between cells, in units. */
function stepSize({ pos, unit = 1 }: Position) {
  if (!pos || pos.length < 2) return unit;
  const near = pos.map((p, c) =>
    Math.min(
      ...pos.map((q, d) => (c === d ? Number.POSITIVE_INFINITY : Math.hypot(p[0] - q[0], p[1] - q[1]))),
    ),
  );
  return near.sort((a, b) => a - b)[Math.floor(near.length / 2)];
}

/** The free places around the board: mirror images of its regular cells in their sides. */
export function freePlaces(position: Position): Place[] {
  const whole = toGraph(position);
  const places = whole.pos ?? [];
  const step = stepSize(whole);
  const taken = new Set(places.map(([x, y]) => placeKey(x, y, step)));
  const found: Map<string, Place> = new Map();
  places.forEach(([x, y], c) => {
    const shape = shapeAt(whole, c);
    if (!isRegular(shape)) return;
    shape.forEach(([a, b], i) => {
      const [p, q] = shape[(i + 1) % shape.length];
      const long = step / Math.hypot(a + p, b + q);
      const snap = Math.abs(long - 1) < 0.15 ? long : 1; // tiles of a file that leave a gap
      const at = [x + snap * (a + p), y + snap * (b + q)];
      const turned = shape.length % 2 ? shape.map(([u, v]) => [-u, -v]) : shape;
      if (taken.has(placeKey(at[0], at[1], step)) || isCovered(whole, at)) return;
      found.set(placeKey(at[0], at[1], step), { x: at[0], y: at[1], shape: turned, step });
    });
  });
  return [...found.values()];
}

const placeKey = (x: number, y: number, step: number) =>
  `${Math.round((4 * x) / step)},${Math.round((4 * y) / step)}`;

/** Whether all corners are about equally far from the middle. */
function isRegular(shape: number[][]) {
  const far = shape.map(([x, y]) => Math.hypot(x, y));
  return shape.length <= 6 && Math.max(...far) < 1.2 * Math.min(...far);
}

/** Whether a point lies in a cell. */
function isCovered(position: Position, [x, y]: number[]) {
  return (position.pos ?? []).some(([u, v], c) => {
    const shape = shapeAt(position, c);
    let inside = false;
    shape.forEach(([a, b], i) => {
      const [p, q] = shape[(i + 1) % shape.length];
      if (v + b > y !== v + q > y && x < u + a + ((y - v - b) / (q - b)) * (p - a)) inside = !inside;
    });
    return inside;
  });
}

const TALL = Math.sqrt(3) / 2;
/** The direction of a line by its kind, x and y. */
const WAYS: Record<string, Point> = {
  row: [1, 0],
  column: [0, 1],
  "line-q": [0.5, TALL],
  "line-r": [1, 0],
  "line-s": [-0.5, TALL],
};

const lineCache: WeakMap<object, { kind: string; cells: number[] }[]> = new WeakMap();

/** The lines of the board's lattice, each as a group without a count. */
export function linesOf(position: Position): { kind: string; cells: number[] }[] {
  const shape = position.board ?? position.pos ?? position;
  const known = lineCache.get(shape);
  const found = known ?? findLines(position);
  if (!known) lineCache.set(shape, found);
  return found;
}

function findLines(position: Position): { kind: string; cells: number[] }[] {
  const whole = toGraph(position);
  const places = whole.pos ?? [];
  const step = stepSize(whole);
  const corners = places.length ? shapeAt(whole, 0).length : 4;
  const kinds = corners === 6 ? ["line-q", "line-r", "line-s"] : corners === 3 ? ["row"] : ["row", "column"];
  return kinds.flatMap((kind) => {
    const [a, b] = WAYS[kind];
    const off = places.map(([x, y], c) => ({ c, at: (y * a - x * b) / step })).sort((p, q) => p.at - q.at);
    const lines: number[][] = [];
    off.forEach(({ c, at }, i) => {
      if (i && at - off[i - 1].at < MERGE) lines[lines.length - 1].push(c);
      else lines.push([c]);
    });
    return lines.filter((l) => l.length > 1).map((cells) => ({ kind, cells: cells.sort((p, q) => p - q) }));
  });
}

/**
 * The points and their images under a symmetry of the board, as indices of `all`. The centre is that of the
 * bounding box or the mean, whichever maps more points onto points.
 * @param corners of a cell
 */
export function symmetricCells(
  chosen: number[],
  all: { x: number; y: number }[],
  symmetry: Symmetry,
  corners: number,
): number[] {
  if (symmetry === "none") return chosen;
  const fold = symmetry === "half" ? 2 : corners === 6 ? 6 : corners === 3 ? 3 : 4;
  const axes = [all.map((p) => p.x), all.map((p) => p.y)];
  const centres = [
    axes.map((list) => (Math.min(...list) + Math.max(...list)) / 2),
    axes.map((list) => list.reduce((sum, n) => sum + n, 0) / all.length),
  ];
  const images = (i: number, [u, v]: number[]) =>
    transformed([all[i].x - u, all[i].y - v], symmetry, fold).flatMap(([p, q]) => {
      const at = all.findIndex((c) => Math.hypot(c.x - u - p, c.y - v - q) < 8);
      return at < 0 ? [] : [at];
    });
  const [best] = centres
    .map((centre) => ({ centre, hits: all.flatMap((_, i) => images(i, centre)).length }))
    .sort((a, b) => b.hits - a.hits);
  return [...new Set([...chosen, ...chosen.flatMap((i) => images(i, best.centre))])];
}

/** The images of a point under the symmetries about the origin: reflections, or rotations by 1/fold of a turn. */
function transformed([x, y]: Point, symmetry: Symmetry, fold: number): Point[] {
  if (symmetry === "sides") return [[-x, y]];
  if (symmetry === "heads") return [[x, -y]];
  return Array.from({ length: fold - 1 }, (_, k) => {
    const angle = (2 * Math.PI * (k + 1)) / fold;
    return [x * Math.cos(angle) - y * Math.sin(angle), x * Math.sin(angle) + y * Math.cos(angle)];
  });
}

/** The contents of a .puz file that stay valid after the cells change. */
export function levelTexts({ puz }: Position): Position["puz"] {
  if (!puz?.id && !puz?.meta) return null;
  return { id: puz.id ?? "", meta: puz.meta ?? null };
}
