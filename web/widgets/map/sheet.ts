/**
 * Drawing context of the map (canvas, camera, colours), with helpers for lines, shapes and text. A canvas
 * does not resolve light-dark(), so colours are read from the page's CSS tokens. Under forced colours the
 * ramp is four densities of hatching.
 */

import type { Camera, Size } from "./geometry.js";
import { toScreen } from "./geometry.js";

export type Palette = {
  ramp: (string | CanvasPattern)[];
  best: string;
  onBest: string;
  ink: string;
  soft: string;
  line: string;
  paper: string;
  wall: string;
  accent: string;
  risk: string;
  surface: string;
  hatched: boolean;
  forced: boolean;
  key: string;
};

const STEPS = 32;
const GAPS = [0, 14, 7, 4]; // px between the lines of a hatching, from no information to the most
export const FORCED = "(forced-colors: active)";
const NAMES = {
  best: "--best",
  onBest: "--on-accent",
  ink: "--ink",
  soft: "--ink-soft",
  line: "--map-line",
  paper: "--paper",
  wall: "--map-wall",
  accent: "--accent",
  risk: "--risk",
  surface: "--surface",
};

/** @param probe an invisible element in the map */
export function readPalette(probe: HTMLElement): Palette {
  const read = (value: string) => {
    probe.style.color = value;
    return getComputedStyle(probe).color;
  };
  const shades = Array.from({ length: STEPS + 1 }, (_, i) =>
    read(`color-mix(in oklch, var(--map-high) ${(100 * i) / STEPS}%, var(--map-low))`),
  );
  const named = Object.fromEntries(Object.entries(NAMES).map(([k, name]) => [k, read(`var(${name})`)]));
  const forced = matchMedia(FORCED).matches;
  const hatched = forced || document.documentElement.dataset.palette === "clear";
  const ramp = forced ? hatchings(named.ink, named.paper) : shades;
  const key = `${shades[0]}${shades[STEPS]}${hatched}${named.ink}`;
  return { ramp, hatched, forced, key, ...named } as Palette;
}

/** The ramp of hatchings, as long as that of shades. */
function hatchings(ink: string, paper: string) {
  const four = GAPS.map((gap) => hatching(ink, paper, gap) ?? paper);
  return Array.from({ length: STEPS + 1 }, (_, i) => four[Math.floor((i * (GAPS.length - 1)) / STEPS + 0.5)]);
}

/** A pattern of diagonal lines, `gap` pixels apart. */
function hatching(ink: string, paper: string, gap: number) {
  if (!gap) return paper;
  const tile = document.createElement("canvas");
  tile.width = tile.height = gap;
  const pen = tile.getContext("2d") as CanvasRenderingContext2D;
  pen.fillStyle = paper;
  pen.fillRect(0, 0, gap, gap);
  pen.strokeStyle = ink;
  pen.lineWidth = 0.8;
  pen.beginPath();
  for (const x of [-gap, 0, gap]) {
    pen.moveTo(x, gap);
    pen.lineTo(x + gap, 0);
  }
  pen.stroke();
  return pen.createPattern(tile, "repeat");
}

/** The colour of a number of bits; low values are compressed. */
export function colourOf(palette: Palette, bits: number, most: number) {
  const share = most > 0 ? (bits / most) ** 1.4 : 0;
  return palette.ramp[Math.round(STEPS * Math.min(1, share))];
}

export type Canvas = CanvasRenderingContext2D;
/** in pixels of the canvas */
export type Point = [number, number];
/** a canvas, the part of the map that it shows, and the colours */
export type Sheet = { g: Canvas; camera: Camera; size: Size; palette: Palette };

export const FONT = "system-ui, sans-serif";

/** The middle of a tile. */
export const tileAt = ({ camera, size }: Sheet, x: number, y: number) =>
  toScreen(camera, size, x + 0.5, y + 0.5);

/** Begins a path along points. */
export function line(g: Canvas, ...points: Point[]) {
  g.beginPath();
  for (const [i, [x, y]] of points.entries())
    if (i) g.lineTo(x, y);
    else g.moveTo(x, y);
}

/** Begins a circular path. */
export function circle(g: Canvas, [x, y]: Point, radius: number) {
  g.beginPath();
  g.arc(x, y, radius, 0, 7);
}

/** Begins the path of a box with round corners around its centre. */
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

/** Writes text centred at a point. */
export function centred(g: Canvas, font: string, colour: string, text: string, [x, y]: Point) {
  g.font = `${font} ${FONT}`;
  g.textAlign = "center";
  g.textBaseline = "middle";
  g.fillStyle = colour;
  g.fillText(text, x, y + 0.5);
}
