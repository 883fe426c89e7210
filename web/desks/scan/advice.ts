/** The advice: the ranked tiles of the next scan, the answers at the chosen one, and the settings of plans. */

import type { Change } from "../../types/scan.js";
import { html, nothing } from "../../vendor.js";
import { advice, faded, reason } from "../../widgets/advice.js";
import { fixed } from "../../widgets/numbers.js";
import { choice, select, tick } from "../../widgets/panel.js";
import { waitingFor } from "../../widgets/waiting.js";
import type { Reply } from "../desk.js";
import { addRunRows, observe, paint, stand } from "./edits.js";
import type { Advice, Context, Dig, NextOption, Tile, View } from "./model.js";
import {
  floorOf,
  hereOf,
  leftOf,
  MOST_REACTION,
  MOST_STOP,
  nearestSpot,
  spotsOf,
  startOf,
  stopOf,
} from "./model.js";
import { words } from "./strings.js";
import type { BlockedTile } from "./terrain.js";
import { blockedIn, hasGround, hasWalls, withTerrain } from "./terrain.js";
import { stairs, teleports } from "./transports.js";

const MAX_SPOTS_WITH_WALLS = 64; // spots with which the engine walks round walls
const MAX_SEARCH_SPOTS = 64; // spots, up to which the search looks several scans ahead

const keyOf = (tile: number[]) => tile.join(",");

/** The option whose details are open, null without options. */
export function chosenOption({ view, replies }: Context): NextOption | null {
  const options = refused(replies.next) ? [] : (replies.next?.value?.options ?? []);
  return options.find((o) => keyOf(o.tile) === view.chosen) ?? options[0] ?? null;
}

/** The outcomes of the run to the chosen option; null for a walk to a scan. */
export function changesOf(context: Context): Change[] | null {
  const found = context.replies.next?.value;
  return found?.changes && chosenOption(context) === found.options[0] ? found.changes : null;
}

/** The spot to dig, with its tile and the way there; null while several are left. */
export function digOf({ position, replies }: Context): (Dig & { at: Tile }) | null {
  const dig = replies.next?.value?.dig;
  const at = dig && (dig.at ?? spotsOf(position)[dig.spot]);
  return at ? { ...dig, at: at as unknown as Tile } : null;
}

/** The label and tile of the arrival button: the advised tile, or the far end of the first stairs. */
export function arrival({ tile, uses }: NextOption) {
  const climb = words.climbOf(uses);
  return climb ? { label: words.climbed(climb), tile: climb.to } : { label: words.stand, tile };
}

/** Whether the request failed; older advice stays only while it runs or after a stop. */
function refused(reply: Reply<object> | undefined) {
  return reply?.state === "failed" && reply.fault?.kind !== "stopped";
}

export function advicePanel(context: Context) {
  const { view, replies } = context;
  const reply = replies.next;
  const found = refused(reply) ? null : reply?.value;
  const policy = view.policy ?? "search";
  if (reply?.fault?.kind === "contradiction") return nothing;
  const chosen = chosenOption(context);
  const inHead = reply?.fault && reply.fault.message === replies.classes?.fault?.message;
  return html`<section class="stack-small">
    <h2>${words.walkTitle}</h2>
    ${inHead ? nothing : waitingFor(context, "next", { room: "list" })}
    ${found?.beyond ? html`<p class="note warn">${words.beyond(found.beyond, hasGround(context.position, view))}</p>` : nothing}
    ${found?.dig ? html`<p class="note solved">${words.dig(found.dig)}</p>` : nothing}
    ${
      found?.options.length
        ? advice({
            rows: found.options.map((o) => rowOf(context, o)),
            chosen: chosen ? keyOf(chosen.tile) : "",
            onChoose: (key) => context.set({ chosen: key }),
            label: words.walkTitle,
            detail: chosen ? optionReason(context, found, chosen) : null,
          })
        : faded(reply, words.walkTitle)
    }
    ${blockedTiles(context)}
    ${planSettings(context, policy)}
  </section>`;
}

