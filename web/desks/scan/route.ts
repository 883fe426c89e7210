/** The whole route: its request, its steps as the player follows them, its path on the map, and its export. */

import { html, nothing } from "../../vendor.js";
import { download } from "../../widgets/file.js";
import { drawMapPicture } from "../../widgets/map/map-picture.js";
import { readPalette } from "../../widgets/map/sheet.js";
import { foldFor, select, tick } from "../../widgets/panel.js";
import { waitingFor } from "../../widgets/waiting.js";
import type { FaultFacts } from "../desk.js";
import { picturesOf } from "./map-images.js";
import type { Abilities, Context, Node, Observation, Position, Route, Tile, View } from "./model.js";
import {
  abilitiesOf,
  floorOf,
  hereFields,
  listenOptions,
  mapModel,
  NO_ABILITIES,
  nameOf,
  rangeOf,
  ruledOutWith,
  spotsOf,
  stopOf,
} from "./model.js";
import { capital, words } from "./strings.js";
import { withTerrain } from "./terrain.js";

const LONGER_SECONDS = 10;

export function foldPanel(
  context: Context,
  flag: "route" | "fewest" | "profile" | "practice" | "ports" | "flights",
  title: string,
  body: () => unknown,
) {
  return foldFor(context, flag, title, () => html`<div class="stack-small">${body()}</div>`);
}

/** The request for the route. */
export function routeRequest(position: Position, view: View) {
  const options = {
    ...listenOptions(view),
    ...abilitiesOf(view),
    ...(view.routeSeconds ? { seconds: view.routeSeconds } : {}),
    stop: stopOf(view),
    bound: true,
  };
  return { want: "route" as const, position, options };
}

/** The player's walk along this route; null if it belongs to another one. */
function currentWalk({ view, replies }: Context) {
  return view.routeWalk?.key === replies.route?.signature ? view.routeWalk : null;
}

/** The answers chosen so far on this route. */
function chosenAnswers(context: Context): string[] {
  return currentWalk(context)?.answers ?? [];
}

/** The route that is shown: the one that the player follows, even if a better one is known; else the best. */
function shownRoute(context: Context) {
  const reply = context.replies.route;
  const walked = chosenAnswers(context).length ? currentWalk(context)?.found : null;
  return walked ?? reply?.value ?? reply?.progress?.best;
}

/** The nodes along the answers, from the root. */
function nodesAlong(tree: Node, answers: string[]) {
  const nodes = [tree];
  for (const answer of answers) {
    const next = endAt(nodes[nodes.length - 1], answer)?.next;
    if (!next) break;
    nodes.push(next);
  }
  return nodes;
}

/**
 * The current step of the route that is shown: the nodes so far and the answers between them, the path up to
 * the next tile, the start and the floor of the last leg, everything used on the path, and the spots left.
 * Null if no route is shown.
 */
export function planOf(context: Context) {
  const reply = context.replies.route;
  const found = context.view.route ? shownRoute(context) : null;
  if (!(found?.tree?.tile || found?.tree?.dig) || reply?.stale) return null;
  const answers = chosenAnswers(context);
  const nodes = nodesAlong(found.tree, answers);
  const path: Tile[] = [found.start];
  let from = found.start;
  for (const [i, node] of nodes.entries()) {
    const place = i < nodes.length - 1 ? endAt(node, answers[i])?.at : (node.tile ?? node.dig);
    from = path[path.length - 1];
    for (const { at, to } of node.uses ?? []) path.push(at, to);
    if (place) path.push(place);
  }
  return {
    nodes,
    answers: answers.slice(0, nodes.length - 1),
    path,
    from,
    floor: (from as number[])[2],
    uses: nodes.flatMap((node) => node.uses ?? []),
    left: spotsUnder(nodes[nodes.length - 1]),
  };
}

