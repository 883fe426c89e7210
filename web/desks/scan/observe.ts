/** The current tile, the three answers, the map of the sign at a distance, and the tools of the map. */

import { html, nothing, svg } from "../../vendor.js";
import { dialog } from "../../widgets/dialog.js";
import { factsOf, stepsBetween } from "../../widgets/map/geometry.js";
import { choice } from "../../widgets/panel.js";
import { explained } from "../../widgets/term.js";
import { chooseArrowSpot, clearWalls, goToFloor, observe, observeArea, stand } from "./edits.js";
import type { Context, Position, Tile } from "./model.js";
import {
  areasOf,
  arrowOf,
  complementOf,
  floorOf,
  hereOf,
  leftOf,
  mapModel,
  parseTile,
  pulsesAt,
  rangeOf,
  spotsOf,
} from "./model.js";
import { strokes } from "./observation-log.js";
import { foldPanel } from "./route.js";
import { words } from "./strings.js";
import { landingsOf, tileOf } from "./transports.js";

export function observePanel(context: Context) {
  const { position, view } = context;
  const area = view.tool === "area" ? view.drawn : null;
  const tile = hereOf(position);
  const counts = area || !tile ? null : countsAt(context, tile);
  const saw = (pulse: number) =>
    area ? observeArea(context, pulse, area) : tile && observe(context, pulse, tile);
  return html`<section class="stack-small" data-edit>
    <h2>${area ? words.areaPulse : words.hereTitle}</h2>
    <p class=${area || tile ? "quiet" : "quiet keys-hint"}>${area ? words.place({ area }) : tile ? words.here(tile) : words.hereUnknown}</p>
    ${area ? nothing : tileField(context)}
    ${area || !tile ? nothing : complementPanel(context, tile)}
    ${
      position.levels === "use" || view.afar
        ? html`<div class="row wrap"><span class="quiet">${words.otherLevel}</span>${choice({ label: words.otherLevel, options: words.levelChoice, value: view.otherLevel ?? "", onChange: (value) => context.set({ otherLevel: value }) })}</div>`
        : nothing
    }
    <div class="trio">${[1, 2, 3].map(
      (pulse) => html`<button class="answer-button" ?disabled=${!area && !tile} @click=${() => saw(pulse)}>
        ${strokes(pulse)}<b>${words.pulse(pulse)}</b><span class="quiet">${words.keeps(counts ? counts[pulse - 1] : null)}</span></button>`,
    )}</div>
    ${area || !tile ? nothing : profile(context, tile)}
  </section>`;
}

/** A field for the coordinates of the current tile. */
function tileField(context: Context) {
  const take = (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const field = form.elements.namedItem("place") as HTMLInputElement;
    try {
      stand(context, parseTile(field.value));
      field.value = "";
    } catch (fault) {
      context.notify((fault as Error).message);
    }
  };
  return html`<form class="row wrap" @submit=${take}><label class="check">${words.standAt}
    <input class="field" name="place" autocomplete="off" placeholder="2990, 3390"></label>
    <button class="soft">${words.standGo}</button></form>`;
}

/**
 * The choice of the current floor on the map, highest first. The map, the advice and new observations are of
 * that floor.
 */
export function floors(context: Context) {
  const { position } = context;
  if (position.levels !== "use") return nothing;
  const now = floorOf(position);
  const ends = (position.stairs ?? []).flatMap(({ at, to }) => [at, to]);
  const all = [...new Set([now, ...[...spotsOf(position), ...ends].map(([, , level]) => level)])].sort();
  if (all.length < 2) return nothing;
  return html`<div class="lift" data-edit>${choice({
    label: words.floor,
    options: all.reverse().map((level) => [String(level), words.floorName(level)] as [string, string]),
    value: String(now),
    onChange: (value) => goToFloor(context, Number(value)),
  })}</div>`;
}

/** The pulses here spot by spot, with the information of each answer. */
function profile(context: Context, tile: [number, number]) {
  return foldPanel(context, "profile", words.profileTitle, () => {
    const { left, pulses, by } = pulsesAt(context, tile);
    if (left.length < 2) return html`<p class="quiet">${words.profileNone(left.length)}</p>`;
    const rows = [1, 2, 3].filter((pulse) => by[pulse - 1].length);
    return html`<ul class="profile">${rows.map(
      (
        pulse,
      ) => html`<li>${strokes(pulse)}<span><b>${words.pulse(pulse)}</b> ${words.spotNames(by[pulse - 1])}<br>
        <span class="quiet">${explained(words.answerBits(left.length, pulse === 3 ? 1 : by[pulse - 1].length, pulse))}</span></span></li>`,
    )}</ul>
    <p class="quiet">${words.profileLine}</p>
    <p class="profile-line">[${pulses.join(",")}]</p>`;
  });
}

