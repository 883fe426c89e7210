/** Paints the map: the layer of areas, cached between frames, and the overlay. */

import type { Areas, MapModel, Picture } from "./geometry.js";
import { bySplit, outlineStrength, ringsOf, separateLabels, toScreen } from "./geometry.js";
import { labelsOf, paintHop, paintLandmarks, paintPlace, tagsOf } from "./labels.js";
import type { Point, Sheet } from "./sheet.js";
import { centred, circle, colourOf, FONT, fill, line, roundBox, stroke, tileAt } from "./sheet.js";

const LABEL = { wide: 30, high: 13, size: 11 };
const DOT = 8.5;

const orders: WeakMap<Int32Array, ReturnType<typeof bySplit>> = new WeakMap();

/** Whether the layer painted for one model is valid for the other. */
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
export function paintLayer(sheet: Sheet, model: MapModel) {
  const { g, size, palette } = sheet;
  g.fillStyle = palette.paper;
  g.fillRect(0, 0, size.width, size.height);
  for (const picture of model.pictures) paintPicture(sheet, picture);
  if (!model.areas) {
    paintSquares(sheet, model);
    return;
  }
  const bare = !model.pictures.length;
  g.globalAlpha = bare ? 1 : 0.55;
  paintAreas(sheet, model.areas, bare);
  g.globalAlpha = 1;
  paintBest(sheet, model.areas);
  if (!model.plain) paintSquares(sheet, model); // above the best areas, so that adjacent ones stay distinct
}