/** The settings of plans, below the advice. */
function planSettings(context: Context, policy: NonNullable<View["policy"]>) {
  const { position, view } = context;
  return html`<details class="more" .open=${policy !== "search"}>
      <summary>${words.policyLabel}: ${words.policies[policy]}</summary>
      ${choice({ label: words.policyLabel, options: words.policies, value: policy, onChange: (value) => context.set({ policy: value, chosen: "" }) })}
      <p class="quiet">${words.policyLine[policy]}</p>
    </details>
    ${stopCost(context)}
    ${position.practice ? nothing : [teleports(context), stairs(context)]}
    ${
      hasWalls(position, view)
        ? html`<p class="quiet">${hasGround(position, view) ? words.terrain.ground : words.walls}</p>`
        : nothing
    }
    ${
      policy === "search"
        ? html`${tick(words.listen, view.listen, (listen) => context.set({ listen, chosen: "", routeWalk: null }))}
            ${view.listen ? reaction(context) : nothing}`
        : nothing
    }
    ${policy === "search" && (leftOf(context)?.size ?? 0) > MAX_SEARCH_SPOTS ? html`<p class="quiet">${words.many(MAX_SEARCH_SPOTS)}</p>` : nothing}`;
}

/** Ticks of a scan. */
function stopCost(context: Context) {
  const now = stopOf(context.view);
  return ticksField(words.stopLabel, words.stopUnit(now), MOST_STOP, now, (stop) =>
    context.set({ stop, chosen: "" }),
  );
}

/** Ticks until a change is reported. */
function reaction(context: Context) {
  const now = context.view.reaction ?? 1;
  const set = (reaction: number) => context.set({ reaction, chosen: "", routeWalk: null });
  return ticksField(words.reactionLabel, words.reactionUnit(now), MOST_REACTION, now, set);
}

/** A field for a number of ticks. */
function ticksField(label: string, unit: string, most: number, now: number, set: (n: number) => void) {
  const numbers = Array.from({ length: most + 1 }, (_, n): [number, number] => [n, n]);
  return html`<label class="check">${label} ${select(numbers, now, set, { kind: "short" })} ${unit}</label>`;
}

/** An option as a row; with bits only if they rank options or the study view is on. */
function rowOf(context: Context, o: NextOption) {
  const { policy, study } = context.view;
  const inBits = study || policy === "rate" || policy === "bits";
  const [point, tiles] = words
    .rowWay(words.portOf(o.uses)?.to ?? startOf(context), o.tile, Boolean(hereOf(context.position)))
    .split(", ");
  return {
    key: keyOf(o.tile),
    question: html`<span class="tile-name" title=${words.tile(o.tile)}>${point}${tiles ? html`<br>${tiles}` : nothing}</span>`,
    split: sharesOf(o.leaves),
    facts: [{ text: words.toWalk(o.walk_ticks, o.uses) }, ...(inBits ? [{ text: words.bits(o.bits) }] : [])],
    number: fixed(o.expected_ticks, 1),
    unit: words.unit,
    spoken: words.walkTo(o),
  };
}

/** Sizes of the partition; a triple shows the spot, so each of its spots is a cell. */
function sharesOf(leaves: number[]) {
  const groups = leaves.filter((_, i) => i % 3 !== 2);
  const alone = leaves.reduce((sum, n, i) => (i % 3 === 2 ? sum + n : sum), 0);
  return [...groups, ...Array.from({ length: alone }, () => 1)].filter(Boolean).sort((a, b) => b - a);
}

