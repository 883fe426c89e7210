/** What the map is painted on, and the lines, shapes and words that all its parts are made of. */

import type { Camera, Size } from "./geometry.js";
import { toScreen } from "./geometry.js";
import type { Palette } from "./palette.js";

export type Canvas = CanvasRenderingContext2D;
/** on the screen */
export type Point = [number, number];
/** a canvas, the part of the map that it shows, and the colours */
export type Sheet = { g: Canvas; camera: Camera; size: Size; palette: Palette };

export const FONT = "system-ui, sans-serif";

/** The middle of a tile. */
export const tileAt = ({ camera, size }: Sheet, x: number, y: number) =>
  toScreen(camera, size, x + 0.5, y + 0.5);

/** Begin a path along points. */
export function line(g: Canvas, ...points: Point[]) {
  g.beginPath();
  for (const [i, [x, y]] of points.entries())
    if (i) g.lineTo(x, y);
    else g.moveTo(x, y);
}

/** Begin a path round a point. */
export function circle(g: Canvas, [x, y]: Point, radius: number) {
  g.beginPath();
  g.arc(x, y, radius, 0, 7);
}

/** Begin a path along a box with round corners. @param at its middle */
export function roundBox(g: Canvas, [x, y]: Point, wide: number, high: number, radius = 5) {
  g.beginPath();
  g.roundRect(x - wide / 2, y - high / 2, wide, high, radius);
}

export function stroke(g: Canvas, colour: string, width: number) {
  g.strokeStyle = colour;
  g.lineWidth = width;
  g.stroke();
}

export function fill(g: Canvas, colour: string) {
  g.fillStyle = colour;
  g.fill();
}

/** Write a word around a point. */
export function centred(g: Canvas, font: string, colour: string, text: string, [x, y]: Point) {
  g.font = `${font} ${FONT}`;
  g.textAlign = "center";
  g.textBaseline = "middle";
  g.fillStyle = colour;
  g.fillText(text, x, y + 0.5);
}
