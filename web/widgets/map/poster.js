/**
 * A map as a picture file: title, areas, numbered places with paths, a list of lines, a legend and a
 * scale. Independent of the game: all texts are parameters.
 *
 * @typedef {import("./geometry.js").Tile} Tile
 * @typedef {object} PosterParts
 * @property {string} title
 * @property {string} about one line below the title
 * @property {Tile} start
 * @property {{at: Tile, name: string}[]} places numbered, each drawn once
 * @property {{from: Tile, to: Tile, dash: number[]}[]} ways
 * @property {{text: string, dash: number[]}[]} dashes meaning of the dash patterns
 * @property {string[]} lines next to the map
 * @property {{start: string, place: string, spot: string, least: string, most: string, scale: (tiles: number) => string}} words
 */
import { fitting, toScreen } from "./geometry.js";
import { paintLayer, paintTop } from "./paint.js";

const MAP = { width: 860, height: 720 };
const PAD = 36;
const HEAD = 84;
const FOOT = 64;
const COLUMN = 420;
const LINE = 19;
const FONT = "system-ui, sans-serif";
const SHARP = 2; // pixels per unit
const SCALES = [5, 10, 20, 50, 100, 200]; // tiles

/** @param {import("./model.js").MapModel} model @param {import("./palette.js").Palette} palette @param {PosterParts} parts @returns {HTMLCanvasElement} */
export function poster(model, palette, parts) {
  const canvas = document.createElement("canvas");
  const g = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
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

/** @param {CanvasRenderingContext2D} g @param {string} colour @param {number} size @param {string} text @param {number} x @param {number} y @param {number} [weight] @returns {number} its width */
function write(g, colour, size, text, x, y, weight = 400) {
  g.font = `${weight} ${size}px ${FONT}`;
  g.textAlign = "left";
  g.textBaseline = "alphabetic";
  g.fillStyle = colour;
  g.fillText(text, x, y);
  return g.measureText(text).width;
}

/** Wraps a line at words to a width; continuation lines are indented. @param {CanvasRenderingContext2D} g @param {string} line @param {number} wide @returns {string[]} */
function wrapped(g, line, wide) {
  /** @type {string[]} */
  const found = [];
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

/** @param {CanvasRenderingContext2D} g @param {import("./model.js").MapModel} model @param {import("./palette.js").Palette} palette @param {PosterParts} parts */
function paintMap(g, model, palette, parts) {
  g.beginPath();
  g.rect(0, 0, MAP.width, MAP.height);
  g.clip();
  const camera = fitting(model.box, MAP);
  const bare = { ...model, here: null, target: null, path: [], hops: [], marks: [], regions: [] };
  paintLayer(g, bare, camera, MAP, palette);
  paintTop(g, bare, camera, MAP, palette, { hover: -1, cursor: null, drag: null, reach: false });
  const at = (/** @type {Tile} */ [x, y]) => toScreen(camera, MAP, x + 0.5, y + 0.5);
  for (const { from, to, dash } of parts.ways) paintWay(g, palette, at(from), at(to), dash);
  paintStart(g, palette, at(parts.start));
  for (const { at: tile, name } of parts.places) paintPlace(g, palette, at(tile), name);
  return camera;
}

/** @param {CanvasRenderingContext2D} g @param {import("./palette.js").Palette} palette @param {[number, number]} from @param {[number, number]} to @param {number[]} dash */
function paintWay(g, palette, from, to, dash) {
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

/** @param {CanvasRenderingContext2D} g @param {import("./palette.js").Palette} palette @param {[number, number]} at */
function paintStart(g, palette, [x, y]) {
  g.beginPath();
  g.arc(x, y, 9, 0, 7);
  g.strokeStyle = palette.surface;
  g.lineWidth = 6;
  g.stroke();
  g.strokeStyle = palette.accent;
  g.lineWidth = 3;
  g.stroke();
}

/** @param {CanvasRenderingContext2D} g @param {import("./palette.js").Palette} palette @param {[number, number]} at @param {string} name */
function paintPlace(g, palette, [x, y], name) {
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

/** @param {CanvasRenderingContext2D} g @param {import("./model.js").MapModel} model @param {import("./palette.js").Palette} palette @param {PosterParts} parts @param {number} scale pixels a tile */
function paintLegend(g, model, palette, { words, dashes }, scale) {
  let x = 0;
  const say = (/** @type {string} */ text) => {
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

/** @param {CanvasRenderingContext2D} g @param {import("./palette.js").Palette} palette @param {PosterParts["words"]} words */
function paintRamp(g, palette, words) {
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

/** @param {CanvasRenderingContext2D} g @param {import("./palette.js").Palette} palette @param {number} scale @param {(tiles: number) => string} say */
function paintScale(g, palette, scale, say) {
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
