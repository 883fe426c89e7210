/** Paints the map: the layer of areas, cached between frames, and the overlay. */

import type { Areas, Camera, Size } from "./geometry.js";
import { bySplit, outlineStrength, ringsOf, separateLabels, toScreen } from "./geometry.js";
import { paintHop, paintLandmarks, paintPlace, tagsOf } from "./jumps.js";
import { labelsOf } from "./labels.js";
import type { MapModel } from "./map.js";
import type { Palette } from "./palette.js";
import { colourOf } from "./palette.js";

export type Canvas = CanvasRenderingContext2D;
/** x, y: top left corner; tiles per pixel horizontally and vertically */
export type Picture = {
  image: ImageBitmap | HTMLImageElement;
  x: number;
  y: number;
  tiles: number;
  tilesDown: number;
};

const FONT = "system-ui, sans-serif";
const LABEL = { wide: 30, high: 13, size: 11 };
const DOT = 8.5;

const orders: WeakMap<Int32Array, ReturnType<typeof bySplit>> = new WeakMap();

/** Whether the layer of one model is valid for another. */
export function samePaint(a: MapModel, b: MapModel) {
  return (
    a.areas?.labels === b.areas?.labels &&
    a.range === b.range &&
    a.plain === b.plain &&
    a.pictures.length === b.pictures.length &&
    a.pictures.every((picture, i) => picture === b.pictures[i]) &&
    a.spots.length === b.spots.length &&
    a.spots.every(({ open, x, y }, i) => open === b.spots[i].open && x === b.spots[i].x && y === b.spots[i].y)
  );
}

function orderOf(areas: Areas) {
  let order = orders.get(areas.owners);
  if (!order) {
    order = bySplit(areas);
    orders.set(areas.owners, order);
  }
  return order;
}

/** Paints everything that changes only with position, theme or zoom. */
export function paintLayer(g: Canvas, model: MapModel, camera: Camera, size: Size, palette: Palette) {
  g.fillStyle = palette.paper;
  g.fillRect(0, 0, size.width, size.height);
  for (const picture of model.pictures) paintPicture(g, picture, camera, size);
  if (!model.areas) {
    paintSquares(g, model, camera, size, palette);
    return;
  }
  const bare = !model.pictures.length;
  g.globalAlpha = bare ? 1 : 0.55;
  paintAreas(g, model.areas, camera, size, palette, bare);
  g.globalAlpha = 1;
  paintBest(g, model.areas, camera, size, palette);
  if (!model.plain) paintSquares(g, model, camera, size, palette); // above the best areas, so that adjacent ones stay distinct
}

function paintAreas(g: Canvas, areas: Areas, camera: Camera, size: Size, palette: Palette, ground: boolean) {
  const [left, bottom] = toScreen(camera, size, areas.ox, areas.oy);
  const s = camera.scale;
  if (ground) {
    const wide = areas.columns[areas.columns.length - 1] * s;
    const high = areas.rows[areas.rows.length - 1] * s;
    g.fillStyle = palette.wall; // uncovered tiles are walls
    g.fillRect(left, bottom - high, wide, high);
  }
  const most = Math.max(0, ...areas.bits);
  const { starts, order } = orderOf(areas);
  const { rects } = areas;
  for (let split = 0; split < areas.bits.length; split++) {
    g.fillStyle = areas.best[split] ? palette.best : colourOf(palette, areas.bits[split], most);
    for (let i = starts[split]; i < starts[split + 1]; i++) {
      const at = 4 * order[i];
      const x0 = Math.round(left + rects[at] * s);
      const x1 = Math.round(left + (rects[at + 2] + 1) * s);
      const y0 = Math.round(bottom - (rects[at + 3] + 1) * s);
      const y1 = Math.round(bottom - rects[at + 1] * s);
      if (x1 < 0 || y1 < 0 || x0 > size.width || y0 > size.height) continue;
      g.fillRect(x0, y0, Math.max(1, x1 - x0), Math.max(1, y1 - y0));
    }
  }
}

/** Paints the sides of all spots' squares, which contain every border of an area. */
function paintSquares(g: Canvas, model: MapModel, camera: Camera, size: Size, palette: Palette) {
  g.strokeStyle = palette.line;
  g.lineWidth = 0.8;
  g.globalAlpha = model.areas ? outlineStrength(model.areas, camera.scale) : 1;
  g.beginPath();
  for (const spot of model.spots) {
    if (!spot.open) continue;
    for (const half of [model.range, 2 * model.range]) square(g, camera, size, spot.x, spot.y, half);
  }
  g.stroke();
  g.globalAlpha = 1;
}