/** The spots at the leaves below a node. */
function spotsUnder(node: Node) {
  const found: Set<number> = new Set();
  const stack = [node];
  for (let item = stack.pop(); item; item = stack.pop()) {
    for (const spot of item.spots ?? (item.spot === undefined ? [] : [item.spot])) found.add(spot);
    stack.push(...endsOf(item).map((end) => end.next));
  }
  return found;
}

/** Go to the node that these answers lead to in the shown route. */
export function goTo(context: Context, tree: Node, answers: string[]) {
  const key = context.replies.route?.signature ?? "";
  const rows = rowsOf(context, nodesAlong(tree, answers), answers);
  context.set({ routeWalk: { key, answers, rows, found: shownRoute(context) } });
}

export function route(context: Context) {
  return foldPanel(context, "route", words.routeTitle, () => {
    const reply = context.replies.route;
    const found = shownRoute(context);
    return html`<p class="quiet">${words.routeText}</p>
      ${abilities(context)}
      ${waitingFor(context, "route")}
      ${found?.tree?.tile || found?.tree?.dig ? routePanel(context, found, reply?.stale ?? false) : nothing}`;
  });
}

/** The choice of abilities for the route. */
function abilities(context: Context) {
  const { view } = context;
  const chosen = { ...NO_ABILITIES, ...view.abilities };
  const some = abilitiesOf(view);
  const set = (change: Abilities) => context.set({ abilities: { ...chosen, ...change }, routeWalk: null });
  const options = words.abilities.charges.map((text, n): [number, string] => [n, text]);
  const charges = (name: "surge" | "escape") =>
    html`<label class="check">${words.abilities.count[name]} ${select(options, chosen[name], (n) => set({ [name]: n }), { kind: "short" })}</label>`;
  return html`<div class="row wrap abilities">${tick(words.abilities.dive, chosen.dive, (dive) => set({ dive }))}
    ${charges("surge")}${charges("escape")}
    ${some ? tick(words.abilities.mobile, chosen.mobile, (mobile) => set({ mobile })) : nothing}</div>
    ${some ? html`<p class="quiet">${words.abilities.how(chosen.mobile)}</p>` : nothing}`;
}

function routePanel(context: Context, found: Route, stale: boolean) {
  const { view } = context;
  return html`<div class=${stale ? "stale" : ""}>
    <p><b>${words.routeSum(found)}</b></p>
    <p class="quiet">${words.routeGain(found)} ${words.routeOnFoot(found)} ${found.lower_bound == null ? "" : words.routeBound(found)}</p>
    ${legs(context, found)}
    <div class="row wrap">
      ${words.isProved(found) ? nothing : html`<button class="soft" ?disabled=${Boolean(view.routeSeconds)} @click=${() => context.set({ routeSeconds: LONGER_SECONDS })}>${words.longerLine(LONGER_SECONDS)}</button>`}
      <button class="plain" @click=${() => savePicture(context, found)}>${words.exportPicture}</button>
      <button class="plain" @click=${() => save(found, "txt")}>${words.exportText}</button>
      <button class="plain" @click=${() => save(found, "json")}>${words.exportJson}</button>
      ${context.position.region == null ? nothing : html`<button class="plain" @click=${() => savePack(context)}>${words.exportPack}</button>`}
    </div></div>`;
}

/** Save the plan of a whole hunt from here as a method pack. */
async function savePack(context: Context) {
  const { position, view } = context;
  const { listen: _, bound: __, ...options } = routeRequest(position, view).options;
  const asked = { want: "pack" as const, position: withTerrain(position, view), options };
  try {
    const { pack } = await context.ask(asked).promise;
    download("method-pack.json", new Blob([JSON.stringify(pack)], { type: "application/json" }));
  } catch (fault) {
    context.notify((fault as FaultFacts).message);
  }
}

