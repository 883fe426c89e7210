/** The advice bar of the scan desk: where to walk, and keys for the pulse there. */

import type { Change, Doubt } from "../../types/scan.js";
import { html, nothing } from "../../vendor.js";
import type { Bar } from "../../widgets/advice-bar.js";
import { pendingBar } from "../../widgets/advice-bar.js";
import { bearing, compassPoint, stepsBetween } from "../../widgets/map/geometry.js";
import { advicePanel, arrival, changesOf, chosenOption } from "./advice.js";
import { addRunRows, chooseArrowSpot, clearAll, isEmpty, observe, recordEmptyDig, stand } from "./edits.js";
import type { Context, Dig, NextOption, Position, Use } from "./model.js";
import { arrowOf, hereOf, spotsOf, startOf } from "./model.js";
import { doubt, repair, repairQuestion, review, strokes } from "./observation-log.js";
import { endsOf, goTo, planOf, recordWalk, route } from "./route.js";
import { openSetup } from "./setup.js";
import type { RunOutcome } from "./strings.js";
import { words } from "./strings.js";
import { nearestLandmark } from "./transports.js";

/** @param blind a practice whose advice stays hidden */
export function bar(context: Context, blind: boolean): Bar {
  const { position, replies } = context;
  if (isEmpty(position))
    return {
      state: "input",
      title: words.bar.begin,
      facts: [],
      act: { label: words.bar.choose, run: () => openSetup(context) },
    };
  const clash = replies.doubt?.value;
  if (clash?.contradiction) return contradiction(context, clash);
  const practised = position.practice ? replies.listen?.value : null;
  if (practised?.spot != null)
    return {
      state: "finished",
      title: words.bar.was(practised.spot),
      facts: [{ text: words.practiceTally(practised.ticks, practised.scans) }],
      sheet: () => review(context),
    };
  if (blind) return { state: "input", title: words.bar.listen, facts: [{ text: words.bar.pressMap }] };
  const left = arrowOf(context);
  if (left) return arrowBar(context, left);
  const sheet = () => html`${advicePanel(context)}${route(context)}`;
  const plan = position.practice ? null : planOf(context);
  if (plan) return { ...routeBar(context, plan), sheet };
  const late = pendingBar(context, "next", words.bar.planning);
  const tile = hereOf(position);
  // After a scan the next press is for another tile, which is not yet advised.
  const entry = tile && !isScanned(position, tile) ? keys(context, tile, null) : undefined;
  if (late) return { ...late, entry, sheet };
  const dig = replies.next?.value?.dig;
  const option = chosenOption(context);
  if (dig) return { ...finished(context, dig), ...(dig.spots && option ? { sheet } : {}) };
  if (!option) {
    const { beyond } = replies.next?.value ?? {};
    return { state: "input", title: beyond ? words.bar.noWay(beyond) : words.bar.noPlace, entry, sheet };
  }
  return { ...advised(context, option), sheet };
}

const isScanned = ({ observations = [] }: Position, [x, y]: [number, number]) =>
  observations.some(({ at, ignored }) => at?.[0] === x && at[1] === y && !ignored);

function advised(context: Context, option: NextOption): Bar {
  const { position } = context;
  const changes = position.practice ? null : changesOf(context);
  if (changes) return runBar(context, option, changes);
  const here = startOf(context);
  const known = Boolean(hereOf(position));
  const there = known && option.walk_ticks === 0;
  const come = arrival(option);
  const near = option.uses ? "" : nearestLandmark(context, here, option.tile);
  return {
    state: "advice",
    ...(there
      ? { title: words.bar.scanHere }
      : known || option.uses
        ? legTo(here, option.tile, option.uses)
        : { title: words.bar.scanAt(option.tile) }),
    facts: [
      ...(known ? [] : [{ text: words.bar.startUnknown }]),
      ...(option.uses ? [{ text: words.wayBar(option.uses, option.tile) }] : []),
      ...(!known || there || option.uses ? [] : [{ text: words.away(option.walk_ticks, near) }]),
      { text: words.bar.toSpot(option.expected_ticks) },
    ],
    act: {
      label: come.tile === option.tile ? words.bar.there : come.label,
      run: () => stand(context, come.tile),
      off: there,
    },
    entry: position.practice ? undefined : keys(context, option.tile, option.leaves),
  };
}

