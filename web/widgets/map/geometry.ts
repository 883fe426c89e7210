/**
 * What a map shows, and its geometry: conversion between tiles and pixels, classes of tiles, lengths and
 * directions between tiles, placement of labels. Pure functions; y increases northwards on the map and
 * downwards on the screen.
 */

/** The tile at the centre, and pixels per tile. */
export type Camera = { x: number; y: number; scale: number };
export type Size = { width: number; height: number };
export type Tile = [number, number];
/** on the screen */
export type Point = { x: number; y: number };
/** a pixel of an image and its tile */
export type Anchor = { pixel: [number, number]; tile: [number, number] };
/** The classes in the engine's format, relative to the window's south-west corner (ox, oy). */
export interface Areas {
  ox: number;
  oy: number;
  /** x0 y0 x1 y1 of each rectangle, inclusive */
  rects: Int16Array;
  /** the class of each rectangle */
  owners: Int32Array;
  /** x y w h of each class: the rectangle for its number */
  boxes: Int16Array;
  /** the class's split */
  split: Int32Array;
  tiles: Int32Array;
  /** counts of each split */
  splits: Int16Array;
  /** of each split */
  bits: Float64Array;
  /** whether the split has the most bits */
  best: Uint8Array;
  columns: Int16Array;
  rows: Int16Array;
  /** the class of each cell, -1 = wall */
  labels: Int32Array;
  vertices: Int16Array;
  ring_ends: Int32Array;
  ring_owners: Int32Array;
}

/** x, y: top left corner; tiles per pixel horizontally and vertically */
export type Picture = {
  image: ImageBitmap | HTMLImageElement;
  x: number;
  y: number;
  tiles: number;
  tilesDown: number;
};

/** [x0, y0, x1, y1], inclusive. */
export type Box = [number, number, number, number];

export interface MapModel {
  /** description for screen readers */
  label: string;
  /** a new value shows the whole map (another region) */
  place: string;
  /** the box of the whole map */
  box: Box;
  /** the part of interest, shown by a button; null without it */
  near: Box | null;
  range: number;
  areas: Areas | null;
  /** whether the areas belong to an earlier position; they are faded */
  stale: boolean;
  /** `other`: on another floor; `open`: still possible; `out`: ruled out */
  spots: {
    x: number;
    y: number;
    name: string;
    other: boolean;
    open: boolean;
    out: boolean;
    chosen: boolean;
  }[];
  marks: { x: number; y: number; pulse: number; off: boolean; doubted: boolean }[];
  /** drawn areas */
  regions: { rect: Box; off: boolean }[];
  here: Tile | null;
  target: Tile | null;
  path: Tile[];
  /** parts of the path that are not walked, each with a label */
  hops: { from: Tile; to: Tile; name: string }[];
  /** named places, such as a teleport's destination */
  places: { x: number; y: number; name: string }[];
  /** places for orientation: small, with their names if there is room */
  landmarks: { x: number; y: number; name: string }[];
  /** no numbers on areas and spots, and no borders */
  plain: boolean;
  /** show the triple and double squares around the cursor or `here` */
  reach: boolean;
  /** dragging draws a box instead of moving the map */
  draws: boolean;
  /** a first touch shows an area, a second touch in it presses */
  inspects: boolean;
  /** drawn below the areas */
  pictures: Picture[];
  classAt(x: number, y: number): number;
  /** text about a tile */
  describe(x: number, y: number): string;
  words: {
    zoomIn: string;
    zoomOut: string;
    whole: string;
    near: string;
    north: string;
    reach: string;
    again: string;
  };
}

export interface MapEvents {
  onTile(tile: Tile): void;
  /** false: the tile below counts */
  onSpot(spot: number): boolean;
  onBox(rect: Box): void;
  onReach(): void;
  announce(text: string): void;
}

const SMALLEST = 0.25;
export const LARGEST = 40;

export function toScreen(camera: Camera, size: Size, x: number, y: number): [number, number] {
  return [size.width / 2 + (x - camera.x) * camera.scale, size.height / 2 - (y - camera.y) * camera.scale];
}

export function toMap(camera: Camera, size: Size, px: number, py: number): [number, number] {
  return [camera.x + (px - size.width / 2) / camera.scale, camera.y - (py - size.height / 2) / camera.scale];
}