/** After a triple, buttons for the spots that its arrow may show. */
export function arrow(context: Context) {
  const left = arrowOf(context);
  if (!left) return nothing;
  return html`<section class="note stack-small" data-edit role="status">
    <p>${words.arrowTitle}</p>
    <div class="chips">${left.map(
      (spot) =>
        html`<button class="chip" aria-label=${words.arrowShows(spot)} title=${words.arrowShows(spot)} @click=${() => chooseArrowSpot(context, left, spot)}>${spot + 1}</button>`,
    )}</div></section>`;
}

/** The spots that each pulse at a tile leaves, with the selected level sign; null if the areas are not current. */
function countsAt(context: Context, tile: [number, number]) {
  const areas = areasOf(context);
  if (!areas || context.replies.classes?.stale) return null;
  const number = mapModel(context, { target: null, path: [], pictures: [] }).classAt(...tile);
  if (number < 0) return null;
  const { counts } = factsOf(areas, number);
  if (counts.length === 3) return counts;
  const [same, other] = [counts.slice(0, 3), counts.slice(3)];
  if (context.view.otherLevel === "yes") return other;
  return context.view.otherLevel === "no" ? same : same.map((n, i) => n + other[i]);
}

export function tools(context: Context) {
  const { position, view } = context;
  const tool = view.tool ?? "stand";
  const { spot, ...common } = words.tools;
  const options = position.region ? common : { ...common, spot };
  return html`<div class="tools-bar" data-edit>
    ${choice({ label: words.toolsLabel, options, value: tool, onChange: (value) => context.set({ tool: value, drawn: null }) })}
    <button class="soft" aria-pressed=${Boolean(view.study)} @click=${() => context.set({ study: !view.study })}>${words.study}</button>
    <p class="quiet keys-hint">${words.toolLine[tool]}
      ${position.walls && ["wall", "free"].includes(tool) ? html`<button class="plain" @click=${() => clearWalls(context)}>${words.removeWalls}</button>` : nothing}</p>
  </div>`;
}

/** Whether the current tile is unknown and nothing was seen. */
export const wantsArrival = (position: Position) =>
  position.region != null && !hereOf(position) && !position.observations?.length;

/** The list of landings to choose the start from. */
export function openArrivals(context: Context) {
  const close = () => context.open(null);
  context.open(() =>
    dialog({
      title: words.landing.title,
      onClose: close,
      body: html`${places(context, close)}<button class="soft" @click=${close}>${words.landing.elsewhere}</button>`,
    }),
  );
}

function places(context: Context, then: () => void) {
  const rows = landingsOf(context);
  if (!rows.length) return html`<p class="quiet">${words.landing.none}</p>`;
  const arrive = (at: [number, number]) => {
    stand(context, at);
    then();
  };
  return html`<div class="list" data-edit>${rows.map(
    (one) => html`<button class="list-item" @click=${() => arrive(tileOf(context, one))}>
      <b>${one.name}</b><span>${one.group}</span></button>`,
  )}</div>`;
}

const EXTRA = 15; // tiles beyond the range at which the sign shows
const STEP = 5; // tiles that an arrow key moves

const MOVES: Record<string, Tile> = {
  ArrowLeft: [-STEP, 0],
  ArrowRight: [STEP, 0],
  ArrowUp: [0, STEP],
  ArrowDown: [0, -STEP],
};

/** The spots left, each with its tile above or below; on another floor than the current one the sign always shows. */
function complementSpots(context: Context) {
  const left = leftOf(context);
  const floor = floorOf(context.position);
  return spotsOf(context.position).flatMap((spot, i) =>
    left && !left.has(i) ? [] : [{ number: i + 1, at: complementOf(spot), always: spot[2] !== floor }],
  );
}

/** The button to go to the tile above or below, and the map of the sign with the keys of both answers. */
function complementPanel(context: Context, tile: Tile) {
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
  const places = complementSpots(context);
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
 * The keys of both answers with the spots that each leaves; at that distance every pulse is a single. The next
 * plan starts from the tile below or above, until the player enters another.
 */
function signKeys(context: Context, tile: Tile, places: ReturnType<typeof complementSpots>, half: number) {
  const shows = places.filter(({ at, always }) => always || stepsBetween(at, tile) <= half).length;
  const key = (sign: boolean, count: number) =>
    html`<button class="answer-button" ?disabled=${!count} @click=${() => observe(context, 1, tile, sign, complementOf(tile))}>
      <b>${words.afar.sign(sign)}</b><span class="quiet">${words.keeps(count)}</span></button>`;
  return html`<div class="trio" data-edit>${key(true, shows)}${key(false, places.length - shows)}</div>`;
}
