/** The player's own map picture under the areas: placed by two points, kept in this browser. */
import { html, nothing } from "../../vendor.js";
import { words } from "./words.js";

/** @typedef {import("../desk.js").Context} Context */
/** @typedef {{pixel: [number, number], tile: [number, number]}} Point */

const LONGEST = 2048; // px; larger pictures are made smaller before they are kept

/** @type {{src: string, image: HTMLImageElement} | null} */
let loaded = null;

/** The picture as the map wants it, once it is loaded. @param {Context} context */
export function pictureOf(context) {
  const kept = context.view.picture;
  if (!kept?.points) return null;
  if (loaded?.src !== kept.src) {
    const image = new Image();
    loaded = { src: kept.src, image };
    placed = null;
    image.onload = () => context.redraw();
    image.src = kept.src;
  }
  if (!loaded?.image.complete || !loaded.image.width) return null;
  if (placed && placed.points === kept.points) return placed.picture;
  const picture = place(kept.points, loaded.image);
  placed = { points: kept.points, picture };
  return picture;
}

/** @type {{points: Point[], picture: ReturnType<typeof place>} | null} one object while nothing changes */
let placed = null;

/** @param {Point[]} points @param {HTMLImageElement} image */
export function place([a, b], image) {
  const tiles = (b.tile[0] - a.tile[0]) / (b.pixel[0] - a.pixel[0]);
  const tilesDown = (a.tile[1] - b.tile[1]) / (b.pixel[1] - a.pixel[1]);
  return {
    image,
    tiles,
    tilesDown,
    x: a.tile[0] + 0.5 - a.pixel[0] * tiles,
    y: a.tile[1] + 0.5 + a.pixel[1] * tilesDown,
  };
}

/** @param {Context} context */
export function pictureForm(context) {
  const kept = draft ?? context.view.picture;
  return html`<p class="quiet">${words.pictureHow}</p>
    <div class="row wrap"><label class="soft file">${words.pictureFile}<input class="unseen" type="file" accept="image/*" @change=${(/** @type {any} */ e) => take(context, e.target.files?.[0])}></label>
    ${kept ? html`<button class="plain" @click=${() => drop(context)}>${words.pictureRemove}</button>` : nothing}</div>
    ${
      kept
        ? html`<img class="picture-small" alt="" src=${kept.src} @click=${(/** @type {MouseEvent} */ e) => point(context, e)}>
      ${[0, 1].map(
        (i) =>
          html`<label class="check">${words.picturePoint(i + 1)} <input class="field" placeholder="100, 200 → 2990, 3390" .value=${texts[i]} @input=${(
            /** @type {any} */ e,
          ) => {
            texts[i] = e.target.value;
          }}></label>`,
      )}
      <button class="soft" @click=${() => fix(context, kept)}>${words.picturePlace}</button>
      ${problem ? html`<p class="note warn" role="alert">${problem}</p>` : nothing}`
        : nothing
    }`;
}

/** @type {any} chosen, but not placed yet */
let draft = null;
/** @type {[string, string]} */
const texts = ["", ""];
let problem = "";

/** @param {Context} context @param {File | undefined} file */
async function take(context, file) {
  if (!file) return;
  try {
    const bitmap = await createImageBitmap(file);
    const shrink = Math.min(1, LONGEST / Math.max(bitmap.width, bitmap.height));
    const canvas = document.createElement("canvas");
    canvas.width = Math.round(bitmap.width * shrink);
    canvas.height = Math.round(bitmap.height * shrink);
    canvas.getContext("2d")?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
    draft = { src: canvas.toDataURL("image/webp", 0.85) };
    problem = "";
  } catch {
    problem = words.pictureFailed;
    context.tell(problem);
  }
  context.redraw();
}

/** A press on the small picture fills in the pixel of the next point. @param {Context} context @param {MouseEvent} event */
function point(context, event) {
  const image = /** @type {HTMLImageElement} */ (event.target);
  const x = Math.round((event.offsetX * image.naturalWidth) / image.clientWidth);
  const y = Math.round((event.offsetY * image.naturalHeight) / image.clientHeight);
  const i = texts[0] ? 1 : 0;
  texts[i] = `${x}, ${y} → ${texts[i].split("→")[1]?.trim() ?? ""}`;
  context.redraw();
}

/** @param {Context} context @param {any} kept */
function fix(context, kept) {
  const numbers = texts.map((text) => text.match(/-?\d+/g)?.map(Number) ?? []);
  const [a, b] = numbers;
  if (a.length !== 4 || b.length !== 4 || [0, 1, 2, 3].some((i) => a[i] === b[i])) problem = words.pictureBad;
  else {
    problem = "";
    draft = null;
    const points = numbers.map((n) => ({ pixel: [n[0], n[1]], tile: [n[2], n[3]] }));
    context.set({ picture: { src: kept.src, points } });
    context.open(null);
  }
  context.redraw();
}

/** @param {Context} context */
function drop(context) {
  draft = null;
  texts.fill("");
  problem = "";
  context.set({ picture: null });
}
