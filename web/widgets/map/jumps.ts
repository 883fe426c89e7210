/** Draws the parts of a path that are not walked, such as a leap, with a word, and named places. */

import { along, namesOf, TAG } from "./labels.js";
import type { MapModel } from "./model.js";
import type { Canvas, Point, Sheet } from "./sheet.js";
import { centred, FONT, fill, line, roundBox, stroke, tileAt } from "./sheet.js";

/** A part that is not walked: dashed, with its word in the middle, or the first letter if it is short. */
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

/** Width of a word's frame. */
function wideOf(g: Canvas, text: string) {
  g.font = `650 11px ${FONT}`;
  return Math.max(16, g.measureText(text).width + 10);
}

/** Positions of place names, and the points that numbers must not cover: places, names, words of hops. */
export function tagsOf(sheet: Sheet, model: MapModel, dots: Point[]): { names: Point[]; kept: Point[] } {
  const { g } = sheet;
  const points = model.places.map(({ x, y }) => tileAt(sheet, x, y));
  const wides = model.places.map(({ name }) => wideOf(g, name));
  const names = namesOf(points, wides, dots);
  const leaps = model.hops.flatMap(({ from, to, name }) => {
    const word = wordOf(g, name, tileAt(sheet, from[0], from[1]), tileAt(sheet, to[0], to[1]));
    return along(word.at, wideOf(g, word.text));
  });
  return { names, kept: [...points, ...names.flatMap((name, i) => along(name, wides[i])), ...leaps] };
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

/** A framed word. @param at its middle */
function paintTag({ g, palette }: Sheet, text: string, at: Point) {
  roundBox(g, at, wideOf(g, text), TAG, TAG / 2);
  fill(g, palette.surface);
  stroke(g, palette.accent, 1.5);
  centred(g, "650 11px", palette.ink, text, at);
}

/** Landmarks: small diamonds, with their names where these cover nothing else. @param dots to be kept free */
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
    const apart = ([dx, dy]: Point, at: number) =>
      Math.abs(dx - middle) > wide / 2 + 8 || Math.abs(dy - at) > 14;
    const at = [py + 14, py - 14].find((row) => free.every((dot) => apart(dot, row)));
    if (at === undefined) continue;
    free.push(...along([middle, at], wide));
    g.lineWidth = 3;
    g.strokeStyle = palette.paper;
    g.strokeText(name, middle, at);
    g.fillStyle = palette.ink;
    g.fillText(name, middle, at);
  }
}
