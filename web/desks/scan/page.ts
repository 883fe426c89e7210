/** The scan desk: scan clues on a tile map. */

import { html, nothing } from "../../vendor.js";
import { plainLines } from "../../widgets/file.js";
import "../../widgets/map/tile-map.js";
import type { MapEvents } from "../../widgets/map/geometry.js";
import { explained } from "../../widgets/term.js";
import { waiting } from "../../widgets/waiting.js";
import type { Binding, DeskPage } from "../desk.js";
import { advicePanel, cannotStandButton, changesOf, chosenOption, digOf } from "./advice.js";
import { bar } from "./bar.js";
import {
  addSpot,
  chooseArrowSpot,
  isEmpty,
  observe,
  paint,
  removeSpot,
  stand,
  toggleRuledOut,
} from "./edits.js";
import { examples, mini, spotsLeft } from "./examples.js";
import { picturesOf } from "./map-images.js";
import type { Classes, Context, Desk, Position, Requests, Tile, View } from "./model.js";
import {
  abilitiesOf,
  arrowOf,
  classesOf,
  floorOf,
  hereOf,
  leftOf,
  listenOptions,
  mapModel,
  nameOf,
  rangeOf,
  spotsOf,
  startOf,
  stopOf,
} from "./model.js";
import { doubt, log, review, reviewRequest } from "./observation-log.js";
import { arrow, floors, observePanel, openArrivals, tools, wantsArrival } from "./observe.js";
import { isBlind, listenAt, listenRequest, practice } from "./practice.js";
import { byId } from "./regions.js";
import { fewest, planOf, route, routeRequest } from "./route.js";
import { openSetup, placedFault, takePasted } from "./setup.js";
import { capital, words } from "./strings.js";
import { withTerrain } from "./terrain.js";
import { addStairs, addTeleport, landingsOf, landmarksOf, moveEnd } from "./transports.js";

