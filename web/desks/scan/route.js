/** A whole route: its cost, walked step by step, drawn on the map, carried away as a file. */
import { html, nothing } from "../../vendor.js";
import { download } from "../../widgets/file.js";
import { waiting } from "../../widgets/waiting.js";
import { endAt, endsOf } from "./leg-outcomes.js";
import { abilitiesOf, floorOf, listens, spotsOnFloor, stopOf } from "./model.js";
import { savePicture } from "./route-poster.js";
import { words } from "./strings.js";
import { hasWalls, withTerrain } from "./terrain.js";

/** @typedef {import("./model.js").Context} Context */
/** @typedef {[number, number]} Tile */

const LONGER = 10; // seconds

/** @param {Context} context @param {"route" | "fewest" | "profile" | "practice" | "ports" | "flights" | "arrivals"} flag @param {string} title @param {() => unknown} body */
export function folded(context, flag, title, body) {
  const open = Boolean(context.view[flag]);
  return html`<details class="more" ?open=${open} @toggle=${(
    /** @type {import("../../widgets/on.js").OnToggle} */ e,
  ) => e.target.open !== open && context.set({ [flag]: e.target.open })}>
    <summary>${title}</summary>${open ? html`<div class="stack-small">${body()}</div>` : nothing}</details>`;
}

/** The question behind the route, and its key, so that steps of another route are not shown. @param {import("./model.js").Position} position @param {import("./model.js").View} view */
export function routeWant(position, view) {
  const options = {
    ...(listens(position, view) ? { listen: true } : {}),
    ...abilitiesOf(position, view),
    ...(view.routeSeconds ? { seconds: view.routeSeconds } : {}),
    stop: stopOf(view),
    bound: true,
  };
  return { want: /** @type {const} */ ("route"), position, options };
}

/** How far this route is walked, if it is. @param {Context} context */
function walkOf({ view, replies }) {
  return view.routeWalk?.key === replies.route?.signature ? view.routeWalk : null;
}

/** @param {Context} context @returns {string[]} the answers given so far on this route */
function steps(context) {
  return walkOf(context)?.answers ?? [];
}

/**
 * The route that is shown: the one being walked, though a better one has been found meanwhile; else the best known.
 * @param {Context} context
 */
function shown(context) {
  const reply = context.replies.route;
  const walked = steps(context).length ? walkOf(context)?.found : null;
  return walked ?? reply?.value ?? reply?.progress?.best;
}

/** The nodes from the start to where one is. @param {import("./model.js").Node} tree @param {string[]} answers */
function trail(tree, answers) {
  const nodes = [tree];
  for (const answer of answers) {
    const next = endAt(nodes[nodes.length - 1], answer)?.next;
    if (!next) break;
    nodes.push(next);
  }
  return nodes;
}

/**
 * Where a planned route is looked at: its nodes so far, the answers between them, the tiles walked and the next,
 * where the last leg begins and on which floor, what is used on the way, and the spots left there; null while none is shown.
 * @param {Context} context
 */
export function planOf(context) {
  const reply = context.replies.route;
  const found = context.view.route ? shown(context) : null;
  if (!(found?.tree?.tile || found?.tree?.dig) || reply?.stale) return null;
  const answers = steps(context);
  const nodes = trail(found.tree, answers);
  /** @type {Tile[]} */
  const path = [found.start];
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
    floor: /** @type {number[]} */ (from)[2],
    uses: nodes.flatMap((node) => node.uses ?? []),
    left: spotsUnder(nodes[nodes.length - 1]),
  };
}

/** @param {import("./model.js").Node} node */
function spotsUnder(node) {
  /** @type {Set<number>} */
  const found = new Set();
  const stack = [node];
  for (let item = stack.pop(); item; item = stack.pop()) {
    for (const spot of item.spots ?? (item.spot === undefined ? [] : [item.spot])) found.add(spot);
    stack.push(...endsOf(item).map((end) => end.next));
  }
  return found;
}

/** Go to where these answers lead in the route that is shown. @param {Context} context @param {import("./model.js").Node} tree @param {string[]} answers */
export function goTo(context, tree, answers) {
  const key = context.replies.route?.signature ?? "";
  const rows = rowsOf(context, trail(tree, answers), answers);
  context.set({ routeWalk: { key, answers, rows, found: shown(context) } });
}