function square(g: Canvas, camera: Camera, size: Size, x: number, y: number, half: number) {
  const [left, top] = toScreen(camera, size, x - half, y + half + 1);
  const side = (2 * half + 1) * camera.scale;
  g.rect(Math.round(left) + 0.5, Math.round(top) + 0.5, Math.round(side), Math.round(side));
}

/** Outlines the best areas, and hatches them in the palette without colours. */
function paintBest(g: Canvas, areas: Areas, camera: Camera, size: Size, palette: Palette) {
  g.save();
  g.beginPath();
  tracks(g, areas, camera, size, (number) => areas.best[areas.split[number]] === 1);
  g.strokeStyle = palette.best;
  g.lineWidth = 1.6;
  g.stroke();
  if (palette.hatched) {
    g.clip("evenodd");
    g.beginPath();
    for (let x = -size.height; x < size.width; x += 6) {
      g.moveTo(x, size.height);
      g.lineTo(x + size.height, 0);
    }
    g.strokeStyle = palette.onBest;
    g.lineWidth = 1;
    g.stroke();
  }
  g.restore();
}

/** Sets the current path to the outlines of some classes. */
function tracks(g: Canvas, areas: Areas, camera: Camera, size: Size, chosen: (number: number) => boolean) {
  const [left, bottom] = toScreen(camera, size, areas.ox, areas.oy);
  for (const [begin, end] of ringsOf(areas, chosen)) {
    for (let i = begin; i < end; i++) {
      const px = Math.round(left + areas.vertices[2 * i] * camera.scale);
      const py = Math.round(bottom - areas.vertices[2 * i + 1] * camera.scale);
      if (i === begin) g.moveTo(px, py);
      else g.lineTo(px, py);
    }
    g.closePath();
  }
}

/** Paints the numbers of areas, which move with the view. @param dots not to be covered */
function paintLabels(
  g: Canvas,
  model: MapModel,
  camera: Camera,
  size: Size,
  palette: Palette,
  dots: [number, number][],
) {
  const areas = model.areas as Areas;
  g.font = `600 ${LABEL.size}px ${FONT}`;
  g.textAlign = "center";
  g.textBaseline = "middle";
  g.lineJoin = "round";
  for (const { area, at, place } of labelsOf(areas, camera, size, LABEL, dots))
    if (place) paintCallout(g, areas.bits[areas.split[area]].toFixed(2), at, place, palette);
    else paintNumber(g, model, area, at, palette);
}

function paintNumber(g: Canvas, model: MapModel, c: number, [px, py]: [number, number], palette: Palette) {
  const areas = model.areas as Areas;
  const split = areas.split[c];
  const text = areas.bits[split].toFixed(2);
  if (areas.best[split] && palette.hatched) {
    g.fillStyle = palette.best;
    g.fillRect(px - LABEL.wide / 2, py - LABEL.high / 2, LABEL.wide, LABEL.high);
  }
  if (model.pictures.length || (palette.forced && !areas.best[split])) {
    g.strokeStyle = palette.paper; // a rim, for numbers on an image or hatching
    g.lineWidth = 3;
    g.strokeText(text, px, py + 0.5);
  }
  g.fillStyle = areas.best[split] && !model.pictures.length ? palette.onBest : palette.ink;
  g.fillText(text, px, py + 0.5);
}

/** A number next to a small area, with a line to it. */
function paintCallout(
  g: Canvas,
  text: string,
  at: [number, number],
  [px, py]: [number, number],
  palette: Palette,
) {
  g.beginPath();
  g.moveTo(...at);
  g.lineTo(px, py);
  g.strokeStyle = palette.surface;
  g.lineWidth = 4;
  g.stroke();
  g.strokeStyle = palette.best;
  g.lineWidth = 1.6;
  g.stroke();
  g.beginPath();
  g.roundRect(px - LABEL.wide / 2 - 3, py - LABEL.high / 2 - 3, LABEL.wide + 6, LABEL.high + 6, 5);
  g.fillStyle = palette.best;
  g.fill();
  g.strokeStyle = palette.surface;
  g.stroke();
  g.fillStyle = palette.onBest;
  g.fillText(text, px, py + 0.5);
}

