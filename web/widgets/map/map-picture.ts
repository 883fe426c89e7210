/**
 * A map as a picture file: title, areas, numbered places with paths, a list of lines, a legend and a
 * scale. Independent of the game: all texts are parameters.
 */

import type { MapModel, Tile } from "./geometry.js";
import { fitting } from "./geometry.js";
import { paintLayer, paintTop } from "./paint.js";
import type { Canvas, Palette, Point } from "./sheet.js";
import { centred, circle, FONT, fill, line, roundBox, stroke, tileAt } from "./sheet.js";

interface MapPictureParts {
  title: string;
  /** one line below the title */
  about: string;
  start: Tile;
  /** numbered, each drawn once */
  places: { at: Tile; name: string }[];
  legs: { from: Tile; to: Tile; dash: number[] }[];
  /** meaning of the dash patterns */
  dashes: { text: string; dash: number[] }[];
  /** next to the map */
  lines: string[];
  words: {
    start: string;
    place: string;
    spot: string;
    least: string;
    most: string;
    scale: (tiles: number) => string;
  };
}

const MAP = { width: 860, height: 720 };
const PAD = 36;
const HEAD = 84;
const FOOT = 64;
const COLUMN = 420;
const LINE = 19;
const SHARP = 2; // pixels per unit
const SCALES = [5, 10, 20, 50, 100, 200]; // tiles

/** Draws the map, its legend and the lines next to it on a canvas. */
export function drawMapPicture(model: MapModel, palette: Palette, parts: MapPictureParts): HTMLCanvasElement {
  const canvas = document.createElement("canvas");
  const g = canvas.getContext("2d") as Canvas;
  g.font = `13px ${FONT}`;
  const lines = parts.lines.flatMap((line) => wrapped(g, line, COLUMN));
  const high = Math.max(MAP.height + FOOT, lines.length * LINE);
  canvas.width = SHARP * (MAP.width + COLUMN + 3 * PAD);
  canvas.height = SHARP * (HEAD + high + 2 * PAD);
  g.scale(SHARP, SHARP);
  g.fillStyle = palette.surface;
  g.fillRect(0, 0, canvas.width, canvas.height);
  write(g, palette.ink, 30, parts.title, PAD, PAD + 24, 600);
  write(g, palette.soft, 16, parts.about, PAD, PAD + 54);
  g.save();
  g.translate(PAD, PAD + HEAD);
  const camera = paintMap(g, model, palette, parts);
  g.restore();
  lines.forEach((line, i) => {
    write(g, palette.ink, 13, line, MAP.width + 2 * PAD, PAD + HEAD + 14 + LINE * i);
  });
  g.translate(PAD, PAD + HEAD + MAP.height + 30);
  paintLegend(g, model, palette, parts, camera.scale);
  return canvas;
}

/** @returns its width */
function write(
  g: Canvas,
  colour: string,
  size: number,
  text: string,
  x: number,
  y: number,
  weight: number = 400,
): number {
  g.font = `${weight} ${size}px ${FONT}`;
  g.textAlign = "left";
  g.textBaseline = "alphabetic";
  g.fillStyle = colour;
  g.fillText(text, x, y);
  return g.measureText(text).width;
}

/** Wraps a line at words to a width; continuation lines are indented. */
function wrapped(g: Canvas, line: string, wide: number): string[] {
  const found: string[] = [];
  let now = "";
  for (const word of line.split(" ")) {
    const longer = now ? `${now} ${word}` : word;
    if (now.trim() && g.measureText(longer).width > wide) {
      found.push(now);
      now = `      ${word}`;
    } else now = longer;
  }
  return [...found, now];
}

function paintMap(g: Canvas, model: MapModel, palette: Palette, parts: MapPictureParts) {
  g.beginPath();
  g.rect(0, 0, MAP.width, MAP.height);
  g.clip();
  const camera = fitting(model.box, MAP);
  const bare = { ...model, here: null, target: null, path: [], hops: [], marks: [], regions: [] };
  const sheet = { g, camera, size: MAP, palette };
  paintLayer(sheet, bare);
  paintTop(sheet, bare, { hover: -1, cursor: null, drag: null, reach: false });
  const at = ([x, y]: Tile) => tileAt(sheet, x, y);
  for (const { from, to, dash } of parts.legs) paintLeg(g, palette, at(from), at(to), dash);
  paintStart(g, palette, at(parts.start));
  for (const { at: tile, name } of parts.places) paintPlace(g, palette, at(tile), name);
  return camera;
}

function paintLeg(g: Canvas, palette: Palette, from: Point, to: Point, dash: number[]) {
  line(g, from, to);
  stroke(g, palette.surface, 4.5);
  g.setLineDash(dash);
  stroke(g, palette.accent, 2);
  g.setLineDash([]);
}

function paintStart(g: Canvas, palette: Palette, at: Point) {
  circle(g, at, 9);
  stroke(g, palette.surface, 6);
  stroke(g, palette.accent, 3);
}

function paintPlace(g: Canvas, palette: Palette, at: Point, name: string) {
  roundBox(g, at, 22, 18);
  fill(g, palette.accent);
  stroke(g, palette.surface, 2);
  centred(g, "650 11px", palette.onBest, name, at);
}

/** @param scale pixels a tile */
function paintLegend(
  g: Canvas,
  model: MapModel,
  palette: Palette,
  { words, dashes }: MapPictureParts,
  scale: number,
) {
  let x = 0;
  const label = (text: string) => {
    x += write(g, palette.soft, 13, text, x, 5) + 22;
  };
  paintStart(g, palette, [x + 10, 0]);
  x += 28;
  label(words.start);
  paintPlace(g, palette, [x + 12, 0], "1");
  x += 30;
  label(words.place);
  circle(g, [x + 8, 0], 8);
  fill(g, palette.ink);
  x += 24;
  label(words.spot);
  for (const { text, dash } of dashes) {
    paintLeg(g, palette, [x, 0], [x + 34, 0], dash);
    x += 42;
    label(text);
  }
  if (model.areas) paintRamp(g, palette, words);
  paintScale(g, palette, scale, words.scale);
}

function paintRamp(g: Canvas, palette: Palette, words: MapPictureParts["words"]) {
  const last = palette.ramp.length - 1;
  let x = write(g, palette.soft, 13, words.least, 0, 37) + 8;
  for (let i = 0; i < 8; i++, x += 14) {
    g.fillStyle = palette.ramp[Math.round((last * i) / 7)];
    g.fillRect(x, 24, 14, 16);
  }
  g.fillStyle = palette.best;
  g.fillRect(x + 4, 24, 20, 16);
  write(g, palette.soft, 13, words.most, x + 32, 37);
}

function paintScale(g: Canvas, palette: Palette, scale: number, textOf: (tiles: number) => string) {
  const tiles = SCALES.find((n) => n * scale >= 90) ?? SCALES[SCALES.length - 1];
  const right = MAP.width;
  const left = right - tiles * scale;
  line(g, [left, 24], [left, 32], [right, 32], [right, 24]);
  stroke(g, palette.ink, 2);
  const text = textOf(tiles);
  g.font = `13px ${FONT}`;
  write(g, palette.ink, 13, text, left - g.measureText(text).width - 12, 33);
}
