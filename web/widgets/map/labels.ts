/**
 * Places and draws labels of the map: numbers of areas, names of places and landmarks, and labels of path
 * parts that are not walked, such as a leap. Numbers are drawn in the boxes of their areas, which do not
 * overlap; a best area without room gets a callout next to it, greedily placed.
 */

import type { Areas, Camera, MapModel, Size } from "./geometry.js";
import { isClear, toScreen } from "./geometry.js";
import type { Canvas, Point, Sheet } from "./sheet.js";
import { centred, FONT, fill, line, roundBox, stroke, tileAt } from "./sheet.js";

/** `at`: a point in the area on the screen; `place`: next to the area if it has no room. */
type Label = { area: number; at: [number, number]; place: [number, number] | null };

const TAG = 16; // pixels high

type Room = { wide: number; high: number };

const MAX_CALLOUTS = 12;

/** All labels of a view, those next to their areas last. @param dots on the screen, not to be covered */
export function labelsOf(
  areas: Areas,
  camera: Camera,
  size: Size,
  room: Room,
  dots: [number, number][],
): Label[] {
  const labels: Label[] = [];
  const taken = [...dots];
  const without = [];
  for (let area = 0; area < areas.split.length; area++) {
    const best = areas.best[areas.split[area]] === 1;
    const at = roomFor(areas, area, camera, size, room);
    if (at && isClear(at[0], at[1], room.wide, room.high, dots)) {
      labels.push({ area, at, place: null });
      if (best) taken.push(at);
    } else if (best && without.length < MAX_CALLOUTS) without.push(area);
  }
  for (const area of without) {
    const at = middleOf(areas, area, camera, size);
    const inView = at[0] > 0 && at[1] > 0 && at[0] < size.width && at[1] < size.height;
    const place = inView ? calloutFor(at, room, taken, size) : null;
    if (!place) continue;
    taken.push([place[0] - room.wide / 2, place[1]], [place[0] + room.wide / 2, place[1]]);
    labels.push({ area, at, place });
  }
  return labels;
}

/** The part of an area's box that is in view, on the screen: left, top, right, bottom. */
function boxInView(areas: Areas, c: number, camera: Camera, size: Size) {
  const [x, y, wide, high] = areas.boxes.subarray(4 * c, 4 * c + 4);
  const [left, top] = toScreen(camera, size, areas.ox + x, areas.oy + y + high);
  return [
    Math.max(0, left),
    Math.max(0, top),
    Math.min(size.width, left + wide * camera.scale),
    Math.min(size.height, top + high * camera.scale),
  ];
}

/** Position of an area's number: the centre of the visible part of its box, or null if it is too small. */
function roomFor(
  areas: Areas,
  c: number,
  camera: Camera,
  size: Size,
  label: { wide: number; high: number },
): [number, number] | null {
  const [left, top, right, bottom] = boxInView(areas, c, camera, size);
  if (right - left < label.wide || bottom - top < label.high) return null;
  return [(left + right) / 2, (top + bottom) / 2];
}

/** The middle of an area's box on the screen, in view or not. */
function middleOf(areas: Areas, c: number, camera: Camera, size: Size): [number, number] {
  const [x, y, wide, high] = areas.boxes.subarray(4 * c, 4 * c + 4);
  return toScreen(camera, size, areas.ox + x + wide / 2, areas.oy + y + high / 2);
}

const AROUND = [...Array(8).keys()].map((i) => [
  Math.cos((i * Math.PI) / 4 - 1),
  Math.sin((i * Math.PI) / 4 - 1),
]);

/** The nearest free place in view for the centre of a callout, or null. */
function calloutFor(
  at: [number, number],
  label: { wide: number; high: number },
  taken: [number, number][],
  size: Size,
): [number, number] | null {
  for (const far of [30, 46, 64, 90, 120])
    for (const [u, v] of AROUND) {
      const place: [number, number] = [at[0] + far * u, at[1] + far * v];
      const inside =
        place[0] > label.wide &&
        place[1] > label.high &&
        place[0] < size.width - label.wide &&
        place[1] < size.height - label.high;
      const clear = isClear(place[0], place[1], 1.3 * label.wide, 2.2 * label.high, taken);
      if (inside && clear) return place;
    }
  return null;
}

/**
 * Positions of place names: below, above, right or left, the first that covers no dot, place or name;
 * otherwise below.
 * @param points the places on the screen
 * @param wides of their names
 */
export function namesOf(
  points: [number, number][],
  wides: number[],
  dots: [number, number][],
): [number, number][] {
  const taken: [number, number][] = [...dots];
  return points.map(([x, y], i) => {
    const aside = wides[i] / 2 + 11;
    const around: [number, number][] = [
      [x, y + 18],
      [x, y - 18],
      [x + aside, y],
      [x - aside, y],
    ];
    const others = points.filter((_, j) => j !== i);
    const clear = around.find(([u, v]) => isClear(u, v, wides[i], TAG, [...taken, ...others]));
    const at = clear ?? around[0];
    taken.push(...along(at, wides[i]));
    return at;
  });
}

