/** Draws the parts of a path that are not walked, such as a leap, with a word, and named places. */

import type { Camera, Size } from "./geometry.js";
import { toScreen } from "./geometry.js";
import { along, namesOf, TAG } from "./labels.js";
import type { MapModel } from "./model.js";
import type { Palette } from "./palette.js";

const FONT = "system-ui, sans-serif";

/** A part that is not walked: dashed, with its word in the middle, or the first letter if it is short. */
export function paintHop(
  g: CanvasRenderingContext2D,
  { from, to, name }: MapModel["hops"][number],
  camera: Camera,
  size: Size,
  palette: Palette,
) {
  const [ax, ay] = toScreen(camera, size, from[0] + 0.5, from[1] + 0.5);
  const [bx, by] = toScreen(camera, size, to[0] + 0.5, to[1] + 0.5);
  g.beginPath();
  g.moveTo(ax, ay);
  g.lineTo(bx, by);
  g.setLineDash([3, 5]);
  g.strokeStyle = palette.surface;
  g.lineWidth = 3;
  g.stroke();
  g.setLineDash([]);
  const { text, at } = wordOf(g, name, [ax, ay], [bx, by]);
  paintTag(g, text, at, palette);
}

/** Text and place of a hop's label. @param from on the screen */
function wordOf(
  g: CanvasRenderingContext2D,
  name: string,
  [ax, ay]: [number, number],
  [bx, by]: [number, number],
): { text: string; at: [number, number] } {
  const text = Math.hypot(bx - ax, by - ay) > 2 * wideOf(g, name) ? name : name.charAt(0);
  return { text, at: [(ax + bx) / 2, (ay + by) / 2] };
}

/** Width of a word's frame. */
function wideOf(g: CanvasRenderingContext2D, text: string) {
  g.font = `650 11px ${FONT}`;
  return Math.max(16, g.measureText(text).width + 10);
}

/** Positions of place names, and the points that numbers must not cover: places, names, words of hops. */
export function tagsOf(
  g: CanvasRenderingContext2D,
  model: MapModel,
  camera: Camera,
  size: Size,
  dots: [number, number][],
): { names: [number, number][]; kept: [number, number][] } {
  const at = (x: number, y: number) => toScreen(camera, size, x + 0.5, y + 0.5);
  const points = model.places.map(({ x, y }) => at(x, y));
  const wides = model.places.map(({ name }) => wideOf(g, name));
  const names = namesOf(points, wides, dots);
  const leaps = model.hops.flatMap(({ from, to, name }) => {
    const word = wordOf(g, name, at(from[0], from[1]), at(to[0], to[1]));
    return along(word.at, wideOf(g, word.text));
  });
  return { names, kept: [...points, ...names.flatMap((name, i) => along(name, wides[i])), ...leaps] };
}

/** A place: a diamond and its name. @param named position of its name */
export function paintPlace(
  g: CanvasRenderingContext2D,
  { x, y, name }: MapModel["places"][number],
  named: [number, number],
  camera: Camera,
  size: Size,
  palette: Palette,
) {
  const [px, py] = toScreen(camera, size, x + 0.5, y + 0.5);
  g.beginPath();
  g.moveTo(px, py - 7);
  g.lineTo(px + 7, py);
  g.lineTo(px, py + 7);
  g.lineTo(px - 7, py);
  g.closePath();
  g.fillStyle = palette.accent;
  g.fill();
  g.strokeStyle = palette.surface;
  g.lineWidth = 2;
  g.stroke();
  paintTag(g, name, named, palette);
}

/** A framed word. @param at its middle */
function paintTag(g: CanvasRenderingContext2D, text: string, [x, y]: [number, number], palette: Palette) {
  const wide = wideOf(g, text);
  g.beginPath();
  g.roundRect(x - wide / 2, y - TAG / 2, wide, TAG, TAG / 2);
  g.fillStyle = palette.surface;
  g.fill();
  g.strokeStyle = palette.accent;
  g.lineWidth = 1.5;
  g.stroke();
  g.fillStyle = palette.ink;
  g.textAlign = "center";
  g.textBaseline = "middle";
  g.fillText(text, x, y + 0.5);
}

/** Landmarks: small diamonds, with their names where these cover nothing else. @param dots to be kept free */
export function paintLandmarks(
  g: CanvasRenderingContext2D,
  model: MapModel,
  camera: Camera,
  size: Size,
  palette: Palette,
  dots: [number, number][],
) {
  if (!model.landmarks.length) return;
  g.font = `500 12px ${FONT}`;
  g.textAlign = "center";
  g.textBaseline = "middle";
  const free = [...dots];
  for (const { x, y, name } of model.landmarks) {
    const [px, py] = toScreen(camera, size, x + 0.5, y + 0.5);
    if (px < 0 || py < 0 || px > size.width || py > size.height) continue;
    g.save();
    g.translate(px, py);
    g.rotate(Math.PI / 4);
    g.fillStyle = palette.soft;
    g.fillRect(-4, -4, 8, 8);
    g.restore();
    const wide = g.measureText(name).width;
    const middle = Math.max(wide / 2 + 4, Math.min(px, size.width - wide / 2 - 4));
    const apart = ([dx, dy]: [number, number], at: number) =>
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
