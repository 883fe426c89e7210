/** A picture of one's own is laid on the map by pressing spots in it: no coordinate is typed. */
import { html, nothing, svg } from "../../vendor.js";
import type { Anchor } from "../../widgets/map/geometry.js";
import { fitAffine } from "../../widgets/map/geometry.js";
import type { Context } from "./model.js";
import { spotsOf } from "./model.js";
import { words } from "./strings.js";

/** a picture that is chosen, but not placed yet */
export type Draft = { src: string; width: number; height: number };
/** of the file */
export type Pixel = [number, number];

const ROUGH = 2; // tiles that a press may be off
const SLIP = 6; // px of the screen that a press may be off

/** What was pressed in the picture at hand: a pixel for each spot, and the one that has no number yet. */
const pressed = {
  of: "",
  spots: new Map() as Map<number, Pixel>,
  open: null as Pixel | null,
  large: false,
  /** pixels of the file that one of the screen covers */
  coarse: 1,
};

/** The picture with what was pressed in it, and how it fits. */
export function fitForm(context: Context, chosen: Draft, place: (points: Anchor[]) => void) {
  if (pressed.of !== chosen.src) clear(chosen.src);
  const fit = fitOf(context);
  return html`<p class="quiet">${words.fit.how}</p>
    <div class=${pressed.large ? "fit large" : "fit"} role="region" aria-label=${words.fit.picture} tabindex="0">
      <div class="fit-sheet"><img alt="" src=${chosen.src} @click=${(e: MouseEvent) => press(context, e, chosen)}>${marks(chosen)}</div></div>
    <div class="row wrap"><button class="plain" aria-pressed=${pressed.large} @click=${() => {
      pressed.large = !pressed.large;
      context.redraw();
    }}>${pressed.large ? words.fit.smaller : words.fit.larger}</button>
      ${pressed.spots.size ? html`<button class="plain" @click=${() => again(context, chosen)}>${words.fit.again}</button>` : nothing}</div>
    ${pressed.open ? numbers(context) : nothing}
    <p class=${fit.warn ? "note warn" : "note"} role="status">${fit.line}</p>
    <button class="soft" ?disabled=${!fit.points} @click=${() => fit.points && place(fit.points)}>${words.picturePlace}</button>`;
}

function clear(src: string) {
  pressed.spots.clear();
  Object.assign(pressed, { of: src, open: null });
}

function again(context: Context, chosen: Draft) {
  clear(chosen.src);
  context.redraw();
}

function press(context: Context, event: MouseEvent, chosen: Draft) {
  const image = event.target as HTMLImageElement;
  pressed.coarse = chosen.width / image.clientWidth;
  pressed.open = [event.offsetX * pressed.coarse, (event.offsetY * chosen.height) / image.clientHeight];
  context.redraw();
}

/** Which spot was pressed. */
function numbers(context: Context) {
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

/** How what was pressed fits, and the picture's place if it may be placed so. */
function fitOf({ position }: Context): { line: string; warn: boolean; points: Anchor[] | null } {
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
  const bad = most > ROUGH + SLIP * pressed.coarse * found.scale;
  const line = bad
    ? words.fit.bad(known.length > 2 ? worst : null, most)
    : words.fit.good(known.length, most, found.scale);
  return { line, warn: bad, points: found.anchors };
}