/** Sample points along a name, dense enough for overlap tests. */
export function along([x, y]: [number, number], wide: number): [number, number][] {
  const many = Math.ceil(wide / 16);
  return [...Array(many + 1).keys()].map((i) => [x - wide / 2 + (i * wide) / many, y]);
}

/** A part that is not walked: dashed, with its label in the middle, shortened to a letter if it is short. */
export function paintHop(sheet: Sheet, { from, to, name }: MapModel["hops"][number]) {
  const { g, palette } = sheet;
  const ends: [Point, Point] = [tileAt(sheet, from[0], from[1]), tileAt(sheet, to[0], to[1])];
  line(g, ...ends);
  g.setLineDash([3, 5]);
  stroke(g, palette.surface, 3);
  g.setLineDash([]);
  const { text, at } = wordOf(g, name, ...ends);
  paintTag(sheet, text, at);
}

/** Text and place of a hop's label. @param from on the screen */
function wordOf(g: Canvas, name: string, [ax, ay]: Point, [bx, by]: Point): { text: string; at: Point } {
  const text = Math.hypot(bx - ax, by - ay) > 2 * wideOf(g, name) ? name : name.charAt(0);
  return { text, at: [(ax + bx) / 2, (ay + by) / 2] };
}

/** Width of a label's frame. */
function wideOf(g: Canvas, text: string) {
  g.font = `650 11px ${FONT}`;
  return Math.max(16, g.measureText(text).width + 10);
}

/** Positions of place names (`names`), and all points that numbers must not cover (`occupied`). */
export function tagsOf(sheet: Sheet, model: MapModel, dots: Point[]): { names: Point[]; occupied: Point[] } {
  const { g } = sheet;
  const points = model.places.map(({ x, y }) => tileAt(sheet, x, y));
  const wides = model.places.map(({ name }) => wideOf(g, name));
  const names = namesOf(points, wides, dots);
  const leaps = model.hops.flatMap(({ from, to, name }) => {
    const word = wordOf(g, name, tileAt(sheet, from[0], from[1]), tileAt(sheet, to[0], to[1]));
    return along(word.at, wideOf(g, word.text));
  });
  return { names, occupied: [...points, ...names.flatMap((name, i) => along(name, wides[i])), ...leaps] };
}

/** A place: a diamond and its name. @param named position of its name */
export function paintPlace(sheet: Sheet, { x, y, name }: MapModel["places"][number], named: Point) {
  const { g, palette } = sheet;
  const [px, py] = tileAt(sheet, x, y);
  line(g, [px, py - 7], [px + 7, py], [px, py + 7], [px - 7, py]);
  g.closePath();
  fill(g, palette.accent);
  stroke(g, palette.surface, 2);
  paintTag(sheet, name, named);
}

/** A framed label. @param at its centre */
function paintTag({ g, palette }: Sheet, text: string, at: Point) {
  roundBox(g, at, wideOf(g, text), TAG, TAG / 2);
  fill(g, palette.surface);
  stroke(g, palette.accent, 1.5);
  centred(g, "650 11px", palette.ink, text, at);
}

/** Landmarks: small diamonds, with their names where these cover nothing else. @param dots not to be covered */
export function paintLandmarks(sheet: Sheet, model: MapModel, dots: Point[]) {
  if (!model.landmarks.length) return;
  const { g, size, palette } = sheet;
  g.font = `500 12px ${FONT}`;
  g.textAlign = "center";
  g.textBaseline = "middle";
  const free = [...dots];
  for (const { x, y, name } of model.landmarks) {
    const [px, py] = tileAt(sheet, x, y);
    if (px < 0 || py < 0 || px > size.width || py > size.height) continue;
    g.save();
    g.translate(px, py);
    g.rotate(Math.PI / 4);
    g.fillStyle = palette.soft;
    g.fillRect(-4, -4, 8, 8);
    g.restore();
    const wide = g.measureText(name).width;
    const middle = Math.max(wide / 2 + 4, Math.min(px, size.width - wide / 2 - 4));
    const clears = ([dx, dy]: Point, at: number) =>
      Math.abs(dx - middle) > wide / 2 + 8 || Math.abs(dy - at) > 14;
    const at = [py + 14, py - 14].find((row) => free.every((dot) => clears(dot, row)));
    if (at === undefined) continue;
    free.push(...along([middle, at], wide));
    g.lineWidth = 3;
    g.strokeStyle = palette.paper;
    g.strokeText(name, middle, at);
    g.fillStyle = palette.ink;
    g.fillText(name, middle, at);
  }
}