function paintPicture(g: Canvas, picture: Picture, camera: Camera, size: Size) {
  const [left, top] = toScreen(camera, size, picture.x, picture.y);
  const wide = picture.image.width * picture.tiles * camera.scale;
  g.imageSmoothingEnabled = camera.scale * picture.tiles < 1;
  g.drawImage(picture.image, left, top, wide, picture.image.height * picture.tilesDown * camera.scale);
}

/** Paints what changes with the pointer, the log and the advice. */
export function paintTop(
  g: Canvas,
  model: MapModel,
  camera: Camera,
  size: Size,
  palette: Palette,
  live: {
    hover: number;
    cursor: [number, number] | null;
    drag: [number, number, number, number] | null;
    reach: boolean;
  },
) {
  const { areas } = model;
  if (areas && live.hover >= 0) {
    g.beginPath();
    tracks(g, areas, camera, size, (number) => number === live.hover);
    g.strokeStyle = palette.ink;
    g.lineWidth = 2;
    g.stroke();
  }
  if (model.target) outlineTarget(g, model, camera, size, palette);
  for (const mark of model.marks)
    if (mark.doubted) paintReach(g, model, [mark.x, mark.y], camera, size, palette.risk);
  if (live.reach) paintReach(g, model, live.cursor ?? model.here, camera, size, palette.ink);
  for (const area of model.regions) box(g, area.rect, camera, size, area.off ? palette.soft : palette.accent);
  if (live.drag) box(g, live.drag, camera, size, palette.accent);
  paintPath(g, model, camera, size, palette);
  const here = model.here ? [{ x: model.here[0], y: model.here[1] }] : [];
  const dots = [...model.spots, ...model.marks, ...here].map(({ x, y }) =>
    toScreen(camera, size, x + 0.5, y + 0.5),
  );
  const { names, kept } = tagsOf(g, model, camera, size, dots);
  if (areas && !model.plain) paintLabels(g, model, camera, size, palette, [...dots, ...kept]);
  paintLandmarks(g, model, camera, size, palette, [...dots, ...kept]);
  for (const hop of model.hops) paintHop(g, hop, camera, size, palette);
  paintSpots(g, model, camera, size, palette, names);
  for (const mark of model.marks) paintMark(g, mark, camera, size, palette);
  if (model.here) paintHere(g, model.here, camera, size, palette);
  if (live.cursor) box(g, [...live.cursor, ...live.cursor], camera, size, palette.ink);
}

function outlineTarget(g: Canvas, model: MapModel, camera: Camera, size: Size, palette: Palette) {
  const { areas } = model;
  const [x, y] = model.target as [number, number];
  g.beginPath();
  const number = model.classAt(x, y);
  if (areas && number >= 0) tracks(g, areas, camera, size, (n) => n === number);
  g.strokeStyle = palette.surface; // a double outline; best areas have a single one
  g.lineWidth = 6;
  g.stroke();
  g.strokeStyle = palette.accent;
  g.lineWidth = 2.5;
  g.stroke();
  const [px, py] = toScreen(camera, size, x + 0.5, y + 0.5);
  g.beginPath();
  g.arc(px, py, 5, 0, 7);
  g.fillStyle = palette.accent;
  g.fill();
  g.strokeStyle = palette.surface;
  g.lineWidth = 2;
  g.stroke();
}

/** The triple and double squares around a tile. */
function paintReach(
  g: Canvas,
  model: MapModel,
  tile: [number, number] | null,
  camera: Camera,
  size: Size,
  colour: string,
) {
  if (!tile) return;
  g.strokeStyle = colour;
  g.lineWidth = 1.6;
  for (const [half, dash] of [
    [model.range, []],
    [2 * model.range, [7, 5]],
  ] as [number, number[]][]) {
    g.setLineDash(dash);
    g.beginPath();
    square(g, camera, size, tile[0], tile[1], half);
    g.stroke();
  }
  g.setLineDash([]);
}

function box(
  g: Canvas,
  [x0, y0, x1, y1]: [number, number, number, number],
  camera: Camera,
  size: Size,
  colour: string,
) {
  const [left, top] = toScreen(camera, size, x0, y1 + 1);
  const [right, bottom] = toScreen(camera, size, x1 + 1, y0);
  g.strokeStyle = colour;
  g.lineWidth = 2;
  g.strokeRect(left, top, Math.max(3, right - left), Math.max(3, bottom - top));
}

