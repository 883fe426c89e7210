/** Where one stands, the three answers, and what pressing the map does. */
import { html, nothing } from "../../vendor.js";
import { choice } from "../../widgets/choice.js";
import { factsOf } from "../../widgets/map/geometry.js";
import { explained } from "../../widgets/term.js";
import { afar } from "./afar.js";
import { clearWalls, observe, observeArea, onFloor, shown, stand } from "./edits.js";
import type { Context } from "./model.js";
import { areasOf, arrowOf, floorOf, hereOf, mapModel, placeOf, profileAt, spotsOf } from "./model.js";
import { strokes } from "./observation-log.js";
import { folded } from "./route.js";
import { words } from "./strings.js";

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
    ${area ? nothing : typed(context)}
    ${area || !tile ? nothing : afar(context, tile)}
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

/** A place off the map's window, by its coordinates; what is typed stays while it is none. */
function typed(context: Context) {
  const take = (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const field = form.elements.namedItem("place") as HTMLInputElement;
    try {
      stand(context, placeOf(field.value));
      field.value = "";
    } catch (fault) {
      context.tell((fault as Error).message);
    }
  };
  return html`<form class="row wrap" @submit=${take}><label class="check">${words.standAt}
    <input class="field" name="place" autocomplete="off" placeholder="2990, 3390"></label>
    <button class="soft">${words.standGo}</button></form>`;
}

/**
 * A lift on the map: the floor one stands on, of those with spots, highest first. The map, the advice and what is noted are of that floor.
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
    onChange: (value) => onFloor(context, Number(value)),
  })}</div>`;
}

/** Spot by spot what would be seen here, and what each answer would tell. */
function profile(context: Context, tile: [number, number]) {
  return folded(context, "profile", words.profileTitle, () => {
    const { left, pulses, by } = profileAt(context, tile);
    if (left.length < 2) return html`<p class="quiet">${words.profileNone}</p>`;
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

/** A triple names one spot in the game; while several are left, she says which. */
export function arrow(context: Context) {
  const left = arrowOf(context);
  if (!left) return nothing;
  return html`<section class="note stack-small" data-edit role="status">
    <p>${words.arrowTitle}</p>
    <div class="chips">${left.map(
      (spot) =>
        html`<button class="chip" aria-label=${words.arrowShows(spot)} title=${words.arrowShows(spot)} @click=${() => shown(context, left, spot)}>${spot + 1}</button>`,
    )}</div></section>`;
}

/**
 * How many spots each pulse here would leave, with the sign as far as it was noticed; from the same answer as the map.
 */
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