/** @param {Context} context */
export function route(context) {
  return folded(context, "route", words.routeTitle, () => {
    const reply = context.replies.route;
    const found = shown(context);
    return html`<p class="quiet">${words.routeText}</p>
      ${abilities(context)}
      ${waiting(reply, { phase: context.phase, stop: () => context.stop("route"), again: () => context.again("route") })}
      ${found?.tree?.tile || found?.tree?.dig ? drawn(context, found, reply?.stale ?? false) : nothing}`;
  });
}

/** What a player can use on the way, to be marked on the route. @param {Context} context */
function abilities(context) {
  const { position, view } = context;
  const { surge = 0, dive = false, escape: escapes = 0, mobile = false } = view.abilities ?? {};
  const some = surge || dive || escapes;
  const set = (/** @type {import("./model.js").Abilities} */ change) =>
    context.set({ abilities: { surge, dive, escape: escapes, mobile, ...change }, routeWalk: null });
  const charges = (/** @type {"surge" | "escape"} */ name, /** @type {number} */ now) =>
    html`<label class="check">${words.abilities.count[name]} <select class="field short" .value=${String(now)} @change=${(/** @type {import("../../widgets/on.js").OnSelect} */ e) => set({ [name]: Number(e.target.value) })}>
      ${words.abilities.charges.map((text, n) => html`<option value=${n} ?selected=${n === now}>${text}</option>`)}</select></label>`;
  const tick = (/** @type {"dive" | "mobile"} */ name, /** @type {boolean} */ on) =>
    html`<label class="check"><input type="checkbox" .checked=${on} @change=${(/** @type {import("../../widgets/on.js").OnInput} */ e) => set({ [name]: e.target.checked })}>${words.abilities[name]}</label>`;
  if (hasWalls(position, view) || listens(position, view))
    return html`<p class="quiet">${words.abilities.not}</p>`;
  return html`<div class="row wrap abilities">${tick("dive", dive)}
    ${charges("surge", surge)}${charges("escape", escapes)}
    ${some ? tick("mobile", mobile) : nothing}</div>
    ${some ? html`<p class="quiet">${words.abilities.how(mobile)}</p>` : nothing}`;
}

/** @param {Context} context @param {import("./model.js").Route} found @param {boolean} stale */
function drawn(context, found, stale) {
  const { view } = context;
  return html`<div class=${stale ? "stale" : ""}>
    <p><b>${words.routeSum(found)}</b></p>
    <p class="quiet">${words.routeGain(found)} ${words.routeOnFoot(found)} ${found.lower_bound == null ? "" : words.routeBound(found)}</p>
    ${legs(context, found)}
    <div class="row wrap">
      ${words.isProved(found) ? nothing : html`<button class="soft" ?disabled=${Boolean(view.routeSeconds)} @click=${() => context.set({ routeSeconds: LONGER })}>${words.longerLine(LONGER)}</button>`}
      <button class="plain" @click=${() => savePicture(context, found)}>${words.exportPicture}</button>
      <button class="plain" @click=${() => save(found, "txt")}>${words.exportText}</button>
      <button class="plain" @click=${() => save(found, "json")}>${words.exportJson}</button>
      ${context.position.region == null ? nothing : html`<button class="plain" @click=${() => savePack(context)}>${words.exportPack}</button>`}
    </div></div>`;
}

/** Save the plan of a whole hunt from here as a method pack. @param {Context} context */
async function savePack(context) {
  const { position, view } = context;
  const { listen: _, bound: __, ...options } = routeWant(position, view).options;
  const asked = { want: /** @type {const} */ ("pack"), position: withTerrain(position, view), options };
  try {
    const { pack } = await context.ask(asked).promise;
    download("method-pack.json", new Blob([JSON.stringify(pack)], { type: "application/json" }));
  } catch (fault) {
    context.tell(/** @type {import("../desk.js").FaultFacts} */ (fault).message);
  }
}

