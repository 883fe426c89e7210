/**
 * The player's map pictures, drawn under the areas and saved in this browser. A picture is placed by an affine
 * fit of spots selected in it, or by two points with coordinates.
 */

import { html, nothing, svg } from "../../vendor.js";
import { fileButton } from "../../widgets/file.js";
import type { Anchor, Picture } from "../../widgets/map/geometry.js";
import { fitAffine, overlaps, placed } from "../../widgets/map/geometry.js";
import type { OnInput } from "../../widgets/on.js";
import type { Context, View } from "./model.js";
import { boxOf, spotsOf } from "./model.js";
import { words } from "./strings.js";

/** A saved picture; `points` and `width` are in pixels of the chosen file, `src` may be smaller. */
export type SavedPicture = { src: string; width?: number; points: Anchor[] };

const MAX_SIDE = 2048; // px; larger pictures are scaled down before they are saved

/** Loaded pictures by source. Each is the same object until its points change, so that the map is not redrawn. */
const loaded: Map<string, { image: HTMLImageElement; points: Anchor[] | null; picture: Picture | null }> =
  new Map();

/** All saved pictures, the newest last. */
const savedPictures = (view: View): SavedPicture[] => [
  ...(view.picture?.points ? [view.picture] : []),
  ...(view.pictures ?? []),
];

/** The loaded pictures that overlap the map. */
export function picturesOf(context: Context): Picture[] {
  const box = boxOf(context.position);
  return savedPictures(context.view)
    .map((saved) => loadedPicture(context, saved))
    .filter((picture) => picture !== null)
    .filter((picture) => overlaps(picture, box));
}

/** A saved picture for the map; null until it is loaded, which redraws the page. */
function loadedPicture(context: Context, saved: SavedPicture): Picture | null {
  let entry = loaded.get(saved.src);
  if (!entry) {
    const image = new Image();
    entry = { image, points: null, picture: null };
    loaded.set(saved.src, entry);
    image.onload = () => context.redraw();
    image.src = saved.src;
  }
  if (!entry.image.complete || !entry.image.width) return null;
  if (entry.points !== saved.points)
    Object.assign(entry, {
      points: saved.points,
      picture: placed(saved.points, entry.image, (saved.width ?? entry.image.width) / entry.image.width),
    });
  return entry.picture;
}

export function pictureForm(context: Context) {
  const there = savedPictures(context.view);
  return html`<p class="quiet">${words.pictureHow}</p>
    <div class="row wrap">${fileButton(words.pictureFile, ([file]) => loadDraft(context, file), { accept: "image/*" })}</div>
    ${draft ? placementForm(context, draft) : nothing}
    ${problem ? html`<p class="note warn" role="alert">${problem}</p>` : nothing}
    ${there.length ? html`<p class="quiet">${words.pictureKept}</p>` : nothing}
    <div class="row wrap">${there.map(
      (saved, i) =>
        html`<button class="plain picture-kept" @click=${() => removePicture(context, saved)}><img alt="" src=${saved.src}>${words.pictureRemove(i)}</button>`,
    )}</div>`;
}

/** The form that places the chosen picture by spots or by coordinates. */
function placementForm(context: Context, chosen: Draft) {
  return html`${fitForm(context, chosen, (points) => savePicture(context, chosen, points))}
    <details class="more"><summary>${words.pictureTyped}</summary><div class="stack-small">
    <p class="quiet">${words.pictureTypedHow}</p>
    ${[0, 1].map(
      (i) =>
        html`<label class="check">${words.picturePoint(i + 1)} <input class="field" placeholder="100, 200 → 2990, 3390" .value=${texts[i]} @input=${(
          e: OnInput,
        ) => {
          texts[i] = e.target.value;
        }}></label>`,
    )}
    <button class="soft" @click=${() => placeByCoordinates(context, chosen)}>${words.pictureTypedPlace}</button></div></details>`;
}

/** a picture that is chosen, but not placed yet */
type Draft = { src: string; width: number; height: number };

let draft: Draft | null = null;
/** the coordinates as typed */
const texts: [string, string] = ["", ""];
/** the error that is shown, "" without one */
let problem = "";

async function loadDraft(context: Context, file: File | undefined) {
  if (!file) return;
  try {
    const bitmap = await createImageBitmap(file);
    const shrink = Math.min(1, MAX_SIDE / Math.max(bitmap.width, bitmap.height));
    const canvas = document.createElement("canvas");
    canvas.width = Math.round(bitmap.width * shrink);
    canvas.height = Math.round(bitmap.height * shrink);
    canvas.getContext("2d")?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
    draft = { src: canvas.toDataURL("image/webp", 0.85), width: bitmap.width, height: bitmap.height };
    problem = "";
  } catch {
    problem = words.pictureFailed;
    context.notify(problem);
  }
  context.redraw();
}

/** Place the picture by the typed coordinates, or set the problem. */
function placeByCoordinates(context: Context, chosen: Draft) {
  const numbers = texts.map((text) => text.match(/-?\d+/g)?.map(Number) ?? []);
  problem = placementError(context, numbers, chosen);
  if (!problem) {
    const points: Anchor[] = numbers.map((n) => ({ pixel: [n[0], n[1]], tile: [n[2], n[3]] }));
    savePicture(context, chosen, points);
  }
  context.redraw();
}

function savePicture(context: Context, chosen: Draft, points: Anchor[]) {
  context.set({
    pictures: [...(context.view.pictures ?? []), { src: chosen.src, width: chosen.width, points }],
  });
  draft = null;
  problem = "";
  texts.fill("");
  context.open(null);
}

