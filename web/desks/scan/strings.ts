/** All texts of the scan desk. */

import type { Change, Fewest, Grid, Heard, Repair, Review } from "../../types/scan.js";
import { compassPoint, stepsBetween } from "../../widgets/map/geometry.js";
import { count, fixed, whole } from "../../widgets/numbers.js";
import type { Classes, Dig, DigWalk, NextOption, Node, Observation, Position, Route, Use } from "./model.js";
import type { Landing, Region } from "./regions.js";

const spots = (n: number) => count(n, "spot", "spots");
const ticks = (n: number) => count(n, "tick", "ticks");
/** The tiles that remain to run after all abilities. */
const runAfter = (uses: Use[], tile: number[]) => stepsBetween(uses[uses.length - 1].to, tile);
const compassPoints = [
  "North",
  "North-east",
  "East",
  "South-east",
  "South",
  "South-west",
  "West",
  "North-west",
];
const seconds = (n: number) => `${fixed(n * 0.6, 0)} s`;
const pulses: Record<number, string> = { 1: "single", 2: "double", 3: "triple" };

/** An observation as a repair changes it: "double, without “different level”". */
const repairedPulse = ({ pulse, different_level: sign }: Repair) =>
  `${pulses[pulse ?? 0]}${sign === null ? "" : `, ${sign ? "with" : "without"} “different level”`}`;

/** How far a route is above its lower bound, in %. */
const above = (r: Route) => 100 * (r.expected_ticks / Math.max(r.lower_bound ?? 0, 1e-9) - 1);