/** The walk to a tile as a title: an arrow, the compass point, the steps. */
function walkTo(here: [number, number], tile: [number, number], runs: boolean = false) {
  const point = compassPoint(here, tile);
  const spoken = point < 0 ? words.bar.scanHere : words.bar.go(point, stepsBetween(here, tile), runs);
  if (point < 0) return { title: spoken };
  return {
    title: html`<svg class="bar-arrow" viewBox="0 0 24 24" aria-hidden="true" .style=${`--turn:${bearing(here, tile)}deg`}><path d="M12 20V5M6 11l6-6 6 6"></path></svg><b>${spoken}</b>`,
    spoken,
    plain: `${spoken} to ${tile[0]}, ${tile[1]}`,
  };
}

/** The first leg to a tile as a title: to a teleport, to stairs, or to the tile. */
function legTo(here: [number, number], tile: [number, number], uses?: Use[]) {
  const climb = words.climbOf(uses);
  return words.portOf(uses) ? { title: words.bar.port } : walkTo(here, climb?.at ?? tile);
}

/** The bar of a run: its end, when to stop, and the keys of its outcomes. */
function runBar(context: Context, option: NextOption, changes: Change[]): Bar {
  return {
    state: "advice",
    ...walkTo(startOf(context), option.tile, true),
    facts: [
      { text: words.run.bar(changes) },
      { text: words.away(option.walk_ticks, "") },
      { text: words.bar.toSpot(option.expected_ticks) },
    ],
    entry: html`${changes.map((change) => outcomeKey(change, changes, change.leaves, () => addRunRows(context, change.rows, change.at)))}`,
  };
}

/** The key of an outcome of a run; more than three have short texts, so that all are visible. */
function outcomeKey(outcome: RunOutcome, all: RunOutcome[], left: number | null, run: () => void) {
  const [name, when] = words.run.key(outcome, all, left);
  return html`<button class=${all.length > 3 ? "bar-key bar-outcome" : "bar-key"} aria-label=${words.run.when(outcome)} @click=${run}>
    <span class="bar-pulse"><span aria-hidden="true">${strokes(outcome.pulse)}</span> ${name}</span><small>${when}</small></button>`;
}

/** The bar of a planned route that is followed on the map: its next leg, and keys for the answers there. */
function routeBar(
  context: Context,
  { nodes, answers, from, left }: NonNullable<ReturnType<typeof planOf>>,
): Bar {
  const node = nodes[nodes.length - 1];
  const shared = {
    facts: [{ text: words.bar.plan(nodes.length, left.size) }],
    act: answers.length
      ? { label: words.bar.planTake, run: () => recordWalk(context, nodes, answers) }
      : undefined,
  };
  if (node.dig && node.else)
    return {
      ...shared,
      state: "advice",
      title: words.bar.digAt(node.spots ?? [], node.dig),
      entry: html`${endsOf(node).map(({ key, text }) => html`<button class="bar-key" @click=${() => goTo(context, nodes[0], [...answers, key])}>${text}</button>`)}`,
    };
  if (!node.tile) {
    const title = node.dig
      ? words.bar.digAt(node.spots ?? [], node.dig)
      : node.spots
        ? words.bar.arrowTitle
        : words.bar.dig(node.spot ?? 0);
    const [way] = node.spots ? [] : (node.digs ?? []);
    const uses = way?.uses ? [{ text: words.usesBar(way.uses) }] : [];
    return { ...shared, state: "finished", title, facts: [...uses, { text: words.bar.planEnd }] };
  }
  const go = (answer: string) => goTo(context, nodes[0], [...answers, answer]);
  const six = context.position.levels === "use";
  return {
    ...shared,
    state: "advice",
    ...(!node.walk_ticks
      ? { title: words.bar.scanHere }
      : node.heard
        ? walkTo(from, node.tile, true)
        : legTo(from, node.tile, node.uses)),
    facts: [
      ...(node.heard ? [{ text: words.run.bar(node.heard) }] : []),
      ...(node.walk_ticks ? [{ text: words.away(node.walk_ticks, "") }] : []),
      ...(node.uses ? [{ text: words.wayBar(node.uses, node.tile) }] : []),
      ...shared.facts,
    ],
    entry: node.heard
      ? html`${node.heard.map((outcome, i, all) => outcomeKey(outcome, all, null, () => go(`h${i}`)))}`
      : html`<span class="bar-saw">${words.bar.saw}</span>${endsOf(node).map(
          ({ key, pulse, short }) =>
            html`<button class="bar-key" aria-label=${short} @click=${() => go(key)}><span class="bar-pulse"><span aria-hidden="true">${strokes(pulse)}</span> ${six ? (key[1] ? "≠" : "=") : short}</span></button>`,
        )}`,
  };
}