function paintPath(g: Canvas, model: MapModel, camera: Camera, size: Size, palette: Palette) {
  if (model.path.length < 2) return;
  g.beginPath();
  model.path.forEach(([x, y], i) => {
    const [px, py] = toScreen(camera, size, x + 0.5, y + 0.5);
    if (i) g.lineTo(px, py);
    else g.moveTo(px, py);
  });
  g.lineJoin = "round";
  g.strokeStyle = palette.surface;
  g.lineWidth = 5;
  g.stroke();
  g.strokeStyle = palette.accent;
  g.lineWidth = 2.5;
  g.stroke();
}

/**
 * Paints the spots. Numbers never overlap: a spot too near to a numbered one is a small dot. Places are below the numbers.
 * @param names where those of places go
 */
function paintSpots(
  g: Canvas,
  model: MapModel,
  camera: Camera,
  size: Size,
  palette: Palette,
  names: [number, number][],
) {
  const named = model.spots.filter((spot) => spot.open || spot.chosen);
  const at = (spot: Spot) => toScreen(camera, size, spot.x + 0.5, spot.y + 0.5);
  const free = separateLabels(named.map(at), 2 * DOT);
  const numbered = new Set(model.plain ? [] : named.filter((spot, i) => free[i] || spot.chosen));
  for (const spot of model.spots) if (!numbered.has(spot)) paintSpot(g, spot, at(spot), size, palette, false);
  for (const [i, place] of model.places.entries()) paintPlace(g, place, names[i], camera, size, palette);
  for (const spot of numbered) paintSpot(g, spot, at(spot), size, palette, true);
}

export type Spot = MapModel["spots"][number];

function paintSpot(
  g: Canvas,
  spot: Spot,
  [px, py]: [number, number],
  size: Size,
  palette: Palette,
  numbered: boolean,
) {
  if (px < -20 || py < -20 || px > size.width + 20 || py > size.height + 20) return;
  const r = numbered ? DOT : spot.open ? 5.5 : 5;
  g.globalAlpha = spot.open ? 1 : 0.5;
  g.beginPath();
  g.arc(px, py, r, 0, 7);
  const hollow = !spot.open || (spot.other && !spot.chosen);
  g.fillStyle = spot.chosen ? palette.accent : hollow ? palette.paper : palette.ink;
  g.fill();
  g.lineWidth = 1.5;
  g.strokeStyle = !hollow ? palette.paper : spot.open ? palette.ink : palette.soft;
  g.stroke();
  if (spot.out) {
    g.beginPath();
    g.moveTo(px - 4, py - 4);
    g.lineTo(px + 4, py + 4);
    g.moveTo(px + 4, py - 4);
    g.lineTo(px - 4, py + 4);
    g.strokeStyle = palette.soft;
    g.stroke();
  }
  if (numbered) {
    g.fillStyle = hollow ? palette.ink : palette.paper;
    g.font = `650 ${spot.name.length > 2 ? 8 : 10}px ${FONT}`;
    g.textAlign = "center";
    g.textBaseline = "middle";
    g.fillText(spot.name, px, py + 0.5);
  }
  g.globalAlpha = 1;
}

/** An observed pulse: one, two or three strokes. */
function paintMark(g: Canvas, mark: MapModel["marks"][number], camera: Camera, size: Size, palette: Palette) {
  const [px, py] = toScreen(camera, size, mark.x + 0.5, mark.y + 0.5);
  g.globalAlpha = mark.off ? 0.4 : 1;
  g.beginPath();
  g.roundRect(px - 11, py - 9, 22, 18, 5);
  g.fillStyle = palette.surface;
  g.fill();
  g.strokeStyle = mark.doubted ? palette.risk : palette.ink;
  g.lineWidth = 1.5;
  g.stroke();
  g.beginPath();
  for (let i = 0; i < mark.pulse; i++) {
    const x = px + (i - (mark.pulse - 1) / 2) * 5;
    g.moveTo(x, py - 4);
    g.lineTo(x, py + 4);
  }
  g.lineWidth = 2;
  g.stroke();
  g.globalAlpha = 1;
}

function paintHere(g: Canvas, here: [number, number], camera: Camera, size: Size, palette: Palette) {
  const [px, py] = toScreen(camera, size, here[0] + 0.5, here[1] + 0.5);
  g.beginPath();
  g.arc(px, py, 13, 0, 7);
  g.strokeStyle = palette.surface;
  g.lineWidth = 5;
  g.stroke();
  g.beginPath();
  g.arc(px, py, 13, 0, 7);
  g.strokeStyle = palette.accent;
  g.lineWidth = 3;
  g.stroke();
}