/** @param {Context} context @param {import("./model.js").Route} found */
function legs(context, found) {
  const answers = steps(context);
  const nodes = trail(found.tree, answers);
  const last = nodes[nodes.length - 1];
  const go = (/** @type {string[]} */ next) => goTo(context, found.tree, next);
  return html`<ol class="legs">${nodes.map(
    (node, i) =>
      html`<li>${routeSentences(node)}${answers[i] && i < nodes.length - 1 ? html` <b>${endAt(node, answers[i])?.said}</b>` : nothing}</li>`,
  )}</ol>
  ${
    last.tile || last.else
      ? html`<div class="row wrap"><span class="quiet">${last.heard ? words.legCame : last.else ? words.legDug : words.legSaw}</span>${endsOf(
          last,
        ).map(
          (end) =>
            html`<button class="soft" @click=${() => go([...answers.slice(0, nodes.length - 1), end.key])}>${end.said}</button>`,
        )}</div>`
      : nothing
  }
  ${
    answers.length
      ? html`<div class="row wrap"><button class="plain" @click=${() => go(answers.slice(0, -1))}>${words.legBack}</button>
      <button class="plain" @click=${() => go([])}>${words.legStart}</button>
      <button class="plain" data-edit @click=${() => take(context, nodes, answers)}>${words.legTake}</button></div>`
      : nothing
  }`;
}

/** @param {Context} context @param {import("./model.js").Node[]} nodes @param {string[]} answers @returns {import("./model.js").Observation[]} */
function rowsOf({ position }, nodes, answers) {
  const floor = floorOf(position);
  return answers.slice(0, nodes.length - 1).flatMap((answer, i) => {
    const end = endAt(nodes[i], answer);
    if (!end || nodes[i].dig) return [];
    const sign = position.levels === "use" ? { different_level: answer.endsWith("d") } : {};
    return end.rows ?? [{ at: [...(end.at ?? []), floor].slice(0, 3), pulse: end.pulse, ...sign }];
  });
}

/** The walked answers become rows of the log. @param {Context} context @param {import("./model.js").Node[]} nodes @param {string[]} answers */
export function take(context, nodes, answers) {
  const { position } = context;
  const rows = rowsOf(context, nodes, answers);
  const done = nodes.slice(0, -1);
  const dug = done.flatMap((node) => (node.dig ? (node.spots ?? []) : []));
  const last = done.at(-1)?.dig ?? rows.at(-1)?.at;
  if (!last) return;
  const observations = [...(position.observations ?? []), ...rows];
  const ruled_out = [...new Set([...(position.ruled_out ?? []), ...dug])].sort((a, b) => a - b);
  context.commit({ ...position, ...spotsOnFloor(last), observations, ruled_out }, words.legTaken, {
    view: { routeWalk: null },
  });
}

/** A leg in words, or what is then known. @param {import("./model.js").Node} node */
function routeSentences(node) {
  if (node.heard) return words.legRun(node, node.heard);
  return node.tile ? words.leg(node) : leaf(node);
}

/** @param {import("./model.js").Node} node */
function leaf(node) {
  if (node.dig) return words.legDigAt(node);
  return node.spots ? words.legArrow(node) : words.legDig(node);
}

/** @param {import("./model.js").Route} found @param {"txt" | "json"} kind */
function save(found, kind) {
  const text = kind === "json" ? JSON.stringify(found, null, 1) : routeText(found);
  download(`route.${kind}`, new Blob([text], { type: kind === "json" ? "application/json" : "text/plain" }));
}

/** The tree as indented lines. @param {import("./model.js").Route} found */
export function routeText(found) {
  const lines = [words.routeSum(found), ""];
  const stack = [{ node: found.tree, depth: 0, answer: "" }];
  for (let item = stack.pop(); item; item = stack.pop()) {
    const { node, depth, answer } = item;
    lines.push(`${"  ".repeat(depth)}${answer ? `${answer}: ` : ""}${routeSentences(node)}`);
    for (const { said, next } of endsOf(node).reverse())
      stack.push({ node: next, depth: depth + 1, answer: said });
  }
  return `${lines.join("\n")}\n`;
}

/** @param {Context} context */
export function fewest(context) {
  return folded(context, "fewest", words.fewest, () => {
    const reply = context.replies.fewest;
    const found = reply?.value;
    return html`${waiting(reply, { phase: context.phase, stop: () => context.stop("fewest"), again: () => context.again("fewest") })}
      ${found ? html`<p class=${reply.stale ? "stale" : ""}>${found.proved ? words.fewestProved(found) : words.fewestOpen(found)}</p>` : nothing}`;
  });
}