const SPOT = /^([([]?\d{3,5} ?[, ] ?\d{3,5}( ?[, ] ?[0-3])?[)\]]?([;,| ]+|$))+$/;
const JSON_SPOTS = /^\s*(\[\s*[[{]|\{\s*"(range|spots)")[\s\S]*\d/;

export const page: DeskPage<Desk> = {
  name: "scan",
  initial: () => ({ desk: "scan", v: 1, region: 364 }),
  anew: ({ observations: _, ruled_out: __, practice: ___, ...rest }) => rest,
  examples,
  lasting: [
    "study",
    "pictures",
    "stop",
    "policy",
    "listen",
    "reaction",
    "abilities",
    "teleports",
    "stairs",
    "blocked",
    "grounds",
  ],
  accept,
  title: (position) => [
    capital(nameOf(position)),
    words.soFar(spotsOf(position).length, spotsLeft(position), position.observations?.length ?? 0),
  ],
  listRequests,
  draw,
  bar: (context) => bar(context, isBlind(context.position, context.view)),
  keys,
  describe,
  mini,
  asks: words.asks,
  fresh: (position) => {
    const { observations, ruled_out, practice: _, ...rest } = position;
    return observations?.length || ruled_out?.length ? rest : null;
  },
  recognises: (text) => JSON_SPOTS.test(text) || plainLines(text).some((line) => SPOT.test(line)),
  paste(text, context) {
    if (text.length > 20_000 || !/\d\D+\d/.test(text)) return false;
    takePasted(context, text, context.position.range ?? rangeOf(context.position) ?? 20).catch((fault) =>
      context.notify(placedFault(fault)),
    );
    return true;
  },
};

/** Check what drawing needs beyond the schema; the engine checks the rules. */
function accept(position: Position) {
  const { region = null, observations = [] } = position;
  if (region !== null && !byId.has(region)) throw new Error("Its region is unknown.");
  if (!observations.every(({ at, area }) => at || area)) throw new Error("A pulse of it has no place.");
  return Object.fromEntries(Object.entries(position).filter(([, value]) => value !== null));
}

function listRequests(position: Position, view: View) {
  const requests: Requests = {};
  if (isEmpty(position)) return requests;
  position = withTerrain(position, view);
  const { practice: hidden, ...bare } = position;
  const { here: _, ...map } = bare;
  const tally = hidden ? listenRequest(position, view) : null;
  if (tally) requests.listen = tally;
  const back = reviewRequest(position, view);
  if (back) requests.review = { ...back, urgency: "last" };
  if (isBlind(position, view)) return requests;
  const stop = stopOf(view);
  if (view.fewest) requests.fewest = { want: "fewest", position: map, options: { stop }, urgency: "last" };
  if (view.route) requests.route = { ...routeRequest(bare, view), urgency: "last" };
  const options = {
    policy: view.policy ?? "search",
    stop,
    ...listenOptions(view),
    ...abilitiesOf(view),
  };
  requests.next = { want: "next", position: bare, options };
  const clues = (position.observations?.length ?? 0) + (position.ruled_out?.length ?? 0);
  if (clues) requests.doubt = { want: "doubt", position: map, urgency: "first" };
  requests.classes = { want: "classes", position: map, options: { drawing: true }, urgency: "first" };
  const rows = view.route ? (view.routeWalk?.rows ?? []) : [];
  if (rows.length) {
    const observations = [...(map.observations ?? []), ...rows];
    const floor = rows.at(-1)?.at?.[2] ?? map.floor;
    requests.walked = {
      want: "classes",
      position: { ...map, observations, ...(floor ? { floor } : {}) },
      options: { drawing: true },
    };
  }
  return requests;
}

function draw(context: Context) {
  const { position, view } = context;
  const blind = isBlind(position, view);
  return html`<div class="scan-desk">
    <section class="map-side">${map(context, blind)}${isEmpty(position) ? emptyMap(context) : tools(context)}</section>
    <div class="side">
      ${head(context)}
      ${
        isEmpty(position)
          ? tools(context)
          : html`${doubt(context)}
        ${position.practice ? practice(context) : arrow(context)}
        ${blind ? hiddenNote(context) : arrowOf(context) ? nothing : advicePanel(context)}
        ${position.practice || arrowOf(context) ? nothing : observePanel(context)}
        ${review(context)}
        ${log(context)}
        ${
          blind || leftOf(context)?.size === 0
            ? nothing
            : html`<div>${route(context)}${fewest(context)}${position.practice ? nothing : practice(context)}</div>`
        }`
      }
    </div>
  </div>`;
}

/** The note in place of the advice during practice. */
function hiddenNote({ replies }: Context) {
  return replies.listen?.value?.spot == null ? html`<p class="quiet">${words.hidden}</p>` : nothing;
}

function head(context: Context) {
  const { position, replies, view } = context;
  const spots = spotsOf(position);
  const left = isBlind(position, view) ? null : leftOf(context);
  const found = replies.classes;
  const areas = found && !found.stale && !found.fault ? (classesOf(context)?.classes ?? null) : null;
  const classes = classesOf(context);
  const several = position.levels === "use" && new Set(spots.map((spot) => spot[2])).size > 1;
  const floor = several ? floorOf(position) : null; // areas are those of one floor
  const line = words.line(rangeOf(position), spots.length, areas, Boolean(position.meerkats), floor);
  return html`<header class="stack-small">
    <div class="between"><div><h1>${capital(nameOf(position))}</h1><p class="sub">${spots.length ? line : ""}</p></div>
      <button class="plain" data-edit @click=${() => openSetup(context)}>${words.change}</button></div>
    ${
      left && spots.length
        ? html`<p class=${found?.stale && !found.fault ? "left stale" : "left"}><b>${left.size}</b><span>${words.left(left.size)}<br>
        <span class="faint">${explained(words.leftOf(spots.length, left.size))}</span></span></p>`
        : nothing
    }
    ${left && classes?.chances ? html`<p class="quiet">${words.likely(likeliest(classes))}</p>` : nothing}
    ${found?.fault?.kind === "contradiction" || isEmpty(position) ? nothing : waiting(found, { phase: context.phase, again: () => context.again("classes"), note: words.waitingMap, room: "line" })}
  </header>`;
}

/** The three likeliest spots with their chances. */
function likeliest({ left, chances }: Classes): [number, number][] {
  const pairs: [number, number][] = (left ?? []).map((spot, i) => [spot, chances?.[i] ?? 0]);
  return pairs.toSorted((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, 3);
}

function map(context: Context, blind: boolean) {
  const option = blind || context.view.route || arrowOf(context) ? null : chosenOption(context);
  const fresh = option && !context.replies.next?.stale;
  const plan = blind ? null : planOf(context);
  const path = plan?.path ?? [];
  const dig = blind ? null : digOf(context);
  const uses = (fresh ? option.uses : dig?.uses) ?? [];
  const target = fresh ? option.tile : dig ? dig.at : (path.at(-1) ?? null);
  const model = mapModel(blind ? { ...context, replies: {} } : context, {
    target,
    uses: plan?.uses ?? uses,
    path: path.length
      ? path
      : target
        ? [startOf(context), ...uses.flatMap(({ at, to }) => [at, to]), target]
        : [],
    pictures: picturesOf(context),
    landmarks: landmarksOf(context).map(({ name, at: [x, y] }) => ({ name, x, y })),
    ...(plan?.answers.length ? { walked: plan.left, floor: plan.floor ?? floorOf(context.position) } : {}),
  });
  const practised = context.replies.listen?.value;
  if (practised?.spot != null) model.spots[practised.spot].chosen = true;
  return html`<tile-map class="map" .model=${model} .events=${events(context)}></tile-map>${floors(context)}
    ${isEmpty(context.position) ? nothing : playTools(context, fresh ? option.tile : null)}`;
}

/** Over the map: the number of spots left, the choice of the arrival, the button for an unreachable tile. */
function playTools(context: Context, advised: Tile | null) {
  const { position } = context;
  const left = isBlind(position, context.view) ? null : leftOf(context);
  const asks = wantsArrival(position) && !context.readOnly && landingsOf(context).length;
  return html`${left ? html`<p class="map-chip">${words.leftChip(left.size, spotsOf(position).length)}</p>` : nothing}
    <div class="map-play">
      ${asks ? html`<button class="soft" data-edit aria-haspopup="dialog" @click=${() => openArrivals(context)}>${words.landing.title}</button>` : nothing}
      ${advised && !position.practice && !changesOf(context) ? cannotStandButton(context, advised) : nothing}
    </div>`;
}

/** The empty map, with a button to set up a clue. */
function emptyMap(context: Context) {
  return html`<div class="map-empty"><p>${words.empty}</p><button class="main" data-edit @click=${() => openSetup(context)}>${words.begin}</button></div>`;
}

function events(context: Context): MapEvents {
  const { position, view } = context;
  const tool = view.tool ?? "stand";
  return {
    onTile(tile) {
      if (position.practice) listenAt(context, tile);
      else if (tool === "spot" && !position.region) addSpot(context, tile);
      else if (tool === "wall" || tool === "free") paint(context, [...tile, ...tile], tool === "wall");
      else if (tool === "area") context.set({ drawn: [...tile, ...tile] });
      else if (tool === "port") addTeleport(context, tile);
      else if (tool === "stairs") addStairs(context, tile);
      else if (!moveEnd(context, tile)) stand(context, tile);
    },
    onSpot(spot) {
      if (position.practice) return false;
      const left = tool === "stand" ? arrowOf(context) : null;
      if (left?.includes(spot)) chooseArrowSpot(context, left, spot);
      else if (tool === "rule") toggleRuledOut(context, spot);
      else if (tool === "spot" && !position.region) removeSpot(context, spot);
      else return false;
      return true;
    },
    onBox(box) {
      if (tool === "area") context.set({ drawn: box });
      else if (tool === "wall" || tool === "free") paint(context, box, tool === "wall");
    },
    onReach: () => context.set({ reach: !view.reach }),
    announce: context.announce,
  };
}

function keys(context: Context): Binding[] {
  const { position, view } = context;
  const idle = () => !isEmpty(position) && !position.practice;
  const tool = (key: string, name: string) => ({
    keys: [key],
    label: words.tools[name],
    run: () => context.set({ tool: name, drawn: null }),
  });
  return [
    ...[1, 2, 3].map((pulse) => ({
      keys: [String(pulse)],
      label: `${words.hereTitle}: ${words.pulse(pulse)}`,
      when: idle,
      run: () => observeHere(context, pulse),
    })),
    { keys: ["b"], label: words.study, run: () => context.set({ study: !view.study }) },
    tool("s", "stand"),
    tool("x", "rule"),
    tool("a", "area"),
    tool("w", "wall"),
    { keys: ["r"], label: words.map.reach, run: () => context.set({ reach: !view.reach }) },
    { keys: ["c"], label: words.setupTitle, opens: true, run: () => openSetup(context) },
  ];
}

/** Record a pulse at the current tile, or at the advised one if the current tile has a pulse already. */
function observeHere(context: Context, pulse: number) {
  const { position, replies } = context;
  const here = hereOf(position);
  const noted = (position.observations ?? []).some(
    ({ at, ignored }) => !ignored && at?.[0] === here?.[0] && at?.[1] === here?.[1],
  );
  const tile = (noted && !replies.next?.stale && chosenOption(context)?.tile) || here;
  if (tile) observe(context, pulse, tile);
  else context.notify(words.hereUnknown);
}

function describe(context: Context) {
  const { position, replies, view } = context;
  if (isEmpty(position)) return [words.empty];
  const doubted = replies.doubt?.value?.contradiction ? [words.doubtTitle] : [];
  const areas = replies.classes?.fault ? null : replies.classes?.value;
  const rows = (position.observations ?? []).map(
    (o, i: number) => `${words.row(i)}: ${words.pulse(o.pulse)}, ${words.place(o)}.`,
  );
  const out = (position.ruled_out ?? []).map((i) => `${words.ruled(i)}.`);
  const found = replies.next?.value;
  const options = (found?.options ?? []).map((o) => `${words.spokenOption(o)}.`);
  const dig = found?.dig ? [words.dig(found.dig)] : [];
  const name = `${capital(nameOf(position))}, ${words.line(rangeOf(position), spotsOf(position).length, null, Boolean(position.meerkats))}.`;
  const way = view.route && replies.route?.value?.tree ? [words.routeSum(replies.route.value)] : [];
  return [
    ...doubted,
    ...(areas ? [words.spotsLeft(areas)] : []),
    name,
    ...(areas ? [words.describeAreas(areas)] : []),
    ...rows,
    ...out,
    ...dig,
    ...options,
    ...way,
    words.assumed(stopOf(view), withTerrain(position, view)),
  ];
}