function legs(context: Context, found: Route) {
  const answers = chosenAnswers(context);
  const nodes = nodesAlong(found.tree, answers);
  const last = nodes[nodes.length - 1];
  const go = (next: string[]) => goTo(context, found.tree, next);
  const from = (i: number) => (i && endAt(nodes[i - 1], answers[i - 1])?.at) || found.start;
  return html`<ol class="legs">${nodes.map(
    (node, i) =>
      html`<li>${nodeText(node, from(i))}${answers[i] && i < nodes.length - 1 ? html` <b>${endAt(node, answers[i])?.text}</b>` : nothing}</li>`,
  )}</ol>
  ${
    last.tile || last.else
      ? html`<div class="row wrap"><span class="quiet">${last.heard ? words.legCame : last.else ? words.legDug : words.legSaw}</span>${endsOf(
          last,
        ).map(
          (end) =>
            html`<button class="soft" @click=${() => go([...answers.slice(0, nodes.length - 1), end.key])}>${end.text}</button>`,
        )}</div>`
      : nothing
  }
  ${
    answers.length
      ? html`<div class="row wrap"><button class="plain" @click=${() => go(answers.slice(0, -1))}>${words.legBack}</button>
      <button class="plain" @click=${() => go([])}>${words.legStart}</button>
      <button class="plain" data-edit @click=${() => recordWalk(context, nodes, answers)}>${words.legTake}</button></div>`
      : nothing
  }`;
}

/** The observations of the answers along a walk. */
function rowsOf({ position }: Context, nodes: Node[], answers: string[]): Observation[] {
  const floor = floorOf(position);
  return answers.slice(0, nodes.length - 1).flatMap((answer, i) => {
    const end = endAt(nodes[i], answer);
    if (!end || nodes[i].dig) return [];
    const sign = position.levels === "use" ? { different_level: answer.endsWith("d") } : {};
    return end.rows ?? [{ at: [...(end.at ?? []), floor].slice(0, 3), pulse: end.pulse, ...sign }];
  });
}

/** Add the observations of a walk to the log. */
export function recordWalk(context: Context, nodes: Node[], answers: string[]) {
  const { position } = context;
  const rows = rowsOf(context, nodes, answers);
  const done = nodes.slice(0, -1);
  const dug = done.flatMap((node) => (node.dig ? (node.spots ?? []) : []));
  const last = done.at(-1)?.dig ?? rows.at(-1)?.at;
  if (!last) return;
  const observations = [...(position.observations ?? []), ...rows];
  const ruled_out = ruledOutWith(position, dug);
  context.commit({ ...position, ...hereFields(last), observations, ruled_out }, words.legTaken, {
    view: { routeWalk: null },
  });
}

/** A node as a sentence. */
function nodeText(node: Node, from: number[]) {
  if (node.heard) return words.legRun(node, node.heard);
  return node.tile ? words.leg(node, from) : leafText(node);
}

function leafText(node: Node) {
  if (node.dig) return words.legDigAt(node);
  return node.spots ? words.legArrow(node) : words.legDig(node);
}

function save(found: Route, kind: "txt" | "json") {
  const text = kind === "json" ? JSON.stringify(found, null, 1) : routeText(found);
  download(`route.${kind}`, new Blob([text], { type: kind === "json" ? "application/json" : "text/plain" }));
}

/** The tree as indented lines. */
export function routeText(found: Route) {
  const lines = [words.routeSum(found), ""];
  const stack = [{ node: found.tree, depth: 0, answer: "", from: found.start }];
  for (let item = stack.pop(); item; item = stack.pop()) {
    const { node, depth, answer, from } = item;
    lines.push(`${"  ".repeat(depth)}${answer ? `${answer}: ` : ""}${nodeText(node, from)}`);
    for (const { text, next, at } of endsOf(node).reverse())
      stack.push({ node: next, depth: depth + 1, answer: text, from: at ?? from });
  }
  return `${lines.join("\n")}\n`;
}

export function fewest(context: Context) {
  return foldPanel(context, "fewest", words.fewest, () => {
    const reply = context.replies.fewest;
    const found = reply?.value;
    return html`${waitingFor(context, "fewest")}
      ${found ? html`<p class=${reply.stale ? "stale" : ""}>${found.proved ? words.fewestProved(found) : words.fewestOpen(found)}</p>` : nothing}`;
  });
}

