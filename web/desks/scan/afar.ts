/**
 * Read from afar: a second map of the places above or below the spots. Within range + 15 tiles of one of
 * them the scan says "different level", so the sign excludes spots before one travels.
 */
import { html, nothing, svg } from "../../vendor.js";
import { stepsBetween } from "./compass.js";
import { observe, stand } from "./edits.js";
import type { Context, Tile } from "./model.js";
import { complementOf, floorOf, leftOf, rangeOf, spotsOf } from "./model.js";
import { words } from "./strings.js";

const EXTRA = 15; // tiles beyond the range at which the sign shows
const STEP = 5; // tiles that an arrow key moves

const MOVES: Record<string, Tile> = {
  ArrowLeft: [-STEP, 0],
  ArrowRight: [STEP, 0],
  ArrowUp: [0, STEP],
  ArrowDown: [0, -STEP],
};

/** The spots left, each with its place above or below; the sign of one on another floor always shows. */
function placesLeft(context: Context) {
  const left = leftOf(context);
  const floor = floorOf(context.position);
  return spotsOf(context.position).flatMap((spot, i) =>
    left && !left.has(i) ? [] : [{ number: i + 1, at: complementOf(spot), always: spot[2] !== floor }],
  );
}

/** The button that leads there, and once there the map with the keys of both answers. */
export function afar(context: Context, tile: Tile) {
  const other = complementOf(tile);
  const go = () => {
    context.set({ afar: true });
    stand(context, other);
  };
  return html`<button class="soft" title=${words.complementWhy} @click=${go}>${words.complementGo(other)}</button>
    ${context.view.afar ? html`<p class="quiet">${words.complementWhy}</p>${signMap(context, tile)}` : nothing}`;
}

function signMap(context: Context, tile: Tile) {
  const half = rangeOf(context.position) + EXTRA;
  const places = placesLeft(context);
  const near = places.filter(({ at }) => stepsBetween(at, tile) < 2000);
  if (!near.length) return nothing;
  const xs = near.map(({ at }) => at[0]);
  const ys = near.map(({ at }) => at[1]);
  const [x0, y0] = [Math.min(...xs) - half - 2, Math.min(...ys) - half - 2];
  const [wide, high] = [Math.max(...xs) + half + 3 - x0, Math.max(...ys) + half + 3 - y0];
  const down = (y: number) => y0 + high - y; // north is up
  const press = (event: MouseEvent) => {
    const drawing = event.currentTarget as SVGSVGElement;
    const place = drawing.getScreenCTM()?.inverse();
    if (!place) return;
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(place);
    stand(context, [Math.floor(at.x) + x0, Math.ceil(down(at.y)) - 1]);
  };
  const move = (event: KeyboardEvent) => {
    const by = MOVES[event.key];
    if (!by) return;
    event.preventDefault();
    event.stopPropagation();
    stand(context, [tile[0] + by[0], tile[1] + by[1]]);
  };
  return html`<svg class="afar" role="application" aria-label=${words.afar.label} tabindex="0" viewBox="0 0 ${wide} ${high}" @click=${press} @keydown=${move}>
      ${near.map(
        ({
          at: [x, y],
          number,
        }) => svg`<rect x=${x - half - x0} y=${down(y + half + 1)} width=${2 * half + 1} height=${2 * half + 1}></rect>
        <text x=${x - x0 + 0.5} y=${down(y)} font-size=${wide / 24}>${number}</text>`,
      )}
      <circle cx=${tile[0] - x0 + 0.5} cy=${down(tile[1] + 0.5)} r=${wide / 60}></circle>
    </svg>${signKeys(context, tile, places, half)}`;
}

/**
 * Both answers there, each with the spots that it leaves: so far off every pulse is a single. Plans go on
 * from the place below or above, until the player says where he arrived.
 */
function signKeys(context: Context, tile: Tile, places: ReturnType<typeof placesLeft>, half: number) {
  const shows = places.filter(({ at, always }) => always || stepsBetween(at, tile) <= half).length;
  const key = (sign: boolean, count: number) =>
    html`<button class="answer-button" ?disabled=${!count} @click=${() => observe(context, 1, tile, sign, complementOf(tile))}>
      <b>${words.afar.sign(sign)}</b><span class="quiet">${words.keeps(count)}</span></button>`;
  return html`<div class="trio" data-edit>${key(true, shows)}${key(false, places.length - shows)}</div>`;
}