export const words = {
  asks: "Where do I walk to find the spot?",
  bar: {
    begin: "Which clue do you have?",
    choose: "Choose",
    planning: "Planning the route",
    port: "Teleport",
    go: (point: number, steps: number, runs: boolean) =>
      `${runs ? `Run ${compassPoints[point].toLowerCase()}` : compassPoints[point]}, ${count(steps, "tile", "tiles")}`,
    scanHere: "Scan where you are",
    scanAt: (tile: number[]) => `Scan at ${tile[0]}, ${tile[1]}`,
    startUnknown: "Your tile is not set",
    toSpot: (n: number) => `${fixed(n * 0.6, 0)} s to the spot`,
    there: "I’m there",
    saw: "saw",
    arrowTitle: "Which spot does the arrow show?",
    arrowPress: "Press its number here or on the map.",
    arrowAt: "arrow at",
    plan: (step: number, left: number) => `Plan, step ${step} · ${spots(left)} left`,
    was: (spot: number) => `It was spot ${spot + 1}`,
    planEnd: "This is where the plan ends.",
    planTake: "Add to log",
    cannot: "cannot be",
    cannotShort: "none",
    noWay: (all: number[]) => `No path leads to ${list(all.map((i) => `spot ${i + 1}`))}`,
    noPlace: "No scan excludes a spot",
    listen: "Select a tile to scan there",
    pressMap: "The advice stays hidden while you practise.",
    repairQuestion: (row: number, r: Repair) => `Row ${row + 1}: was it ${repairedPulse(r)}?`,
    lookBelow: "Check your entries.",
    fix: "Fix",
    digWalk: (d: Dig, point: number, steps: number, near: string) =>
      d.uses
        ? `${seconds(d.walk_ticks)}: ${d.uses.map(words.use).join(", ")}`
        : `${point < 0 || !d.walk_ticks ? "Where you are" : words.bar.go(point, steps, false)} · ${words.away(d.walk_ticks, near)}`,
    arrowPoint: (point: number) => (point < 0 ? "here" : compassPoints[point].toLowerCase()),
    dig: (spot: number) => `Dig at spot ${spot + 1}`,
    digAt: (all: number[], at: number[]) => `Dig at ${at[0]}, ${at[1]}: spot ${eitherSpot(all)}`,
  },
  away: (n: number, near: string) => [seconds(n), near].filter(Boolean).join(" · "),
  landmark: (name: string, where: "at" | "past" | "before" | "from", steps: number, point: number) =>
    where === "from"
      ? `${count(steps, "tile", "tiles")} ${compassPoints[point].toLowerCase()} of ${name}`
      : `${where === "at" ? "at" : `just ${where}`} ${name}`,
  study: "Show bits",
  leftChip: (left: number, all: number) => `${left} of ${spots(all)} left`,
  ownSpots: "your own spots",
  tile: ([x, y]: number[]) => `${x}, ${y}`,
  spotHere: (i: number, level: number | null) =>
    ` · spot ${i + 1}${level === null ? "" : `, ${words.floorName(level)}`}`,
  noArea: " · a scan here excludes no spot",
  area: (f: { bits: number; best: boolean; counts: number[]; tiles: number }) =>
    `${fixed(f.bits)} bits${f.best ? ", the most" : ""} · leaves ${leaves(f.counts)} · ${count(f.tiles, "tile", "tiles")}`,
  mapLabel: (name: string, left: number) =>
    `Map of ${name}, ${spots(left)} left. Arrow keys move a cursor, with Shift ten tiles; Enter uses the tool; plus, minus and 0 zoom.`,
  map: {
    zoomIn: "Zoom in",
    zoomOut: "Zoom out",
    whole: "Show the whole map",
    near: "Show what is left",
    north: "N",
    again: "touch again to stand there",
    reach: "Show triple and double range",
  },
  /** `left`: spots left, null if only the engine can compute them */
  soFar: (all: number, left: number | null, seen: number) =>
    left === null ? `${count(seen, "pulse", "pulses")} seen` : `${left} of ${spots(all)} left`,
  line: (range: number, n: number, areas: number | null, meerkats: boolean, floor: number | null = null) =>
    `range ${range}${meerkats ? " with meerkats" : ""}, ${spots(n)}${areas === null ? "" : `, ${count(areas, "area", "areas")}${floor === null ? "" : ` (${words.floorName(floor)})`}`}`,
  left: (n: number) => (n === 1 ? "spot left" : "spots left"),
  leftOf: (all: number, left: number) =>
    `of ${all}${left > 1 ? `, ${fixed(Math.log2(left), 1)} bits to go` : ""}`,
  change: "Change",
  empty: "Choose a region or enter your own spots.",
  begin: "Choose a region",

  hereTitle: "What I see here",
  here: (t: number[]) => `at ${t[0]}, ${t[1]}`,
  hereUnknown: "Select your tile on the map, or type it. Until then plans start in the middle of the spots.",
  standAt: "Tile (x, y)",
  standGo: "Stand there",
  complementGo: (t: number[]) => `Stand above or below, ${t[0]}, ${t[1]}`,
  complementWhy:
    "Underground places lie 6400 tiles north of the surface above them. The “different level” sign shows within the range and 15 tiles of a spot's place there, so you can distinguish spots before you travel.",
  afar: {
    label: "Places where the “different level” sign shows; arrow keys move you",
    sign: (shows: boolean) => (shows ? "≠ sign shows" : "= no sign"),
  },
  placeWanted: "Type the tile as two whole numbers, such as 2990, 3390; a floor from 0 to 3 may follow.",
  offMap: (n: number, low: number, high: number) => `${n} is off the map, which goes from ${low} to ${high}.`,
  offLevel: (n: number) => `A floor is a number from 0 to 3, not ${n}.`,
  dugInVain: "Nothing found",
  pulse: (p: number) => pulses[p],
  keeps: (n: number | null) => (n === null ? "" : n === 0 ? "none left" : `${n} left`),
  saw: (p: number, t: number[]) => `${pulses[p]} at ${t[0]}, ${t[1]}`,
  sawArea: (p: number) => `${pulses[p]} somewhere in the drawn area`,
  areaPulse: "In the drawn area I saw",
  profileTitle: "Spot by spot",
  profileNone: (n: number) => (n ? "Only one spot is left." : "No spot is left."),
  profileLine: "The profile of this area, spot by spot in the order of the spots left:",
  spotNames: (l: number[]) => l.map((i) => i + 1).join(", "),
  answerBits: (n: number, m: number, pulse: number) =>
    pulse === 3
      ? `shows the spot: log₂(${n} / 1) = ${fixed(Math.log2(n))} bits`
      : `leaves ${m} of ${n}: log₂(${n} / ${m}) = ${fixed(Math.log2(n / m))} bits`,
  arrowTitle: "The arrow shows the spot. Which one?",
  arrowShows: (i: number) => `The arrow shows spot ${i + 1}`,
  otherLevel: "Different level shown",
  levelChoice: { "": "not noticed", yes: "yes", no: "no" },

  tools: {
    stand: "Stand",
    rule: "Rule out",
    area: "Area",
    wall: "Walls",
    free: "Erase walls",
    spot: "Spots",
  } as Record<string, string>,
  toolLine: {
    stand: "Select the tile where you stand.",
    rule: "Select a spot to rule it out or restore it.",
    area: "Drag a box around where you stood.",
    wall: "Drag to mark blocked tiles.",
    free: "Drag to unblock tiles.",
    spot: "Select a tile to add a spot, or a spot to remove it.",
    port: "Select the tile where the teleport leads.",
  } as Record<string, string>,
  toolsLabel: "Tool for the map",
  stood: (t: number[]) => `Stand at ${t[0]}, ${t[1]}`,
  ruled: (i: number) => `Spot ${i + 1} ruled out`,
  taken: (i: number) => `Spot ${i + 1} restored`,
  painted: "Walls painted",
  erased: "Walls erased",
  wallsGone: "All walls removed",
  removeWalls: "Remove all walls",
  added: "Spot added",
  removed: "Spot removed",

  walkTitle: "Walk to",
  policies: {
    search: "Fastest",
    lookahead: "One step",
    rate: "Per bit",
    bits: "Most bits",
  } as Record<string, string>,
  policyLabel: "Plan by",
  policyLine: {
    search: "Fewest ticks on average until you can dig, several scans ahead.",
    lookahead: "Walking time plus expected remaining time, one scan ahead.",
    rate: "Fewest ticks per bit.",
    bits: "Most bits, at any distance.",
  } as Record<string, string>,
  listen: "I watch the orb while running",
  reactionLabel: "I report a change after up to",
  reactionUnit: (n: number) => (n === 1 ? "tick" : "ticks"),
  run: {
    title: (o: NextOption) => `Run towards ${o.tile[0]}, ${o.tile[1]}`,
    why: (o: NextOption) =>
      `${ticks(o.walk_ticks)} to there (${seconds(o.walk_ticks)}); from here ${fixed(o.expected_ticks, 1)} ticks on average until you can dig.`,
    stop: (all: RunOutcome[]) => `${capital(stopWhen(all))}.`,
    go: "Run",
    press:
      "Select the first change that you saw and when. You see it up to two ticks late; run on to the tile of the answer.",
    bar: (all: RunOutcome[]) => stopWhen(all),
    outcome: (c: RunOutcome) => (c.silent ? `scan: ${pulses[c.pulse]}` : c.seen ? changed(c) : "no change"),
    when: (c: RunOutcome) => [words.run.outcome(c), words.run.after(c)].filter(Boolean).join(" "),
    place: (c: RunOutcome) => `${words.run.outcome(c)}${c.silent ? "" : `; then at ${c.at[0]}, ${c.at[1]}`}`,
    after: (c: RunOutcome) => (c.seen ? `after ${between(c.seen)}` : ""),
    /** A key of the advice bar: the pulse, and below it the time and the number of spots left. */
    key: (c: RunOutcome, all: RunOutcome[], left: number | null) => {
      const open = left === null ? "" : words.keeps(left);
      const n = c.silent ? "scan" : c.seen ? between(c.seen) : "no change";
      if (all.length > 3) return ["", n];
      return [words.run.outcome(c), [c.seen ? n : "", open].filter(Boolean).join(" · ")];
    },
  },
  walls: "With walls, the search looks fewer scans ahead.",
  many: (n: number) => `While more than ${n} spots are left, the search looks one scan ahead.`,
  toWalk: (n: number, uses: Use[] | undefined) =>
    words.portOf(uses) ? `${ticks(n)} by teleport` : n ? `${ticks(n)} to walk` : "no walk",
  /** The teleport at the start of a path. */
  portOf: (uses: Use[] | undefined) => (uses?.[0]?.ability === "teleport" ? uses[0] : null),
  /** The first stairs of a path. */
  climbOf: (uses: Use[] | undefined) => uses?.find(({ ability }) => ability === "stairs"),
  climbed: ({ at, to }: { at: number[]; to: number[] }) =>
    `I am ${to[2] === at[2] ? "there" : to[2] > at[2] ? "up" : "down"}`,
  bits: (b: number) => `${fixed(b)} bits`,
  unit: "ticks",
  walkTo: (o: NextOption) =>
    `${words.portOf(o.uses) ? `${words.usesBar(o.uses ?? [])}, then walk` : "Walk"} to ${o.tile[0]}, ${o.tile[1]}`,
  spokenOption: (o: NextOption) =>
    `${words.walkTo(o)}: ${ticks(o.walk_ticks)}, ${fixed(o.expected_ticks, 1)} ticks on average in all, ${fixed(o.bits)} bits`,
  /** Direction and distance: "North-east, 12 tiles". */
  rowWay: (from: number[], to: number[], known: boolean = true) => {
    const steps = stepsBetween(from, to);
    if (!steps) return known ? "Here" : "Middle";
    return `${compassPoints[compassPoint(from, to)]}, ${count(steps, "tile", "tiles")}`;
  },
  reasonTitle: (o: NextOption) => `If you scan at ${o.tile[0]}, ${o.tile[1]}`,
  /** The direction of a tile from the start and from its nearest spot. */
  whereTo: (here: number[], to: number[], near: { spot: number; at: number[] } | null, from = "here") => {
    const way = compass(to[0] - here[0], to[1] - here[1]);
    const direction = near && compass(to[0] - near.at[0], to[1] - near.at[1]);
    const there = near && (direction ? `${direction} of spot ${near.spot + 1}` : `at spot ${near.spot + 1}`);
    return `${capital([way ? `${way} from ${from}` : from === "here" ? "where you are" : `at ${from}`, there].filter(Boolean).join("; "))}.`;
  },
  /** The start of plans while the player's tile is unknown. */
  middle: "the middle of the spots",
  /** @param from "here", or where plans start */
  why: (o: NextOption, from: string = "here") =>
    `${o.walk_ticks ? `${ticks(o.walk_ticks)} away (${seconds(o.walk_ticks)})` : from === "here" ? "You are there" : "No walk"}; from ${from} ${fixed(o.expected_ticks, 1)} ticks on average until you can dig.`,
  runnerUp: (o: NextOption, next: NextOption, here: number[]) =>
    `The next best (${words.rowWay(here, next.tile).toLowerCase()}) takes ${fixed(next.expected_ticks - o.expected_ticks, 1)} ticks more.`,
  /** The area whose tiles give the same answers. */
  anywhere: (o: NextOption) =>
    o.area && o.tiles > 1
      ? `Scan anywhere in this area of ${whole(o.tiles)} tiles${o.room ? `: you may be off by ${count(o.room, "tile", "tiles")}` : ""}.`
      : "",
  landing: {
    title: "Where did you arrive?",
    none: "No teleport is known to land here. Select your tile on the map.",
    elsewhere: "Somewhere else: select the tile on the map",
    add: "Add a teleport you have",
    row: (l: Landing) => `${l.name} (${l.group}, ${ticks(l.ticks)})`,
  },
  terrain: {
    cannot: "I can't stand there",
    blocked: (t: number[]) => `${t[0]}, ${t[1]} is blocked in this region from now on`,
    kept: (n: number) =>
      `${count(n, "tile", "tiles")} of this region ${n > 1 ? "are" : "is"} blocked, also in later hunts.`,
    lastBack: "Unblock the last one",
    allBack: "Unblock all",
    ground: "Plans use the terrain of your collision files. Links do not contain it.",
    missing: (names: string[]) => `This region needs ${list(names)}.`,
    taken: (n: number) => `Terrain of ${count(n, "region", "regions")} read and kept in this browser.`,
  },
  assumed: (stop: number, { misread, slack, walls }: Position) =>
    `${misread ? "Each spot counts by its chance, and later pulses count as read correctly" : "All remaining spots count as equally likely"}${slack ? `; your tile may be off by ${count(slack, "tile", "tiles")}` : ""}; you run two tiles per tick${walls ? "" : " over open ground (walls are not known)"}, a scan takes ${stop ? ticks(stop) : "no time"}.`,
  stopLabel: "Time per scan",
  stopUnit: (n: number) => (n === 1 ? "tick (0.6 s)" : `ticks (${fixed(n * 0.6, 1)} s)`),
  stand: "Stand there",
  dig: (d: Dig) =>
    d.spots && d.at
      ? `Dig at ${d.at[0]}, ${d.at[1]} for spot ${eitherSpot(d.spots)}: ${ticks(d.walk_ticks)} ${d.uses ? "away" : "to walk"} (${seconds(d.walk_ticks)})${words.uses(d.uses)}.`
      : `Only spot ${d.spot + 1} is left. Dig there: ${ticks(d.walk_ticks)} ${d.uses ? "away" : "to walk"} (${seconds(d.walk_ticks)})${words.uses(d.uses)}.`,
  tapAnswer: "Select what you saw there.",

  logTitle: "What I know",
  logEmpty: "No scans yet. Select your tile on the map, then the pulse.",
  row: (i: number) => `Row ${i + 1}`,
  place: ({ at, area }: Pick<Observation, "at" | "area">) =>
    at ? `${at[0]}, ${at[1]}` : `area ${area?.[0]}, ${area?.[1]} to ${area?.[2]}, ${area?.[3]}`,
  ignore: "Ignore",
  count: "Use again",
  remove: "Remove",
  passing: "seen while running",
  changeTo: (p: number) => `Make it ${pulses[p]}`,
  changed: (i: number) => `Row ${i + 1} changed`,
  ruledOut: "Ruled out by hand",
  takeBack: (i: number) => `Restore spot ${i + 1}`,
  redundant: "redundant: the others already imply it",
  clear: "Clear all",
  cleared: "All cleared",

  doubtTitle: "No spot fits all entries",
  together: (names: string[]) =>
    names.length === 1 ? `${names[0]} rules out all spots.` : `${list(names)} cannot all be true.`,
  more: (n: number) => `and ${n} more such sets`,
  noRepair: "No single change fixes it. Correct or ignore several entries.",
  repairs: "Change one entry to fix it:",
  repair: (name: string, r: Repair) => `${name} was ${repairedPulse(r)} → ${words.keeps(r.remaining)}`,
  restore: (spot: number, r: Repair) => `${words.takeBack(spot)} → ${words.keeps(r.remaining)}`,

  routeTitle: "A whole route",
  routeText: "A full plan from where you stand: the next step for every answer.",
  longerLine: (s: number) => `Search for ${s} s`,
  routeSum: (r: Route) =>
    `${fixed(r.expected_ticks, 1)} ticks on average (${seconds(r.expected_ticks)}), ${r.worst_ticks} at worst, ${fixed(r.expected_scans, 1)} scans.`,
  routeGain: (r: Route) => `Always scanning for the most information takes ${fixed(r.baseline_ticks, 1)}.`,
  isProved: (r: Route) => (r.lower_bound ?? 0) >= r.expected_ticks,
  routeBound: (r: Route) =>
    words.isProved(r)
      ? "Proven fastest on open ground among routes that stop for every scan and dig only when certain."
      : `On open ground, routes that stop for every scan and dig only when certain take at least ${fixed(r.lower_bound, 1)}: this one is at most ${fixed(above(r), above(r) < 10 ? 1 : 0)} % above the best of them.`,
  routeOnFoot: (r: Route) =>
    r.on_foot_ticks == null
      ? ""
      : `Without abilities the same scans take ${fixed(r.on_foot_ticks, 1)} ticks.`,
  abilities: {
    dive: "Dive",
    surge: "Surge",
    mobile: "Mobile",
    teleport: "Teleport",
    stairs: "Stairs",
    escape: "Escape",
    count: { surge: "Charges of Surge", escape: "Charges of Escape" },
    charges: ["no", "one", "two"],
    how: (mobile: boolean) =>
      `Marked on the route where they save ticks. All count as ready at the start, and again ${mobile ? 17 : 34} ticks after each use. Each takes one tick of running. To escape forwards, step back one tile in the tick before.`,
  },
  teleport: {
    title: "Teleports",
    how: "Add teleports you have. Routes use them where they save time. They are saved for this region and included in links.",
    add: "Add a teleport",
    press: "Select the tile where it leads",
    mine: (n: number) => `Use mine (${n})`,
    name: (i: number) => `Teleport ${i + 1}`,
    ticks: (i: number) => `Ticks of teleport ${i + 1}`,
    cost: ticks,
    remove: (i: number) => `Remove teleport ${i + 1}`,
    added: "Teleport added",
    changed: (i: number) => `Teleport ${i + 1} changed`,
    gone: (i: number) => `Teleport ${i + 1} removed`,
  },
  /** An end of stairs on the map: "↑ floor 1" */
  stairEnd: (from: number, to: number) =>
    to === from ? "↔ shortcut" : `${to > from ? "↑" : "↓"} ${words.floorName(to)}`,
  stair: {
    title: "Stairs",
    how: "Add stairs, ladders, trapdoors, and shortcuts on one floor. Routes use them in both directions. They are saved for this region and included in links.",
    end: "Select the other end",
    add: "Add stairs",
    press: "Select the tile where they are",
    to: "to",
    name: (i: number) => `Stairs ${i + 1}`,
    ticks: (i: number) => `Ticks of stairs ${i + 1}`,
    floor: (i: number) => `Floor that stairs ${i + 1} lead to`,
    cost: ticks,
    remove: (i: number) => `Remove stairs ${i + 1}`,
    added: "Stairs added",
    changed: (i: number) => `Stairs ${i + 1} changed`,
    gone: (i: number) => `Stairs ${i + 1} removed`,
  },
  /** The abilities used on a path, after its ticks: ": dive at once to 3000, 3390; surge after 2 ticks to …" */
  uses: (uses: Use[] | undefined) =>
    uses?.length
      ? `: ${uses.map((u) => (u.ability === "stairs" ? words.use(u) : `${words.use(u)} to ${u.to[0]}, ${u.to[1]}`)).join("; ")}`
      : "",
  use: (u: Use) =>
    u.ability === "stairs"
      ? words.stairs(u)
      : u.ability === "teleport"
        ? `teleport${u.name ? ` to ${u.name}` : ""}`
        : `${u.ability} ${u.tick ? `after ${ticks(u.tick)}` : "at once"}`,
  stairs: ({ at, to, name }: { at: number[]; to: number[]; name?: string }) =>
    to[2] === at[2]
      ? `by ${name || `the shortcut at ${at[0]}, ${at[1]}`} to ${to[0]}, ${to[1]}`
      : `${to[2] > at[2] ? "up" : "down"} ${name ? `by ${name}` : `the stairs at ${at[0]}, ${at[1]}`} to ${to[2] ? words.floorName(to[2]) : "the ground floor"}`,
  beyond: (all: number[], ground: boolean) =>
    ground
      ? `No path leads to ${all.length > 1 ? "spots" : "spot"} ${list(all.map((i) => String(i + 1)))}: not counted in these times.`
      : `No stairs lead to the floor of ${all.length > 1 ? "spots" : "spot"} ${list(all.map((i) => String(i + 1)))}: not counted in these times.`,
  usesBar: (uses: Use[]) => capital(uses.map(words.use).join(", ")),
  /** The abilities used on the next leg, and the run after them: "Dive at once, surge at once, then run 4 tiles" */
  way: (uses: Use[], tile: number[]) => {
    const left = runAfter(uses, tile);
    return `${words.usesBar(uses)}${left ? `, then run ${count(left, "tile", "tiles")}` : ""}`;
  },
  /** The same for the advice bar: "Dive, surge, run 4 tiles" */
  wayBar: (uses: Use[], tile: number[]) => {
    const left = runAfter(uses, tile);
    const port = uses.length === 1 && words.portOf(uses);
    if (port) {
      const to = port.name ? `To ${port.name}` : "There";
      return left
        ? `${to}, then ${count(left, "tile", "tiles")} ${compassPoints[compassPoint(port.to, tile)].toLowerCase()}`
        : to;
    }
    const said = uses.map((u) => (u.tick || u.name || u.ability === "stairs" ? words.use(u) : u.ability));
    return capital([...said, ...(left ? [`run ${count(left, "tile", "tiles")}`] : [])].join(", "));
  },
  withAbilities: (t: number) => `With abilities this plan takes ${fixed(t, 1)} ticks.`,
  legRun: (n: Node, all: RunOutcome[]) => `Run towards ${n.tile?.[0]}, ${n.tile?.[1]}; ${stopWhen(all)}.`,
  leg: (n: Node, from: number[]) =>
    `${n.uses ? "Go to" : n.walk_ticks ? `${words.rowWay(from, n.tile ?? from)}, to` : "Stay at"} ${n.tile?.[0]}, ${n.tile?.[1]} (${ticks(n.walk_ticks ?? 0)}${words.uses(n.uses)})${n.at ? `; the pulse at ${n.at[0]}, ${n.at[1]} decides` : " and scan"}${n.room ? `; you may be off by ${count(n.room, "tile", "tiles")}` : ""}.`,
  legSaw: "I saw",
  legCame: "What you saw",
  legBack: "One step back",
  legStart: "From the start",
  legDig: (n: Node) => `Dig at spot ${(n.spot ?? 0) + 1}${words.digWay(n.digs?.[0])}.`,
  legDug: "I dug",
  legDigAt: (n: Node) =>
    `Dig at ${n.dig?.[0]}, ${n.dig?.[1]} (${ticks(n.walk_ticks ?? 0)}${words.uses(n.uses)}), ${n.else ? "for" : "it is"} spot ${eitherSpot(n.spots ?? [])}.`,
  legArrow: (n: Node) =>
    `The triple shows the spot: ${list(
      (n.spots ?? []).map((spot, i) => `${spot + 1}${words.digWay(n.digs?.[i])}`),
      "or",
    )}.`,
  digWay: (dig: DigWalk | undefined) =>
    dig?.uses ? ` (${ticks(dig.walk_ticks)}${words.uses(dig.uses)})` : "",
  legTake: "Add these pulses to my log",
  legTaken: "Route walked",
  answer: (key: string) => `${pulses[Number(key[0])]}${key.endsWith("d") ? ", different level" : ""}`,
  exportText: "Save as text",
  exportPack: "Save as method pack",
  exportPicture: "Save as a picture",
  mapPicture: {
    stop: (n: number) => `A scan takes ${stopText(n)}.`,
    start: "start",
    place: "scan",
    spot: "dig spot",
    least: "few bits",
    most: "most bits",
    scale: (n: number) => `${n} tiles, ${ticks(n / 2)} of running`,
    after: (p: number) => `after a ${pulses[p]}`,
    next: (n: number) => `→ ${n}`,
    leaf: (n: Node): string =>
      `→ dig ${eitherSpot(n.spots ?? [n.spot ?? 0])}${n.else ? `, then ${words.mapPicture.leaf(n.else).slice(2)}` : ""}`,
    line: (i: number, n: Node, answers: string[]) =>
      `${i}.  ${n.tile?.[0]}, ${n.tile?.[1]} (${ticks(n.walk_ticks ?? 0)}${words.uses(n.uses)}):  ${answers.join(" · ")}`,
  },
  review: {
    title: "Review",
    sum: (r: Review) =>
      `${ticks(r.ticks)} (${seconds(r.ticks)}) with ${count(r.scans.length, "scan", "scans")}; the plan takes ${r.plan_ticks} with ${r.plan_scans} for this spot.`,
    parts: (r: Review) =>
      `The plan expected ${fixed(r.planned, 1)} on average; your scans lost ${fixed(r.loss, 1)}, and the pulses ${r.luck < 0 ? "cost" : "saved"} ${fixed(Math.abs(r.luck), 1)} by ${r.luck < 0 ? "bad luck" : "luck"}.`,
    fromFirst: "Counted from your first scan.",
    head: { scan: "Scan", left: "Spots", mine: "With it", plan: "Plan", loss: "Lost", luck: "Luck" },
    how: "Average ticks until you can dig, before each scan: with your scan and then the plan, and with the plan at once. The difference is your loss. Luck is how much better the pulse was than average.",
  },
  exportJson: "Save as JSON",
  fewest: "Fewest scans, at any distance",
  fewestProved: (f: Fewest) =>
    `${fixed(f.expected_scans, 3)} scans on average until one spot is left, proven to be the fewest (${f.total} over all ${spots(f.spots)}); the scans alone take ${fixed(f.stop_ticks, 1)} ticks.`,
  fewestOpen: (f: Fewest) =>
    `${fixed(f.expected_scans, 3)} scans on average is the best found; below ${fixed(f.at_least / f.spots, 3)} is proven impossible.`,

  practiceTitle: "Practice",
  practiceText: "A spot is hidden. Select a tile to walk there and scan. Find it in as few ticks as you can.",
  practiceGo: "Hide a spot",
  practiceOn: "A spot is hidden. Select a tile to walk there and scan.",
  practiceTally: (t: number, s: number) => `${ticks(t)} so far, ${count(s, "scan", "scans")}.`,
  practiceRuns: "You watch the orb: a run goes on where a change of the pulse is certain.",
  practiceHint: "Show advice",
  practiceHide: "Hide advice",
  practiceGive: "Show the spot",
  practiceStop: "Stop practising",
  practiceEnd: (r: Heard) =>
    `It was spot ${(r.spot ?? 0) + 1}. You took ${ticks(r.ticks)} with ${count(r.scans, "scan", "scans")}; the planned route takes ${r.route_ticks} for this spot and ${fixed(r.route_mean, 1)} on average.`,
  practiceAgain: "Again",
  hidden: "Advice is hidden while you practise.",

  setupTitle: "Which clue?",
  regions: "Region",
  find: "Find a region",
  regionLine: (r: Region) => `range ${r.range}, ${spots(r.spots.length)}, ${r.tier}`,
  own: "Your own spots",
  ownHow: "One spot per line, or several separated by “;”: x, y and optionally the level. JSON works too.",
  ownRange: "Range of the clue",
  rangeWanted: "The range is a whole number of tiles from 0 to 500.",
  ownTake: "Use these spots",
  ownTaken: (n: number) => `${spots(n)} added.`,
  options: "How you read the orb",
  meerkats: "Meerkats (range + 5)",
  levels: "Use the “different level” message",
  floor: "Floor I am on",
  floorName: (n: number) => (n ? `floor ${n}` : "ground"),
  onFloor: (n: number) => `On ${words.floorName(n)}${n ? "" : " floor"}`,
  slack: "My position is",
  slacks: {
    0: "exact",
    1: "right to within a tile",
    2: "right to within two tiles",
  } as Record<string, string>,
  misread: "Single and double",
  misreads: {
    0: "never misread",
    5: "misread 1 time in 20",
    10: "misread 1 time in 10",
    20: "misread 1 time in 5",
  } as Record<string, string>,
  likely: (l: [number, number][]) =>
    `Most likely: ${l.map(([i, p]) => `spot ${i + 1} (${fixed(100 * p, 0)} %)`).join(", ")}. Advice considers the likeliest 70 % and says to dig at 95 % certainty.`,
  wallsTitle: "Walls",
  wallsHow:
    "A picture (dark pixels are walls; on a transparent background, all drawn pixels) or a text grid (# is a wall). Its lower left corner goes to the tile you enter. Or choose all collision files of the game's map (collision-2-2-0.bin and so on): they are read for every region at once and stay in this browser.",
  wallsFile: "Choose files",
  wallsLarge: (w: number, h: number) =>
    `A wall picture may have 1 048 576 pixels (1024 × 1024); this one is ${w} × ${h}.`,
  wallsAt: "Lowest left tile (x, y)",
  wallsPixels: "Pixels per tile",
  wallsTaken: (w: Grid) => `${w.size[0]} × ${w.size[1]} tiles read, ${whole(w.blocked)} of them walls.`,
  pictureTitle: "Your own map pictures",
  pictureHow: "A screenshot or an exported map. It is shown under the areas and stays in this browser.",
  fit: {
    how: "Select a spot in the picture, then its number. Two spots place the picture, a third checks it. North must be up: the picture is scaled and moved, never rotated.",
    picture: "Your picture",
    larger: "Enlarge",
    smaller: "Shrink",
    again: "Start over",
    which: "Which spot is this?",
    this: (i: number) => `This is spot ${i + 1}`,
    more: (n: number) => (n > 1 ? "Select at least two spots." : "Select one more spot."),
    never: "The picture does not fit. Check that north is up and that you selected two different places.",
    good: (n: number, off: number, scale: number) =>
      `${n} spots selected: each is within ${fixed(off, 1)} tiles of its place; a tile is ${fixed(1 / scale, 1)} pixels wide.${n < 3 ? " A third spot would check it." : ""}`,
    bad: (spot: number | null, off: number) =>
      spot === null
        ? `The two spots are off by ${fixed(off, 1)} tiles: one is in the wrong place, or the picture is rotated or stretched.`
        : `Spot ${spot + 1} is ${fixed(off, 1)} tiles from where you selected it. Select it again, or check whether the picture is rotated or stretched.`,
  },
  pictureTyped: "Use coordinates instead",
  pictureTypedHow: "Enter two points: their pixels in the picture (from its top left) and their tiles.",
  pictureFile: "Choose a picture",
  pictureKept: "Stored pictures:",
  pictureRemove: (i: number) => `Remove picture ${i + 1}`,
  picturePoint: (i: number) => `Point ${i}: pixel x, y → tile x, y`,
  picturePlace: "Place the picture",
  pictureTypedPlace: "Place it by these points",
  pictureBad:
    "Give both points as pixel x, y → tile x, y. They must differ in x and in y, and tiles grow to the east and to the north.",
  pictureElsewhere: "The picture would be outside this map. Check the tiles of the two points.",
  pictureFailed: "The browser cannot read this file as a picture.",
  optionsChanged: "Settings changed",
  numbersWanted: "Enter two whole numbers, such as 2990, 3390.",

  spotsLeft: (c: Classes) => `${spots(c.remaining)} left.`,
  describeAreas: (c: Classes) =>
    `${count(c.classes, "area", "areas")}; the best scan gives ${fixed(c.max_bits)} bits.`,
  waitingMap: "Areas appear when the engine has loaded.",
};