/** an answer at the end of a leg, with the node after it */
interface End {
  key: string;
  pulse: number;
  /** "double", "turns double at 3010, 3350" */
  text: string;
  /** the text of a key */
  short: string;
  /** the tile at which the plan continues */
  at: Tile | undefined;
  next: Node;
  /** what is known after a run; null after a scan */
  rows: Observation[] | null;
}

export function endsOf({ answers, heard, tile, at, dig, else: otherwise }: Node): End[] {
  if (otherwise) {
    const text = words.dugInVain;
    return [{ key: "x", pulse: 3, text, short: text, at: dig, next: otherwise, rows: [] }];
  }
  if (heard)
    return heard.map((outcome, i) => ({
      key: `h${i}`,
      pulse: outcome.pulse,
      text: words.run.place(outcome),
      short: words.run.outcome(outcome),
      at: outcome.at,
      next: outcome.then,
      rows: outcome.rows,
    }));
  return Object.entries(answers ?? {}).map(([key, next]) => {
    const text = words.answer(key);
    return { key, pulse: Number(key[0]), text, short: text, at: at ?? tile, next, rows: null };
  });
}

/** The end with this answer. */
const endAt = (node: Node, answer: string) => endsOf(node).find((end) => end.key === answer);

/** The dashes of the path after each pulse. */
const DASH: Record<string, number[]> = { 1: [2, 5], 2: [10, 5], 3: [] };

export async function savePicture(context: Context, found: Route) {
  const probe = document.createElement("i");
  probe.hidden = true;
  document.body.append(probe);
  const palette = readPalette(probe);
  probe.remove();
  const { position } = context;
  const model = {
    ...mapModel(context, { target: null, path: [], pictures: picturesOf(context) }),
    plain: false,
  };
  const title = capital(nameOf(position));
  const line = words.line(rangeOf(position), spotsOf(position).length, null, Boolean(position.meerkats));
  const canvas = drawMapPicture(model, palette, {
    title,
    about: `${line}. ${words.routeSum(found)} ${words.mapPicture.stop(stopOf(context.view))}`,
    start: found.start,
    ...pictureParts(found),
    dashes: [1, 2].map((pulse) => ({ text: words.mapPicture.after(pulse), dash: DASH[pulse] })),
    words: words.mapPicture,
  });
  const blob: Blob | null = await new Promise((done) => canvas.toBlob(done, "image/png"));
  if (blob) download("route.png", blob);
}

/** The scans of a plan in order, the legs to them, and a line for each. */
export function pictureParts({ tree, start }: Route) {
  const nodes = scansOf(tree);
  const number = new Map(nodes.map((node, i) => [node, i + 1]));
  const begin = lastLanding(tree) ?? start;
  const legs: { from: Tile; to: Tile; dash: number[] }[] = tree.tile
    ? [{ from: begin, to: tree.tile, dash: DASH[3] }]
    : [];
  const lines = nodes.map((node, i) => {
    const answers = endsOf(node).map(({ pulse, text, at, next }) => {
      const from = lastLanding(next) ?? at ?? start;
      if (next.tile) legs.push({ from, to: next.tile, dash: DASH[pulse] });
      return `${text} ${next.tile ? words.mapPicture.next(number.get(next) ?? 0) : words.mapPicture.leaf(next)}`;
    });
    return words.mapPicture.line(i + 1, node, answers);
  });
  const places = nodes.map((node, i) => ({ at: node.tile as Tile, name: String(i + 1) }));
  return { legs, lines, places };
}

/** The tile after the last teleport or stairs of a leg. */
const lastLanding = ({ uses }: Node) =>
  uses?.findLast(({ ability }) => ability === "teleport" || ability === "stairs")?.to;

/** The scans of a tree in preorder. */
function scansOf(tree: Node): Node[] {
  if (!tree.tile) return [];
  return [tree, ...endsOf(tree).flatMap((end) => scansOf(end.next))];
}
