/**
 * A map as a picture file: title, areas, numbered places with paths, a list of lines, a legend and a
 * scale. Independent of the game: all texts are parameters.
 */
export interface PosterParts {
  title: string;
  /** one line below the title */
  about: string;
  start: Tile;
  /** numbered, each drawn once */
  places: { at: Tile; name: string }[];
  ways: { from: Tile; to: Tile; dash: number[] }[];
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

import type { Tile } from "./geometry.js";
import { fitting, toScreen } from "./geometry.js";
import type { MapModel } from "./model.js";
import { paintLayer, paintTop } from "./paint.js";
import type { Palette } from "./palette.js";

const MAP = { width: 860, height: 720 };
const PAD = 36;
const HEAD = 84;
const FOOT = 64;
const COLUMN = 420;
const LINE = 19;
const FONT = "system-ui, sans-serif";
const SHARP = 2; // pixels per unit
const SCALES = [5, 10, 20, 50, 100, 200]; // tiles

export function poster(model: MapModel, palette: Palette, parts: PosterParts): HTMLCanvasElement {
  const canvas = document.createElement("canvas");
  const g = canvas.getContext("2d") as CanvasRenderingContext2D;
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
  g: CanvasRenderingContext2D,
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
function wrapped(g: CanvasRenderingContext2D, line: string, wide: number): string[] {
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

function paintMap(g: CanvasRenderingContext2D, model: MapModel, palette: Palette, parts: PosterParts) {
  g.beginPath();
  g.rect(0, 0, MAP.width, MAP.height);
  g.clip();
  const camera = fitting(model.box, MAP);
  const bare = { ...model, here: null, target: null, path: [], hops: [], marks: [], regions: [] };
  paintLayer(g, bare, camera, MAP, palette);
  paintTop(g, bare, camera, MAP, palette, { hover: -1, cursor: null, drag: null, reach: false });
  const at = ([x, y]: Tile) => toScreen(camera, MAP, x + 0.5, y + 0.5);
  for (const { from, to, dash } of parts.ways) paintWay(g, palette, at(from), at(to), dash);
  paintStart(g, palette, at(parts.start));
  for (const { at: tile, name } of parts.places) paintPlace(g, palette, at(tile), name);
  return camera;
}

function paintWay(
  g: CanvasRenderingContext2D,
  palette: Palette,
  from: [number, number],
  to: [number, number],
  dash: number[],
) {
  g.beginPath();
  g.moveTo(...from);
  g.lineTo(...to);
  g.strokeStyle = palette.surface;
  g.lineWidth = 4.5;
  g.stroke();
  g.setLineDash(dash);
  g.strokeStyle = palette.accent;
  g.lineWidth = 2;
  g.stroke();
  g.setLineDash([]);
}

function paintStart(g: CanvasRenderingContext2D, palette: Palette, [x, y]: [number, number]) {
  g.beginPath();
  g.arc(x, y, 9, 0, 7);
  g.strokeStyle = palette.surface;
  g.lineWidth = 6;
  g.stroke();
  g.strokeStyle = palette.accent;
  g.lineWidth = 3;
  g.stroke();
}

function paintPlace(g: CanvasRenderingContext2D, palette: Palette, [x, y]: [number, number], name: string) {
  g.beginPath();
  g.roundRect(x - 11, y - 9, 22, 18, 5);
  g.fillStyle = palette.accent;
  g.fill();
  g.strokeStyle = palette.surface;
  g.lineWidth = 2;
  g.stroke();
  g.font = `650 11px ${FONT}`;
  g.textAlign = "center";
  g.textBaseline = "middle";
  g.fillStyle = palette.onBest;
  g.fillText(name, x, y + 0.5);
}

/** @param scale pixels a tile */
function paintLegend(
  g: CanvasRenderingContext2D,
  model: MapModel,
  palette: Palette,
  { words, dashes }: PosterParts,
  scale: number,
) {
  let x = 0;
  const say = (text: string) => {
    x += write(g, palette.soft, 13, text, x, 5) + 22;
  };
  paintStart(g, palette, [x + 10, 0]);
  x += 28;
  say(words.start);
  paintPlace(g, palette, [x + 12, 0], "1");
  x += 30;
  say(words.place);
  g.beginPath();
  g.arc(x + 8, 0, 8, 0, 7);
  g.fillStyle = palette.ink;
  g.fill();
  x += 24;
  say(words.spot);
  for (const { text, dash } of dashes) {
    paintWay(g, palette, [x, 0], [x + 34, 0], dash);
    x += 42;
    say(text);
  }
  if (model.areas) paintRamp(g, palette, words);
  paintScale(g, palette, scale, words.scale);
}

function paintRamp(g: CanvasRenderingContext2D, palette: Palette, words: PosterParts["words"]) {
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

function paintScale(
  g: CanvasRenderingContext2D,
  palette: Palette,
  scale: number,
  say: (tiles: number) => string,
) {
  const tiles = SCALES.find((n) => n * scale >= 90) ?? SCALES[SCALES.length - 1];
  const right = MAP.width;
  const left = right - tiles * scale;
  g.beginPath();
  g.moveTo(left, 24);
  g.lineTo(left, 32);
  g.lineTo(right, 32);
  g.lineTo(right, 24);
  g.strokeStyle = palette.ink;
  g.lineWidth = 2;
  g.stroke();
  const text = say(tiles);
  g.font = `13px ${FONT}`;
  write(g, palette.ink, 13, text, left - g.measureText(text).width - 12, 33);
}
