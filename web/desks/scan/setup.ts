/** The dialog that sets up a clue: its region or own spots, settings, walls, and pictures under the map. */

import { html, nothing } from "../../vendor.js";
import { toBase64 } from "../../widgets/bytes.js";
import { dialogIn } from "../../widgets/dialog.js";
import { fileButton } from "../../widgets/file.js";
import type { OnInput, OnText } from "../../widgets/on.js";
import { select, tick } from "../../widgets/panel.js";
import type { FaultFacts } from "../desk.js";
import { chooseClue } from "./edits.js";
import { pictureForm } from "./map-images.js";
import type { Context, Position } from "./model.js";
import { floorOf } from "./model.js";
import { byId, regions } from "./regions.js";
import { capital, words } from "./strings.js";
import type { SavedGround } from "./terrain.js";
import { collisionFiles } from "./terrain.js";

export function openSetup(context: Context) {
  const state = initialState(context.position);
  context.open(() => draw(context, state));
}

type State = ReturnType<typeof initialState>;

const initialState = (position: Position) => ({
  /** the filter of the list of regions */
  find: "",
  position,
  /** the player's own spots, and their range */
  text: (position.spots ?? []).map((s: number[]) => s.join(", ")).join("\n"),
  range: String(position.range ?? 20),
  /** the first tile of a picture of walls, and its pixels per tile */
  at: "",
  pixels: "1",
  /** a message, and the part of the dialog that shows it: "spots" or "walls" */
  note: "",
  about: "",
});

function draw(context: Context, state: State) {
  return dialogIn(context, {
    title: words.setupTitle,
    body: html`${regionList(context, state)}${settingsForm(context, state)}${ownSpots(context, state)}${wallsForm(context, state)}
      <h3>${words.pictureTitle}</h3>${pictureForm(context)}`,
  });
}

function regionList(context: Context, state: State) {
  const query = state.find.trim().toLowerCase();
  const shown = regions.filter((r) => r.name.toLowerCase().includes(query));
  return html`<h3>${words.regions}</h3>
    <input class="field" type="search" aria-label=${words.find} placeholder=${words.find} .value=${state.find}
      @input=${(e: OnInput) => {
        state.find = e.target.value;
        context.redraw();
      }}>
    <div class="list">${shown.map(
      (r) => html`<button class="list-item" aria-current=${r.id === state.position.region ? "true" : nothing}
        @click=${() => {
          chooseClue(context, { region: r.id });
          context.open(null);
        }}><b>${capital(r.name)}</b><span>${words.regionLine(r)}</span></button>`,
    )}</div>`;
}

function settingsForm(context: Context, state: State) {
  const change = (part: Partial<Position>) => {
    state.position = { ...state.position, ...part };
    context.commit(state.position, words.optionsChanged);
  };
  const { position } = state;
  const floors = [0, 1, 2, 3].map((n): [number, number] => [n, n]);
  return html`<h3>${words.options}</h3>
    ${tick(words.meerkats, position.meerkats, (meerkats) => change({ meerkats }))}
    ${tick(words.levels, position.levels === "use", (on) => change({ levels: on ? "use" : "ignore" }))}
    <label class="check">${words.floor} ${select(floors, floorOf(position), (floor) => change({ floor }), { kind: "short" })}</label>
    ${toleranceFields(position, change)}`;
}

/** The tolerances: of tiles, and of misread pulses. */
function toleranceFields(position: Position, change: (part: Partial<Position>) => void) {
  const pick = (field: "slack" | "misread", texts: Record<string, string>) => {
    const options = Object.entries(texts).map(([n, text]): [number, string] => [Number(n), text]);
    return select(options, position[field] ?? 0, (n) => change({ [field]: n }));
  };
  return html`<label class="check">${words.slack} ${pick("slack", words.slacks)}</label>
    <label class="check">${words.misread} ${pick("misread", words.misreads)}</label>`;
}

/** A handler that stores the text of a field. */
const storeText = (state: State, field: "text" | "range" | "at" | "pixels") => (e: OnInput | OnText) => {
  state[field] = e.target.value;
};

function ownSpots(context: Context, state: State) {
  return html`<h3>${words.own}</h3><p class="quiet">${words.ownHow}</p>
    <textarea class="field" rows="4" aria-label=${words.own} placeholder="2990, 3390, 0" .value=${state.text} @input=${storeText(state, "text")}></textarea>
    <div class="row wrap"><label class="check">${words.ownRange} <input class="field short" inputmode="numeric" .value=${state.range} @input=${storeText(state, "range")}></label>
    <button class="soft" @click=${() => takeSpots(context, state)}>${words.ownTake}</button></div>${note(state, "spots")}`;
}

/** The message of a part of the dialog. */
function note(state: State, about: string) {
  return state.note && state.about === about
    ? html`<p class="note" role="status">${state.note}</p>`
    : nothing;
}

async function takeSpots(context: Context, state: State) {
  try {
    await takePasted(context, state.text, Number.parseInt(state.range, 10));
    context.open(null);
  } catch (fault) {
    showFault(context, state, fault, "spots");
  }
}

/** Start a clue with the spots of a text, which the engine parses; throws the engine's fault. */
export async function takePasted(context: Context, text: string, range: number) {
  const found = await context.ask({ want: "paste", position: {}, options: { text } }).promise;
  const { spots } = found;
  range = found.range ?? range;
  if (!Number.isInteger(range) || range < 0 || range > 500) throw new Error(words.rangeWanted);
  await context.ask({ want: "doubt", position: { range, spots } }).promise; // throws for spots off the map
  chooseClue(context, { range, spots });
  context.notify(words.ownTaken(spots.length));
}