function paintAreas({ g, camera, size, palette }: Sheet, areas: Areas, ground: boolean) {
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
function paintSquares(sheet: Sheet, model: MapModel) {
  const { g, camera, palette } = sheet;
  g.globalAlpha = model.areas ? outlineStrength(model.areas, camera.scale) : 1;
  g.beginPath();
  for (const spot of model.spots) {
    if (!spot.open) continue;
    for (const half of [model.range, 2 * model.range]) square(sheet, spot.x, spot.y, half);
  }
  stroke(g, palette.line, 0.8);
  g.globalAlpha = 1;
}

function square({ g, camera, size }: Sheet, x: number, y: number, half: number) {
  const [left, top] = toScreen(camera, size, x - half, y + half + 1);
  const side = (2 * half + 1) * camera.scale;
  g.rect(Math.round(left) + 0.5, Math.round(top) + 0.5, Math.round(side), Math.round(side));
}

/** Outlines the best areas, and hatches them in the palette without colours. */
function paintBest(sheet: Sheet, areas: Areas) {
  const { g, size, palette } = sheet;
  g.save();
  g.beginPath();
  tracks(sheet, areas, (number) => areas.best[areas.split[number]] === 1);
  stroke(g, palette.best, 1.6);
  if (palette.hatched) {
    g.clip("evenodd");
    g.beginPath();
    for (let x = -size.height; x < size.width; x += 6) {
      g.moveTo(x, size.height);
      g.lineTo(x + size.height, 0);
    }
    stroke(g, palette.onBest, 1);
  }
  g.restore();
}

/** Sets the current path to the outlines of some classes. */
function tracks({ g, camera, size }: Sheet, areas: Areas, chosen: (number: number) => boolean) {
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
function paintLabels(sheet: Sheet, model: MapModel, dots: Point[]) {
  const { g, camera, size } = sheet;
  const areas = model.areas as Areas;
  g.font = `600 ${LABEL.size}px ${FONT}`;
  g.textAlign = "center";
  g.textBaseline = "middle";
  g.lineJoin = "round";
  for (const { area, at, place } of labelsOf(areas, camera, size, LABEL, dots))
    if (place) paintCallout(sheet, areas.bits[areas.split[area]].toFixed(2), at, place);
    else paintNumber(sheet, model, area, at);
}

function paintNumber({ g, palette }: Sheet, model: MapModel, c: number, [px, py]: Point) {
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
function paintCallout({ g, palette }: Sheet, text: string, at: Point, place: Point) {
  line(g, at, place);
  stroke(g, palette.surface, 4);
  stroke(g, palette.best, 1.6);
  roundBox(g, place, LABEL.wide + 6, LABEL.high + 6);
  fill(g, palette.best);
  stroke(g, palette.surface, 1.6);
  centred(g, `600 ${LABEL.size}px`, palette.onBest, text, place);
}

function paintPicture({ g, camera, size }: Sheet, picture: Picture) {
  const [left, top] = toScreen(camera, size, picture.x, picture.y);
  const wide = picture.image.width * picture.tiles * camera.scale;
  g.imageSmoothingEnabled = camera.scale * picture.tiles < 1;
  g.drawImage(picture.image, left, top, wide, picture.image.height * picture.tilesDown * camera.scale);
}

/** Paints what changes with the pointer, the log and the advice. */
export function paintTop(
  sheet: Sheet,
  model: MapModel,
  live: {
    hover: number;
    cursor: Point | null;
    drag: [number, number, number, number] | null;
    reach: boolean;
  },
) {
  const { g, palette } = sheet;
  const { areas } = model;
  if (areas && live.hover >= 0) {
    g.beginPath();
    tracks(sheet, areas, (number) => number === live.hover);
    stroke(g, palette.ink, 2);
  }
  if (model.target) outlineTarget(sheet, model, ...model.target);
  for (const mark of model.marks) if (mark.doubted) paintReach(sheet, model, [mark.x, mark.y], palette.risk);
  if (live.reach) paintReach(sheet, model, live.cursor ?? model.here, palette.ink);
  for (const area of model.regions) box(sheet, area.rect, area.off ? palette.soft : palette.accent);
  if (live.drag) box(sheet, live.drag, palette.accent);
  paintPath(sheet, model);
  const here = model.here ? [{ x: model.here[0], y: model.here[1] }] : [];
  const dots = [...model.spots, ...model.marks, ...here].map(({ x, y }) => tileAt(sheet, x, y));
  const { names, occupied } = tagsOf(sheet, model, dots);
  if (areas && !model.plain) paintLabels(sheet, model, [...dots, ...occupied]);
  paintLandmarks(sheet, model, [...dots, ...occupied]);
  for (const hop of model.hops) paintHop(sheet, hop);
  paintSpots(sheet, model, names);
  for (const mark of model.marks) paintMark(sheet, mark);
  if (model.here) paintHere(sheet, model.here);
  if (live.cursor) box(sheet, [...live.cursor, ...live.cursor], palette.ink);
}

function outlineTarget(sheet: Sheet, model: MapModel, x: number, y: number) {
  const { g, palette } = sheet;
  const { areas } = model;
  g.beginPath();
  const number = model.classAt(x, y);
  if (areas && number >= 0) tracks(sheet, areas, (n) => n === number);
  stroke(g, palette.surface, 6); // a double outline; best areas have a single one
  stroke(g, palette.accent, 2.5);
  circle(g, tileAt(sheet, x, y), 5);
  fill(g, palette.accent);
  stroke(g, palette.surface, 2);
}

/** The triple and double squares around a tile. */
function paintReach(sheet: Sheet, model: MapModel, tile: Point | null, colour: string) {
  if (!tile) return;
  const { g } = sheet;
  for (const [half, dash] of [
    [model.range, []],
    [2 * model.range, [7, 5]],
  ] as [number, number[]][]) {
    g.setLineDash(dash);
    g.beginPath();
    square(sheet, tile[0], tile[1], half);
    stroke(g, colour, 1.6);
  }
  g.setLineDash([]);
}

function box({ g, camera, size }: Sheet, [x0, y0, x1, y1]: [number, number, number, number], colour: string) {
  const [left, top] = toScreen(camera, size, x0, y1 + 1);
  const [right, bottom] = toScreen(camera, size, x1 + 1, y0);
  g.strokeStyle = colour;
  g.lineWidth = 2;
  g.strokeRect(left, top, Math.max(3, right - left), Math.max(3, bottom - top));
}

function paintPath(sheet: Sheet, model: MapModel) {
  if (model.path.length < 2) return;
  const { g, palette } = sheet;
  line(g, ...model.path.map(([x, y]) => tileAt(sheet, x, y)));
  g.lineJoin = "round";
  stroke(g, palette.surface, 5);
  stroke(g, palette.accent, 2.5);
}

/**
 * Paints the spots above the places. Numbers never overlap: a spot too near to a numbered one is a small dot.
 * @param names positions of the names of places
 */
function paintSpots(sheet: Sheet, model: MapModel, names: Point[]) {
  const named = model.spots.filter((spot) => spot.open || spot.chosen);
  const at = (spot: Spot) => tileAt(sheet, spot.x, spot.y);
  const free = separateLabels(named.map(at), 2 * DOT);
  const numbered = new Set(model.plain ? [] : named.filter((spot, i) => free[i] || spot.chosen));
  for (const spot of model.spots) if (!numbered.has(spot)) paintSpot(sheet, spot, at(spot), false);
  for (const [i, place] of model.places.entries()) paintPlace(sheet, place, names[i]);
  for (const spot of numbered) paintSpot(sheet, spot, at(spot), true);
}

export type Spot = MapModel["spots"][number];

function paintSpot({ g, size, palette }: Sheet, spot: Spot, at: Point, numbered: boolean) {
  const [px, py] = at;
  if (px < -20 || py < -20 || px > size.width + 20 || py > size.height + 20) return;
  const r = numbered ? DOT : spot.open ? 5.5 : 5;
  g.globalAlpha = spot.open ? 1 : 0.5;
  circle(g, at, r);
  const hollow = !spot.open || (spot.other && !spot.chosen);
  fill(g, spot.chosen ? palette.accent : hollow ? palette.paper : palette.ink);
  stroke(g, !hollow ? palette.paper : spot.open ? palette.ink : palette.soft, 1.5);
  if (spot.out) {
    g.beginPath();
    g.moveTo(px - 4, py - 4);
    g.lineTo(px + 4, py + 4);
    g.moveTo(px + 4, py - 4);
    g.lineTo(px - 4, py + 4);
    stroke(g, palette.soft, 1.5);
  }
  const font = `650 ${spot.name.length > 2 ? 8 : 10}px`;
  if (numbered) centred(g, font, hollow ? palette.ink : palette.paper, spot.name, at);
  g.globalAlpha = 1;
}

/** An observed pulse: one, two or three strokes. */
function paintMark(sheet: Sheet, mark: MapModel["marks"][number]) {
  const { g, palette } = sheet;
  const colour = mark.doubted ? palette.risk : palette.ink;
  const [px, py] = tileAt(sheet, mark.x, mark.y);
  g.globalAlpha = mark.off ? 0.4 : 1;
  roundBox(g, [px, py], 22, 18);
  fill(g, palette.surface);
  stroke(g, colour, 1.5);
  g.beginPath();
  for (let i = 0; i < mark.pulse; i++) {
    const x = px + (i - (mark.pulse - 1) / 2) * 5;
    g.moveTo(x, py - 4);
    g.lineTo(x, py + 4);
  }
  stroke(g, colour, 2);
  g.globalAlpha = 1;
}

function paintHere(sheet: Sheet, [x, y]: Point) {
  circle(sheet.g, tileAt(sheet, x, y), 13);
  stroke(sheet.g, sheet.palette.surface, 5);
  stroke(sheet.g, sheet.palette.accent, 3);
}