/** Why the two points do not place the picture on this map; "" if they do. */
function placementError(context: Context, [a, b]: number[][], chosen: Draft) {
  if (a.length !== 4 || b.length !== 4) return words.pictureBad;
  const east = (b[2] - a[2]) / (b[0] - a[0]);
  const south = (a[3] - b[3]) / (b[1] - a[1]);
  if (!(east > 0 && south > 0 && Number.isFinite(east + south))) return words.pictureBad;
  const points = [a, b].map((n) => ({ pixel: [n[0], n[1]], tile: [n[2], n[3]] }) as Anchor);
  return overlaps(placed(points, chosen, 1), boxOf(context.position)) ? "" : words.pictureElsewhere;
}

function removePicture(context: Context, saved: SavedPicture) {
  problem = "";
  loaded.delete(saved.src);
  const pictures = (context.view.pictures ?? []).filter((other: SavedPicture) => other !== saved);
  context.set({ pictures, ...(context.view.picture === saved ? { picture: null } : {}) });
  context.redraw();
}

/** in the file */
type Pixel = [number, number];

const TILE_TOLERANCE = 2; // tiles between a selected point and its spot
const SCREEN_TOLERANCE = 6; // further pixels of the screen

/** The selected points of the picture that is being placed. */
const pressed = {
  /** source of that picture */
  of: "",
  spots: new Map() as Map<number, Pixel>,
  /** the point whose spot is not chosen yet */
  open: null as Pixel | null,
  /** the picture is shown in full size */
  large: false,
  /** pixels of the file that one of the screen covers */
  coarse: 1,
};

/** The picture with the selected points, and the quality of the fit. */
function fitForm(context: Context, chosen: Draft, place: (points: Anchor[]) => void) {
  if (pressed.of !== chosen.src) clear(chosen.src);
  const fit = fitSpots(context);
  return html`<p class="quiet">${words.fit.how}</p>
    <div class=${pressed.large ? "fit large" : "fit"} role="region" aria-label=${words.fit.picture} tabindex="0">
      <div class="fit-sheet"><img alt="" src=${chosen.src} @click=${(e: MouseEvent) => press(context, e, chosen)}>${marks(chosen)}</div></div>
    <div class="row wrap"><button class="plain" aria-pressed=${pressed.large} @click=${() => {
      pressed.large = !pressed.large;
      context.redraw();
    }}>${pressed.large ? words.fit.smaller : words.fit.larger}</button>
      ${pressed.spots.size ? html`<button class="plain" @click=${() => restart(context, chosen)}>${words.fit.again}</button>` : nothing}</div>
    ${pressed.open ? spotChoice(context) : nothing}
    <p class=${fit.warn ? "note warn" : "note"} role="status">${fit.line}</p>
    <button class="soft" ?disabled=${!fit.points} @click=${() => fit.points && place(fit.points)}>${words.picturePlace}</button>`;
}

function clear(src: string) {
  pressed.spots.clear();
  Object.assign(pressed, { of: src, open: null });
}

function restart(context: Context, chosen: Draft) {
  clear(chosen.src);
  context.redraw();
}

function press(context: Context, event: MouseEvent, chosen: Draft) {
  const image = event.target as HTMLImageElement;
  pressed.coarse = chosen.width / image.clientWidth;
  pressed.open = [event.offsetX * pressed.coarse, (event.offsetY * chosen.height) / image.clientHeight];
  context.redraw();
}

/** The choice of the spot at the pressed point. */
function spotChoice(context: Context) {
  return html`<p>${words.fit.which}</p><div class="chips fit-numbers">${spotsOf(context.position).map(
    (_, i) =>
      html`<button class="chip" aria-label=${words.fit.this(i)} @click=${() => {
        if (pressed.open) pressed.spots.set(i, pressed.open);
        pressed.open = null;
        context.redraw();
      }}>${i + 1}</button>`,
  )}</div>`;
}

function marks({ width, height }: Draft) {
  const size = Math.max(width, height) / 60;
  const all = [...pressed.spots].map(([i, pixel]) => ({ pixel, name: String(i + 1) }));
  if (pressed.open) all.push({ pixel: pressed.open, name: "?" });
  return html`<svg class="fit-marks" viewBox=${`0 0 ${width} ${height}`} aria-hidden="true">${all.map(
    ({ pixel: [x, y], name }) =>
      svg`<circle cx=${x} cy=${y} r=${size}></circle><text x=${x} y=${y + 0.35 * size} font-size=${size}>${name}</text>`,
  )}</svg>`;
}

/** The fit of the selected points as a sentence, and the anchors of the picture if there are enough points. */
function fitSpots({ position }: Context): { line: string; warn: boolean; points: Anchor[] | null } {
  const spots = spotsOf(position);
  const known: Anchor[] = [...pressed.spots].map(([i, pixel]) => ({
    pixel,
    tile: [spots[i][0], spots[i][1]],
  }));
  if (known.length < 2) return { line: words.fit.more(2 - known.length), warn: false, points: null };
  const found = fitAffine(known);
  if (!found) return { line: words.fit.never, warn: true, points: null };
  const most = Math.max(...found.off);
  const worst = [...pressed.spots.keys()][found.off.indexOf(most)];
  const bad = most > TILE_TOLERANCE + SCREEN_TOLERANCE * pressed.coarse * found.scale;
  const line = bad
    ? words.fit.bad(known.length > 2 ? worst : null, most)
    : words.fit.good(known.length, most, found.scale);
  return { line, warn: bad, points: found.anchors };
}