function wallsForm(context: Context, state: State) {
  return html`<h3>${words.wallsTitle}</h3><p class="quiet">${words.wallsHow}</p>
    <div class="row wrap"><label class="check">${words.wallsAt} <input class="field" placeholder="2990, 3390" .value=${state.at} @input=${storeText(state, "at")}></label>
    <label class="check">${words.wallsPixels} <input class="field short" inputmode="numeric" .value=${state.pixels} @input=${storeText(state, "pixels")}></label>
    ${fileButton(words.wallsFile, (files) => takeWalls(context, state, files), { multiple: true })}</div>${note(state, "walls")}`;
}

/** Take walls from a picture, a text grid or collision files. */
async function takeWalls(context: Context, state: State, files: File[]) {
  const file = files[0];
  if (!file) return;
  try {
    const collision = files.filter(({ name }) => /^collision-\d+-\d+-\d+\.bin$/.test(name));
    if (collision.length) {
      const byName = new Map(
        collision.map((one) => [one.name, async () => toBase64(new Uint8Array(await one.arrayBuffer()))]),
      );
      const taken = await takeGrounds(context, byName);
      Object.assign(state, { note: words.terrain.taken(taken.length), about: "walls" });
      context.redraw();
      return;
    }
    const at = state.at.trim() ? twoNumbers(state.at) : null;
    const text = file.type.startsWith("image/")
      ? await readWallsPicture(file, Number(state.pixels) || 1)
      : await file.text();
    const options = { text, ...(at ? { at } : {}) };
    const { position } = state;
    const found = await context.ask({ want: "walls", position, options }).promise;
    state.position = { ...position, walls: { ...(position.walls ?? {}), grid: found.grid } };
    context.commit(state.position, words.painted);
    Object.assign(state, { note: words.wallsTaken(found), about: "walls" });
    context.redraw();
  } catch (fault) {
    showFault(context, state, fault, "walls");
  }
}

/**
 * Save the ground of every region whose collision files are complete; returns those regions.
 * @param files base64 by name
 */
async function takeGrounds(context: Context, files: Map<string, () => Promise<string>>) {
  const made: SavedGround[] = [];
  for (const region of byId.keys()) {
    const names = collisionFiles(region);
    if (!names.every((name) => files.has(name))) continue;
    const collision = await Promise.all(
      names.map(async (name) => ({ name, data: (await files.get(name)?.()) ?? "" })),
    );
    const found = await context.ask({ want: "walls", position: { region }, options: { collision } }).promise;
    if (!found.ground) continue;
    made.push({ region, ground: found.ground, ...(found.floors ? { floors: found.floors } : {}) });
  }
  const { region } = context.position;
  if (region != null && !made.some((one) => one.region === region))
    throw new Error(words.terrain.missing(collisionFiles(region)));
  const others = (context.view.grounds ?? []).filter((one) => !made.some((m) => m.region === one.region));
  context.set({ grounds: [...others, ...made], chosen: "", routeWalk: null });
  return made.map((one) => one.region);
}

function showFault(context: Context, state: State, fault: unknown, about: string) {
  Object.assign(state, { note: placedFault(fault), about });
  context.redraw();
}

/** The message of an error, with the line or entry. */
export function placedFault(fault: unknown) {
  const { message, where } = fault as FaultFacts;
  return /^(line|entry) /.test(where ?? "") ? `${where}: ${message}` : message;
}

function twoNumbers(text: string): [number, number] {
  const numbers = text.match(/-?\d+/g)?.map(Number) ?? [];
  if (numbers.length !== 2) throw new Error(words.numbersWanted);
  return [numbers[0], numbers[1]];
}

const DARK = 128; // below this brightness, or this opacity, a pixel is a wall
const MAX_TILES = 1 << 24; // more than the engine accepts, so that its error names the limit

/**
 * A picture as a text grid with one character for each tile. Dark and transparent pixels are walls; in a picture
 * without light pixels, the opaque ones are.
 * @param pixels of a tile; the middle one counts
 */
async function readWallsPicture(file: Blob, pixels: number) {
  const bitmap = await createImageBitmap(file).catch(() => null);
  if (!bitmap) throw new Error(words.pictureFailed);
  const [width, height] = [bitmap.width, bitmap.height].map((side) => Math.max(1, Math.round(side / pixels)));
  if (width * height > MAX_TILES) throw new Error(words.wallsLarge(width, height));
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width, height });
  const g = canvas.getContext("2d", { willReadFrequently: true }) as CanvasRenderingContext2D;
  g.imageSmoothingEnabled = false;
  g.drawImage(bitmap, 0, 0, width, height);
  const { data } = g.getImageData(0, 0, width, height);
  const drawn = (i: number) => data[i + 3] >= DARK;
  const light = (i: number) => drawn(i) && data[i] + data[i + 1] + data[i + 2] >= 3 * DARK;
  const all = Array.from({ length: width * height }, (_, i) => 4 * i);
  const over = all.some(drawn) && !all.every(drawn) && !all.some(light);
  const sign = (i: number) => ((over ? drawn(i) : !light(i)) ? "#" : ".");
  const row = (y: number) => Array.from({ length: width }, (_, x) => sign(4 * (y * width + x))).join("");
  return Array.from({ length: height }, (_, y) => row(y)).join("\n");
}