/** an answer of a run */
export type RunOutcome = Pick<Change, "pulse" | "pulses" | "seen" | "silent" | "ticks" | "at">;

function changed(c: RunOutcome) {
  return list(
    (c.pulses ?? [c.pulse]).map((pulse) => pulses[pulse]),
    "or",
  );
}

/** "4 to 6 ticks" */
function between([first, last]: number[]) {
  return first === last ? ticks(first) : `${first} to ${ticks(last)}`;
}

function stopWhen(all: RunOutcome[]) {
  const names = [...new Set(all.filter((c) => c.seen).flatMap((c) => c.pulses ?? [c.pulse]))].map(
    (p) => pulses[p],
  );
  return `watch for ${list(names, "or")}${all.some((c) => c.silent) ? "; else scan at the end" : ""}`;
}

/**
 * "12 west, 20 south"; "" for the same tile.
 * @param x tiles to the east
 * @param y to the north
 */
function compass(x: number, y: number) {
  const parts = [
    x && `${Math.abs(x)} ${x < 0 ? "west" : "east"}`,
    y && `${Math.abs(y)} ${y < 0 ? "south" : "north"}`,
  ];
  return parts.filter(Boolean).join(", ");
}

/** A name as a title: "Falador" from "Falador", "The desert …" from "the desert …". */
export function capital(text: string) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function stopText(stop: number) {
  return stop ? ticks(stop) : "no time";
}

/** "13 or 22" */
const eitherSpot = (all: number[]) =>
  list(
    all.map((i) => String(i + 1)),
    "or",
  );

function leaves(counts: number[]) {
  const names = ["single", "double", "triple"];
  return counts
    .map((n, i) => (n ? `${names[i % 3]}${i > 2 ? " (other level)" : ""} ${n}` : ""))
    .filter(Boolean)
    .join(", ");
}

function list(names: string[], last: string = "and") {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} ${last} ${names.at(-1)}`;
}