export function tileAt(camera: Camera, size: Size, px: number, py: number): Tile {
  const [x, y] = toMap(camera, size, px, py);
  return [Math.floor(x), Math.floor(y)];
}

/** Steps of a run between two tiles on open ground: the larger of the two distances. */
export const stepsBetween = ([x0, y0]: number[], [x1, y1]: number[]) =>
  Math.max(Math.abs(x1 - x0), Math.abs(y1 - y0));

/** The compass point from one tile to another, 0 = north to 7 = north-west, clockwise; -1 for one tile. */
export function compassPoint([x0, y0]: number[], [x1, y1]: number[]) {
  if (x0 === x1 && y0 === y1) return -1;
  return (Math.round(Math.atan2(x1 - x0, y1 - y0) / (Math.PI / 4)) + 8) % 8;
}

/** The angle from one tile to another in degrees, clockwise from north. */
export const bearing = ([x0, y0]: number[], [x1, y1]: number[]) =>
  Math.round((Math.atan2(x1 - x0, y1 - y0) * 180) / Math.PI);

/** Zoom by a factor so that the point under the pointer stays. */
export function zoomed(camera: Camera, size: Size, factor: number, px: number, py: number): Camera {
  const scale = Math.min(LARGEST, Math.max(SMALLEST, camera.scale * factor));
  const [x, y] = toMap(camera, size, px, py);
  return { scale, x: x - (px - size.width / 2) / scale, y: y + (py - size.height / 2) / scale };
}

/** The view after a pinch: the tiles under both fingers stay there. */
export function pinched(camera: Camera, size: Size, before: [Point, Point], after: [Point, Point]): Camera {
  const distance = ([a, b]: [Point, Point]) => Math.hypot(a.x - b.x, a.y - b.y);
  const middle = ([a, b]: [Point, Point]) => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 });
  const [from, to] = [middle(before), middle(after)];
  const moved = {
    scale: camera.scale,
    x: camera.x - (to.x - from.x) / camera.scale,
    y: camera.y + (to.y - from.y) / camera.scale,
  };
  const factor = distance(before) > 0 && distance(after) > 0 ? distance(after) / distance(before) : 1;
  return zoomed(moved, size, factor, to.x, to.y);
}

/** The view that shows a box of tiles. @param box x0 y0 x1 y1 */
export function fitting([x0, y0, x1, y1]: [number, number, number, number], size: Size): Camera {
  const scale = Math.min(size.width / (x1 - x0 + 1), size.height / (y1 - y0 + 1)) * 0.98;
  return {
    x: (x0 + x1 + 1) / 2,
    y: (y0 + y1 + 1) / 2,
    scale: Math.min(LARGEST, Math.max(SMALLEST, scale || 1)),
  };
}