function optionReason(context: Context, found: Advice, o: NextOption) {
  const changes = changesOf(context);
  if (changes) return runDetail(context, o, changes);
  const next = found.options[found.options.indexOf(o) + 1] ?? null;
  const names = o.leaves.map((_: number, i: number) => words.answer(`${(i % 3) + 1}${i > 2 ? "d" : ""}`));
  const plain = o.leaves.length === 3;
  const come = arrival(o);
  return reason({
    title: words.reasonTitle(o),
    answers: names.map((name: string, i: number) => [name, o.leaves[i]]),
    sentences: [
      words.why(o, startText(context)),
      whereText(context, o),
      ...(o.uses ? [`${words.way(o.uses, o.tile)}.`] : []),
      ...(found.ability_ticks != null && o === found.options[0]
        ? [words.withAbilities(found.ability_ticks)]
        : []),
    ],
    hint: words.tapAnswer,
    runnerUp:
      next && next.expected_ticks > o.expected_ticks ? words.runnerUp(o, next, startOf(context)) : null,
    alike: words.anywhere(o),
    assumed: words.assumed(stopOf(context.view), withTerrain(context.position, context.view)),
    action: { label: come.label, run: () => stand(context, come.tile) },
    onAnswer: context.readOnly
      ? undefined
      : (name) => {
          const i = names.indexOf(name);
          observe(context, (i % 3) + 1, o.tile, plain ? null : i > 2);
        },
  });
}

/** Where the tile of an option is, as a sentence. */
function whereText(context: Context, o: NextOption) {
  if (words.climbOf(o.uses)) return `${words.usesBar(o.uses ?? [])}.`;
  const port = words.portOf(o.uses);
  const near = nearestSpot(context, o.tile);
  if (port) return words.whereTo(port.to, o.tile, near, port.name || words.tile(port.to));
  return words.whereTo(startOf(context), o.tile, near, startText(context));
}

/** The start of plans as text. */
const startText = ({ position }: Context) => (hereOf(position) ? "here" : words.middle);

/** A run: its tile, and a button for each outcome. */
function runDetail(context: Context, o: NextOption, changes: Change[]) {
  const names = changes.map((change) => words.run.when(change));
  return reason({
    title: words.run.title(o),
    answers: changes.map((change, i) => [names[i], change.leaves]),
    sentences: [words.run.why(o), whereText(context, o), words.run.stop(changes), words.run.press],
    alike: "",
    assumed: words.assumed(stopOf(context.view), withTerrain(context.position, context.view)),
    action: { label: words.stand, run: () => stand(context, o.tile) },
    onAnswer: context.readOnly
      ? undefined
      : (name) => {
          const { rows, at } = changes[names.indexOf(name)];
          addRunRows(context, rows, at);
        },
  });
}

/** Block a tile for all later plans. */
function cannotStand(context: Context, tile: number[]) {
  const { position, view } = context;
  const [x, y, level = floorOf(position)] = tile;
  if (position.region == null) {
    paint(context, [x, y, x, y], true);
    return;
  }
  const blocked = [...(view.blocked ?? []), { region: position.region, at: [x, y, level] }];
  context.set({ blocked, chosen: "", routeWalk: null });
  context.notify(words.terrain.blocked(tile));
}

/** The button for an advised tile. */
export function cannotStandButton(context: Context, tile: number[]) {
  const { position } = context;
  if (spotsOf(position).length > MAX_SPOTS_WITH_WALLS || context.readOnly) return nothing;
  return html`<button class="soft" data-edit @click=${() => cannotStand(context, tile)}>${words.terrain.cannot}</button>`;
}

/** The blocked tiles, with buttons to unblock them. */
function blockedTiles(context: Context) {
  const { position, view } = context;
  const blocked = blockedIn(view, position.region);
  if (!blocked.length) return nothing;
  const without = (gone: BlockedTile[]) =>
    context.set({
      blocked: (view.blocked ?? []).filter((one) => !gone.includes(one)),
      chosen: "",
      routeWalk: null,
    });
  return html`<p class="quiet">${words.terrain.kept(blocked.length)}
    <button class="plain" data-edit @click=${() => without(blocked.slice(-1))}>${words.terrain.lastBack}</button>
    ${blocked.length > 1 ? html`<button class="plain" data-edit @click=${() => without(blocked)}>${words.terrain.allBack}</button>` : nothing}</p>`;
}