/** The keys of the pulses at a tile; impossible ones are disabled. */
function keys(context: Context, tile: [number, number], leaves: number[] | null) {
  if (context.position.levels === "use") return sixKeys(context, tile, leaves);
  const left = leaves && (leaves.length === 6 ? [0, 1, 2].map((i) => leaves[i] + leaves[i + 3]) : leaves);
  return html`<span class="bar-saw">${words.bar.saw}</span>${[1, 2, 3].map(
    (pulse) => html`<button class="bar-key" ?disabled=${left?.[pulse - 1] === 0}
      @click=${() => observe(context, pulse, tile)}><span class="bar-pulse"><span aria-hidden="true">${strokes(pulse)}</span> ${words.pulse(pulse)}</span>
      <small>${left ? (left[pulse - 1] ? words.keeps(left[pulse - 1]) : words.bar.cannot) : ""}</small></button>`,
  )}`;
}

/** The keys if “different level” counts: each pulse without and with the sign. */
function sixKeys(context: Context, tile: [number, number], leaves: number[] | null) {
  return html`${[0, 1, 2, 3, 4, 5].map((i) => {
    const pulse = (i % 3) + 1;
    const name = words.answer(`${pulse}${i > 2 ? "d" : ""}`);
    return html`<button class="bar-key bar-outcome" aria-label=${name} title=${name} ?disabled=${leaves?.[i] === 0}
      @click=${() => observe(context, pulse, tile, i > 2)}><span class="bar-pulse"><span aria-hidden="true">${strokes(pulse)} ${i > 2 ? "≠" : "="}</span></span>
      <small>${leaves ? (leaves[i] ? words.keeps(leaves[i]) : words.bar.cannotShort) : ""}</small></button>`;
  })}`;
}

const KEYS_PER_LINE = 7; // each as wide as a finger
const MAX_WITH_POINTS = 4; // keys with room for a compass point

/** The bar after a triple: a key for each spot that the arrow may show. */
function arrowBar(context: Context, left: number[]): Bar {
  return {
    state: "input",
    title: words.bar.arrowTitle,
    facts: [{ text: words.bar.arrowPress }],
    many: left.length > KEYS_PER_LINE,
    entry: html`${left.length > KEYS_PER_LINE ? html`<span class="bar-saw" aria-hidden="true">${words.bar.arrowAt}</span>` : nothing}${left.map(
      (spot) =>
        html`<button class="bar-key" aria-label=${words.arrowShows(spot)} @click=${() => chooseArrowSpot(context, left, spot)}>${spot + 1}${left.length > MAX_WITH_POINTS ? nothing : html`<small>${words.bar.arrowPoint(compassPoint(startOf(context), spotsOf(context.position)[spot]))}</small>`}</button>`,
    )}`,
  };
}

function finished(context: Context, dig: Dig): Bar {
  const here = startOf(context);
  const [x, y] = dig.at ?? spotsOf(context.position)[dig.spot];
  const way = words.bar.digWalk(
    dig,
    compassPoint(here, [x, y]),
    stepsBetween(here, [x, y]),
    nearestLandmark(context, here, [x, y]),
  );
  return {
    state: "finished",
    title: dig.spots && dig.at ? words.bar.digAt(dig.spots, dig.at) : words.bar.dig(dig.spot),
    facts: [{ text: way }],
    entry: context.position.practice
      ? undefined
      : html`<button class="bar-key" @click=${() => recordEmptyDig(context, dig)}>${words.dugInVain}</button>`,
    sheet: context.position.observations?.length ? () => review(context) : undefined,
    act: { label: words.clear, run: () => clearAll(context) },
  };
}

function contradiction(context: Context, clash: Doubt): Bar {
  const [first] = clash.repairs;
  return {
    state: "contradiction",
    title: words.doubtTitle,
    facts: first
      ? [{ text: repairQuestion(context.position, first) }, { text: words.keeps(first.remaining) }]
      : [{ text: words.bar.lookBelow }],
    act: first ? { label: words.bar.fix, run: () => repair(context, first) } : undefined,
    sheet: () => doubt(context),
  };
}