/** The last index of a sorted array whose value is at most v. */
function lastAtMost(sorted: Int16Array, v: number) {
  let low = 0;
  let high = sorted.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (sorted[middle] <= v) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The class of a tile, or -1. */
export function classAt(areas: Areas, x: number, y: number) {
  const u = x - areas.ox;
  const v = y - areas.oy;
  const width = areas.columns[areas.columns.length - 1];
  const height = areas.rows[areas.rows.length - 1];
  if (u < 0 || v < 0 || u >= width || v >= height) return -1;
  return areas.labels[lastAtMost(areas.rows, v) * (areas.columns.length - 1) + lastAtMost(areas.columns, u)];
}

/** Data of a class: counts, bits, tiles. */
export function factsOf(areas: Areas, number: number) {
  const split = areas.split[number];
  const per = areas.splits.length / areas.bits.length;
  return {
    counts: [...areas.splits.subarray(split * per, (split + 1) * per)],
    bits: areas.bits[split],
    best: areas.best[split] === 1,
    tiles: areas.tiles[number],
  };
}

/** Rectangle indices ordered by split, and the start of each split. */
export function bySplit(areas: Areas) {
  const starts = new Int32Array(areas.bits.length + 1);
  for (const owner of areas.owners) starts[areas.split[owner] + 1]++;
  for (let i = 1; i < starts.length; i++) starts[i] += starts[i - 1];
  const next = starts.slice();
  const order = new Int32Array(areas.owners.length);
  areas.owners.forEach((owner, i) => {
    order[next[areas.split[owner]]++] = i;
  });
  return { starts, order };
}

/** The rings of some classes: [first vertex, end] pairs. */
export function ringsOf(areas: Areas, chosen: (number: number) => boolean): [number, number][] {
  const found: [number, number][] = [];
  for (let i = 0; i < areas.ring_ends.length; i++)
    if (chosen(areas.ring_owners[i])) found.push([i ? areas.ring_ends[i - 1] : 0, areas.ring_ends[i]]);
  return found;
}

/** Whether a label of that size at a point covers no dot, with a margin of 9 pixels. */
export function isClear(px: number, py: number, wide: number, high: number, dots: [number, number][]) {
  return !dots.some(([u, v]) => Math.abs(u - px) < wide / 2 + 9 && Math.abs(v - py) < high / 2 + 9);
}

/**
 * Opacity of outlines: reduced if the areas' cells are narrower than ten pixels.
 * @param scale pixels a tile
 */
export function outlineStrength(areas: Areas, scale: number) {
  const cell = (axis: Int16Array) => (scale * axis[axis.length - 1]) / (axis.length - 1);
  return Math.min(1, Math.max(0.2, Math.min(cell(areas.columns), cell(areas.rows)) / 10));
}

/** Selects points for numbers, greedily: whether each is far enough from all selected before it. */
export function separateLabels(points: [number, number][], far: number): boolean[] {
  const selected: [number, number][] = [];
  return points.map((point) => {
    const free = selected.every(([u, v]) => Math.hypot(u - point[0], v - point[1]) >= far);
    if (free) selected.push(point);
    return free;
  });
}

/**
 * An image placed on the map by two anchors.
 * @param anchors two of the picture's points
 * @param shrunk pixels of the file per pixel of the image
 */
export function placed<T extends { width: number; height: number }>(
  [a, b]: Anchor[],
  image: T,
  shrunk: number,
) {
  const tiles = (b.tile[0] - a.tile[0]) / (b.pixel[0] - a.pixel[0]);
  const tilesDown = (a.tile[1] - b.tile[1]) / (b.pixel[1] - a.pixel[1]);
  return {
    image,
    tiles: tiles * shrunk,
    tilesDown: tilesDown * shrunk,
    x: a.tile[0] + 0.5 - a.pixel[0] * tiles,
    y: a.tile[1] + 0.5 + a.pixel[1] * tilesDown,
  };
}

/**
 * Places an image by known points: least-squares scale and translation, without rotation. North must be
 * up and tiles square; a rotated or stretched image shows in `off`.
 * @param known at least two, not all at one pixel
 * @returns tiles per pixel, two equivalent anchors, and the distance of each known tile from its pixel, in
 *   tiles; null without a positive scale
 */
export function fitAffine(
  known: Anchor[],
): { scale: number; anchors: [Anchor, Anchor]; off: number[] } | null {
  const mean = (list: number[]) => list.reduce((sum, v) => sum + v, 0) / list.length;
  const [px, py] = [mean(known.map((k) => k.pixel[0])), mean(known.map((k) => k.pixel[1]))];
  const [tx, ty] = [mean(known.map((k) => k.tile[0])), mean(known.map((k) => k.tile[1]))];
  let along = 0;
  let square = 0;
  for (const { pixel, tile } of known) {
    along += (pixel[0] - px) * (tile[0] - tx) - (pixel[1] - py) * (tile[1] - ty);
    square += (pixel[0] - px) ** 2 + (pixel[1] - py) ** 2;
  }
  const scale = along / square;
  if (!(scale > 0 && Number.isFinite(scale))) return null;
  const tileOf: (pixel: [number, number]) => Tile = (pixel) => [
    tx + (pixel[0] - px) * scale,
    ty - (pixel[1] - py) * scale,
  ];
  const off = known.map(({ pixel, tile }) => {
    const [x, y] = tileOf(pixel);
    return Math.hypot(x - tile[0], y - tile[1]);
  });
  const point = (pixel: [number, number]) => ({ pixel, tile: tileOf(pixel) });
  return { scale, anchors: [point([0, 0]), point([1000, 1000])], off };
}

/** Whether an image overlaps a part of the map. */
export function overlaps(
  {
    image,
    x,
    y,
    tiles,
    tilesDown,
  }: { image: { width: number; height: number }; x: number; y: number; tiles: number; tilesDown: number },
  [x0, y0, x1, y1]: [number, number, number, number],
) {
  return x <= x1 && x + image.width * tiles >= x0 && y >= y0 && y - image.height * tilesDown <= y1;
}
