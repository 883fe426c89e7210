/** Every sentence of the scan desk. One file, hence its length: who changes one looks for it here. */
import { count, fixed, whole } from "../../widgets/numbers.js";

const spots = (/** @type {number} */ n) => count(n, "spot", "spots");
const ticks = (/** @type {number} */ n) => count(n, "tick", "ticks");
/** Tiles to run once all is used. @param {import("./model.js").Use[]} uses @param {number[]} tile */
const runAfter = (uses, [x, y]) => {
  const { to } = uses[uses.length - 1];
  return Math.max(Math.abs(to[0] - x), Math.abs(to[1] - y));
};
const seconds = (/** @type {number} */ n) => `${fixed(n * 0.6, 0)} s`;
/** @type {Record<number, string>} */
const pulses = { 1: "single", 2: "double", 3: "triple" };

/** How far a route is above what none can beat, in %. @param {import("./model.js").Route} r */
const above = (r) => 100 * (r.expected_ticks / Math.max(r.lower_bound ?? 0, 1e-9) - 1);

export const words = {
  asks: "I stand here and see a double. Where do I walk?",
  bar: {
    begin: "Which clue do you have?",
    choose: "Choose",
    planning: "Planning the walk",
    goWord: "Go",
    port: "Teleport",
    go: (/** @type {string} */ word, /** @type {number} */ x, /** @type {number} */ y) =>
      `${word} ${[x && `${Math.abs(x)} ${x < 0 ? "W" : "E"}`, y && `${Math.abs(y)} ${y < 0 ? "S" : "N"}`].filter(Boolean).join(" ")}`,
    scanHere: "Scan where you are",
    ticks: (/** @type {number} */ n) => (n === 1 ? "tick" : "ticks"),
    toSpot: (/** @type {string} */ n) => `${n} ticks on average`,
    there: "I am there",
    saw: "saw",
    arrowTitle: "Which spot does the arrow show?",
    arrowPress: "Press its number here or on the map.",
    arrowAt: "arrow at",
    plan: (/** @type {number} */ step, /** @type {number} */ left) =>
      `Plan, step ${step} · ${spots(left)} left`,
    was: (/** @type {number} */ spot) => `It was spot ${spot + 1}`,
    planEnd: "This is where the plan ends.",
    planTake: "Into my log",
    cannot: "cannot be",
    cannotShort: "none",
    noPlace: "No place to scan is left",
    listen: "Press the map to scan there",
    pressMap: "The advice stays hidden while you practise.",
    oneChange: "One change would make sense of it.",
    lookBelow: "Look at what you entered.",
    mend: "Mend",
    digWalk: (/** @type {import("./model.js").Dig} */ d) =>
      d.uses
        ? `${ticks(d.walk_ticks)}: ${d.uses.map(words.use).join(", ")}`
        : d.spots
          ? `${ticks(d.walk_ticks)} away (${seconds(d.walk_ticks)}).`
          : `The only one left, ${ticks(d.walk_ticks)} away (${seconds(d.walk_ticks)}).`,
    dig: (/** @type {number} */ spot) => `Dig at spot ${spot + 1}`,
    digAt: (/** @type {number[]} */ all, /** @type {number[]} */ at) =>
      `Dig at ${at[0]}, ${at[1]}: spot ${eitherSpot(all)}`,
  },
  ownSpots: "your own spots",
  tile: (/** @type {number[]} */ [x, y]) => `${x}, ${y}`,
  spotHere: (/** @type {number} */ i, /** @type {number | null} */ level) =>
    ` · spot ${i + 1}${level === null ? "" : `, ${words.floorName(level)}`}`,
  noArea: " · nothing to learn here",
  area: (/** @type {{bits: number, best: boolean, counts: number[], tiles: number}} */ f) =>
    `${fixed(f.bits)} bits${f.best ? ", the most" : ""} · leaves ${leaves(f.counts)} · ${count(f.tiles, "tile", "tiles")}`,
  mapLabel: (/** @type {string} */ name, /** @type {number} */ left) =>
    `Map of ${name}, ${spots(left)} left. Arrow keys move a cursor, with Shift ten tiles; Enter uses the tool; plus, minus and 0 zoom.`,
  map: {
    zoomIn: "Zoom in",
    zoomOut: "Zoom out",
    whole: "Show the whole map",
    near: "Show what is left",
    north: "N",
    again: "touch again to stand there",
    reach: "Show how far triple and double reach",
  },
  title: (/** @type {string} */ name, /** @type {number} */ seen) =>
    `${name}${seen ? `, ${count(seen, "pulse", "pulses")} seen` : ""}`,
  line: (
    /** @type {number} */ range,
    /** @type {number} */ n,
    /** @type {number | null} */ areas,
    /** @type {boolean} */ meerkats,
  ) =>
    `range ${range}${meerkats ? " with meerkats" : ""}, ${spots(n)}${areas === null ? "" : `, ${count(areas, "area", "areas")}`}`,
  left: (/** @type {number} */ n) => (n === 1 ? "spot left" : "spots left"),
  leftOf: (/** @type {number} */ all, /** @type {string} */ bits) => `of ${all}, ${bits} bits to go`,
  change: "Change",
  empty: "Choose a region or enter spots of your own.",
  begin: "Choose a region",

  hereTitle: "Where I stand I see",
  here: (/** @type {number[]} */ t) => `at ${t[0]}, ${t[1]}`,
  hereUnknown:
    "Press the map where you stand, or type the place. Until then plans start in the middle of the spots.",
  standAt: "Place (x, y)",
  standGo: "Stand there",
  complementGo: (/** @type {number[]} */ t) => `Stand above or below, ${t[0]}, ${t[1]}`,
  complementWhy:
    "Underground places lie 6400 tiles north of the surface above them. The “different level” sign shows within the range and 15 tiles of a spot's place there, so it tells spots apart before you travel.",
  placeWanted: "Type the place as two whole numbers, such as 2990, 3390; a floor from 0 to 3 may follow.",
  offMap: (/** @type {number} */ n, /** @type {number} */ low, /** @type {number} */ high) =>
    `${n} is off the map, which goes from ${low} to ${high}.`,
  offLevel: (/** @type {number} */ n) => `A floor is a number from 0 to 3, not ${n}.`,
  dugInVain: "Nothing there",
  pulses: /** @type {Record<string, string>} */ ({ 1: "single", 2: "double", 3: "triple" }),
  pulse: (/** @type {number} */ p) => pulses[p],
  keeps: (/** @type {number | null} */ n) => (n === null ? "" : n === 0 ? "none left" : `${n} left`),
  saw: (/** @type {number} */ p, /** @type {number[]} */ t) => `${pulses[p]} at ${t[0]}, ${t[1]}`,
  sawArea: (/** @type {number} */ p) => `${pulses[p]} somewhere in the drawn area`,
  areaPulse: "In the drawn area I saw",
  profileTitle: "Spot by spot",
  profileNone: "One spot is left: nothing more to tell apart.",
  profileLine: "The profile of this area, spot by spot in the order of the spots left:",
  spotNames: (/** @type {number[]} */ l) => l.map((i) => i + 1).join(", "),
  answerBits: (/** @type {number} */ n, /** @type {number} */ m, /** @type {number} */ pulse) =>
    pulse === 3
      ? `shows the spot: log₂(${n} / 1) = ${fixed(Math.log2(n))} bits`
      : `leaves ${m} of ${n}: log₂(${n} / ${m}) = ${fixed(Math.log2(n / m))} bits`,
  arrowTitle: "The arrow shows the spot. Which one?",
  arrowShows: (/** @type {number} */ i) => `The arrow shows spot ${i + 1}`,
  otherLevel: "Different level shown",
  levelChoice: { "": "not noticed", yes: "yes", no: "no" },

  tools: /** @type {Record<string, string>} */ ({
    stand: "Stand",
    rule: "Rule out",
    area: "Area",
    wall: "Walls",
    free: "Erase walls",
    spot: "Spots",
  }),
  toolLine: /** @type {Record<string, string>} */ ({
    stand: "Press the map where you stand.",
    rule: "Press a spot to rule it out or take it back.",
    area: "Drag a box: you saw the pulse somewhere inside it.",
    wall: "Drag boxes nobody can walk through.",
    free: "Drag boxes to open walls again.",
    spot: "Press the map to add a spot, press a spot to remove it.",
    port: "Press the map where the teleport leads.",
  }),
  toolsLabel: "What pressing the map does",
  stood: (/** @type {number[]} */ t) => `Stand at ${t[0]}, ${t[1]}`,
  ruled: (/** @type {number} */ i) => `Spot ${i + 1} ruled out`,
  taken: (/** @type {number} */ i) => `Spot ${i + 1} back`,
  painted: "Walls painted",
  erased: "Walls erased",
  wallsGone: "All walls removed",
  removeWalls: "Remove all walls",
  added: "Spot added",
  removed: "Spot removed",

  walkTitle: "Walk to",
  policies: /** @type {Record<string, string>} */ ({
    search: "Quickest",
    lookahead: "One step",
    rate: "Per bit",
    bits: "Most bits",
  }),
  policyLabel: "What counts",
  policyLine: /** @type {Record<string, string>} */ ({
    search: "Fewest ticks on average until you can dig, looking several scans ahead.",
    lookahead: "Walk, ticks left and what stays open, one scan ahead.",
    rate: "Fewest ticks for each bit of information.",
    bits: "The most information, however far it is.",
  }),
  listen: "I watch the pulse while running",
  run: {
    title: (/** @type {import("./model.js").NextOption} */ o) => `Run towards ${o.tile[0]}, ${o.tile[1]}`,
    why: (/** @type {import("./model.js").NextOption} */ o) =>
      `${ticks(o.walk_ticks)} as far as there (${seconds(o.walk_ticks)}); from here ${fixed(o.expected_ticks, 1)} ticks on average until you can dig.`,
    stop: (/** @type {Came[]} */ all) =>
      `${capital(stopWhen(all))}${isUnread(all) ? "" : "; without a change, scan at the end"}.`,
    go: "Run",
    press: "Press what came. A change that is seen while running costs no scan.",
    bar: (/** @type {Came[]} */ all) => stopWhen(all),
    came: (/** @type {Came} */ c, /** @type {Came[]} */ all) =>
      c.silent ? `stays ${pulses[c.pulse]}` : isUnread(all) ? pulses[c.pulse] : `turns ${pulses[c.pulse]}`,
    when: (/** @type {Came} */ c, /** @type {Came[]} */ all) =>
      [words.run.came(c, all), c.silent ? "" : words.run.after(c, all)].filter(Boolean).join(" "),
    place: (/** @type {Came} */ c, /** @type {Came[]} */ all) =>
      `${words.run.came(c, all)} ${c.silent ? "as far as" : "at"} ${c.at[0]}, ${c.at[1]}`,
    /** When it comes; where all stop at one place, the strip says that above. */
    after: (/** @type {Came} */ c, /** @type {Came[]} */ all) =>
      isUnread(all) ? "" : c.silent ? "to the end" : `after ${ticks(c.ticks)}`,
    /** A key of the strip: what came, and below it when and how many spots that leaves. */
    key: (/** @type {Came} */ c, /** @type {Came[]} */ all, /** @type {number | null} */ left) => {
      const open = left === null ? "" : words.keeps(left);
      if (isUnread(all)) return [pulses[c.pulse], open];
      const n = c.silent ? "no turn" : ticks(c.ticks);
      if (all.length > 3) return ["", n];
      return [c.silent ? `stays ${pulses[c.pulse]}` : pulses[c.pulse], [n, open].filter(Boolean).join(" · ")];
    },
  },
  walls: "Round walls the search looks fewer steps ahead.",
  many: (/** @type {number} */ n) => `While more than ${n} spots are left, the search looks one scan ahead.`,
  toWalk: (/** @type {number} */ n, /** @type {import("./model.js").Use[] | undefined} */ uses) =>
    words.portOf(uses) ? `${ticks(n)} by teleport` : n ? `${ticks(n)} to walk` : "no walk",
  /** The teleport that a way begins with. */
  portOf: (/** @type {import("./model.js").Use[] | undefined} */ uses) =>
    uses?.[0]?.ability === "teleport" ? uses[0] : null,
  /** The first stairs of a way. */
  climbOf: (/** @type {import("./model.js").Use[] | undefined} */ uses) =>
    uses?.find(({ ability }) => ability === "stairs"),
  climbed: (/** @type {{at: number[], to: number[]}} */ { at, to }) =>
    `I am ${to[2] > at[2] ? "up" : "down"}`,
  bits: (/** @type {number} */ b) => `${fixed(b)} bits`,
  unit: "ticks",
  spokenOption: (/** @type {import("./model.js").NextOption} */ o) =>
    `${words.portOf(o.uses) ? `${words.usesBar(o.uses ?? [])}, then walk` : "Walk"} to ${o.tile[0]}, ${o.tile[1]}: ${ticks(o.walk_ticks)}, ${fixed(o.bits)} bits, then ${fixed(o.expected_ticks, 1)} ticks on average in all`,
  reasonTitle: (/** @type {import("./model.js").NextOption} */ o) =>
    `If you scan at ${o.tile[0]}, ${o.tile[1]}`,
  /** Where a place lies, in words: from here, and from the spot that is nearest to it. */
  whereTo: (
    /** @type {number[]} */ here,
    /** @type {number[]} */ to,
    /** @type {{spot: number, at: number[]} | null} */ near,
    from = "here",
  ) => {
    const way = compass(to[0] - here[0], to[1] - here[1]);
    const beside = near && compass(to[0] - near.at[0], to[1] - near.at[1]);
    const there = near && (beside ? `${beside} of spot ${near.spot + 1}` : `at spot ${near.spot + 1}`);
    return `${capital([way ? `${way} from ${from}` : from === "here" ? "where you are" : `at ${from}`, there].filter(Boolean).join("; "))}.`;
  },
  why: (/** @type {import("./model.js").NextOption} */ o) =>
    `${o.walk_ticks ? `${ticks(o.walk_ticks)} away (${seconds(o.walk_ticks)})` : "You are there"}; from here ${fixed(o.expected_ticks, 1)} ticks on average until you can dig.`,
  runnerUp: (
    /** @type {import("./model.js").NextOption} */ o,
    /** @type {import("./model.js").NextOption} */ next,
  ) =>
    `The next best, ${next.tile[0]}, ${next.tile[1]}, takes ${fixed(next.expected_ticks - o.expected_ticks, 1)} ticks more.`,
  same: (/** @type {number} */ n) =>
    n > 1 ? `${whole(n)} tiles here are the same question; this is the nearest.` : "",
  assumed: (/** @type {number} */ stop, /** @type {import("./model.js").Position} */ { misread, slack }) =>
    `${misread ? "Each spot counts by how likely it is, and later pulses as read right" : "All spots left count as equally likely"}${slack ? `; you may stand up to ${count(slack, "tile", "tiles")} off` : ""}; you walk two tiles a tick, a stop to scan takes ${stop ? ticks(stop) : "no time"}.`,
  stopLabel: "A stop costs me",
  stopUnit: (/** @type {number} */ n) => (n === 1 ? "tick (0.6 s)" : `ticks (${fixed(n * 0.6, 1)} s)`),
  stand: "Stand there",
  dig: (/** @type {import("./model.js").Dig} */ d) =>
    d.spots && d.at
      ? `Dig at ${d.at[0]}, ${d.at[1]} for spot ${eitherSpot(d.spots)}: ${ticks(d.walk_ticks)} ${d.uses ? "away" : "to walk"} (${seconds(d.walk_ticks)})${words.uses(d.uses)}.`
      : `Only spot ${d.spot + 1} is left. Dig there: ${ticks(d.walk_ticks)} ${d.uses ? "away" : "to walk"} (${seconds(d.walk_ticks)})${words.uses(d.uses)}.`,
  tapAnswer: "Press what you saw there.",

  logTitle: "What I know",
  logEmpty: "Nothing seen yet. Stand somewhere, then press what you see.",
  row: (/** @type {number} */ i) => `Row ${i + 1}`,
  place: (/** @type {Pick<import("./model.js").Observation, "at" | "area">} */ { at, area }) =>
    at ? `${at[0]}, ${at[1]}` : `area ${area?.[0]}, ${area?.[1]} to ${area?.[2]}, ${area?.[3]}`,
  ignore: "Ignore",
  count: "Count again",
  remove: "Remove",
  passing: "seen while running",
  changeTo: (/** @type {number} */ p) => `Make it ${pulses[p]}`,
  changed: (/** @type {number} */ i) => `Row ${i + 1} changed`,
  ruledOut: "Ruled out by hand",
  takeBack: (/** @type {number} */ i) => `Take spot ${i + 1} back`,
  redundant: "tells nothing new",
  clear: "Clear all",
  cleared: "All cleared",

  doubtTitle: "No spot fits all of this",
  together: (/** @type {string[]} */ names) =>
    names.length === 1 ? `${names[0]} rules out every spot by itself.` : `${list(names)} cannot all be true.`,
  more: (/** @type {number} */ n) => `and ${n} more such sets`,
  repairs: "It makes sense again if one thing changes:",
  repair: (/** @type {string} */ name, /** @type {import("../../types/scan.js").Repair} */ r) =>
    `${name} ${r.pulse ? `was ${pulses[r.pulse]}` : "is taken back"} → ${spots(r.remaining)} left`,

  routeTitle: "A whole route",
  routeText: "A plan for every answer, from where you stand: what to do next whatever you see.",
  routeGo: "Plan the route",
  longer: "Think longer",
  longerLine: (/** @type {number} */ s) => `Think for ${s} s`,
  routeSum: (/** @type {import("./model.js").Route} */ r) =>
    `${fixed(r.expected_ticks, 1)} ticks on average (${seconds(r.expected_ticks)}), ${r.worst_ticks} at worst, ${fixed(r.expected_scans, 1)} scans.`,
  routeGain: (/** @type {import("./model.js").Route} */ r) =>
    `Always walking to the most information takes ${fixed(r.baseline_ticks, 1)}.`,
  isProved: (/** @type {import("./model.js").Route} */ r) => (r.lower_bound ?? 0) >= r.expected_ticks,
  routeBound: (/** @type {import("./model.js").Route} */ r) =>
    words.isProved(r)
      ? "Of the routes that stop for every pulse and dig only when sure, no route is quicker: that is proved."
      : `Of the routes that stop for every pulse and dig only when sure, none can take less than ${fixed(r.lower_bound, 1)}: this one is at most ${fixed(above(r), above(r) < 10 ? 1 : 0)} % above the best.`,
  routeOnFoot: (/** @type {import("./model.js").Route} */ r) =>
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
    how: (/** @type {boolean} */ mobile) =>
      `Marked on the route and on the next way where they save ticks: all are taken to be ready at the start, and again ${mobile ? 17 : 34} ticks after each use. They fit into one tick of running; to escape the way you go, step back one tile in the tick before.`,
    not: "Surge, Dive and Escape are marked where there are no walls and the pulse is not watched while running.",
  },
  teleport: {
    title: "Teleports",
    how: "Ways may begin with one of these, from the start or after any scan, where that saves ticks. They are kept for this region, and go along in a link.",
    add: "Add a teleport",
    press: "Press the map where it leads",
    mine: (/** @type {number} */ n) => `Use mine (${n})`,
    name: (/** @type {number} */ i) => `Teleport ${i + 1}`,
    ticks: (/** @type {number} */ i) => `Ticks of teleport ${i + 1}`,
    cost: ticks,
    remove: (/** @type {number} */ i) => `Remove teleport ${i + 1}`,
    added: "Teleport added",
    changed: (/** @type {number} */ i) => `Teleport ${i + 1} changed`,
    gone: (/** @type {number} */ i) => `Teleport ${i + 1} removed`,
  },
  /** An end of stairs on the map: "↑ floor 1" */
  stairEnd: (/** @type {number} */ from, /** @type {number} */ to) =>
    `${to > from ? "↑" : "↓"} ${words.floorName(to)}`,
  stair: {
    title: "Stairs",
    how: "Stairs, ladders and trapdoors, both ways: advice and routes go over floors by them. They are kept for this region, and go along in a link.",
    add: "Add stairs",
    press: "Press the map where they are",
    to: "to",
    name: (/** @type {number} */ i) => `Stairs ${i + 1}`,
    ticks: (/** @type {number} */ i) => `Ticks of stairs ${i + 1}`,
    floor: (/** @type {number} */ i) => `Floor that stairs ${i + 1} lead to`,
    cost: ticks,
    remove: (/** @type {number} */ i) => `Remove stairs ${i + 1}`,
    added: "Stairs added",
    changed: (/** @type {number} */ i) => `Stairs ${i + 1} changed`,
    gone: (/** @type {number} */ i) => `Stairs ${i + 1} removed`,
  },
  /** What is used on a way, after its ticks: ": dive at once to 3000, 3390; surge after 2 ticks to …" */
  uses: (/** @type {import("./model.js").Use[] | undefined} */ uses) =>
    uses?.length
      ? `: ${uses.map((u) => (u.ability === "stairs" ? words.use(u) : `${words.use(u)} to ${u.to[0]}, ${u.to[1]}`)).join("; ")}`
      : "",
  use: (/** @type {import("./model.js").Use} */ u) =>
    u.ability === "stairs"
      ? words.stairs(u)
      : u.ability === "teleport"
        ? `teleport${u.name ? ` to ${u.name}` : ""}`
        : `${u.ability} ${u.tick ? `after ${ticks(u.tick)}` : "at once"}`,
  stairs: (/** @type {{at: number[], to: number[], name?: string}} */ { at, to, name }) =>
    `${to[2] > at[2] ? "up" : "down"} ${name ? `by ${name}` : `the stairs at ${at[0]}, ${at[1]}`} to ${to[2] ? words.floorName(to[2]) : "the ground floor"}`,
  beyond: (/** @type {number[]} */ all) =>
    `No stairs lead to the floor of ${all.length > 1 ? "spots" : "spot"} ${list(all.map((i) => String(i + 1)))}: left out of all ticks here.`,
  usesBar: (/** @type {import("./model.js").Use[]} */ uses) => capital(uses.map(words.use).join(", ")),
  /** What is used on the next way, and what is run after it: "Dive at once, surge at once, then run 4 tiles" */
  way: (/** @type {import("./model.js").Use[]} */ uses, /** @type {number[]} */ tile) => {
    const left = runAfter(uses, tile);
    return `${words.usesBar(uses)}${left ? `, then run ${count(left, "tile", "tiles")}` : ""}`;
  },
  /** The same for the strip of a phone: "Dive, surge, run 4 tiles" */
  wayBar: (/** @type {import("./model.js").Use[]} */ uses, /** @type {number[]} */ tile) => {
    const left = runAfter(uses, tile);
    const port = uses.length === 1 && words.portOf(uses);
    if (port) {
      const to = port.name ? `To ${port.name}` : "There";
      return left ? words.bar.go(`${to}, go`, tile[0] - port.to[0], tile[1] - port.to[1]) : to;
    }
    const said = uses.map((u) => (u.tick || u.name || u.ability === "stairs" ? words.use(u) : u.ability));
    return capital([...said, ...(left ? [`run ${count(left, "tile", "tiles")}`] : [])].join(", "));
  },
  withAbilities: (/** @type {number} */ t) =>
    `With abilities on all its ways this plan takes ${fixed(t, 1)} ticks.`,
  legRun: (/** @type {import("./model.js").Node} */ n, /** @type {Came[]} */ all) =>
    `Run towards ${n.tile?.[0]}, ${n.tile?.[1]}; ${stopWhen(all)}.`,
  leg: (/** @type {import("./model.js").Node} */ n) =>
    `${words.portOf(n.uses) ? "Go" : "Walk"} to ${n.tile?.[0]}, ${n.tile?.[1]} (${ticks(n.walk_ticks ?? 0)}${words.uses(n.uses)})${n.at ? `; what you hear at ${n.at[0]}, ${n.at[1]} decides` : " and scan"}.`,
  legSaw: "I saw",
  legCame: "What came",
  legBack: "One step back",
  legStart: "From the start",
  legDig: (/** @type {import("./model.js").Node} */ n) =>
    `Dig at spot ${(n.spot ?? 0) + 1}${words.digWay(n.digs?.[0])}.`,
  legDug: "I dug",
  legDigAt: (/** @type {import("./model.js").Node} */ n) =>
    `Dig at ${n.dig?.[0]}, ${n.dig?.[1]} (${ticks(n.walk_ticks ?? 0)}${words.uses(n.uses)}), ${n.else ? "for" : "it is"} spot ${eitherSpot(n.spots ?? [])}.`,
  legArrow: (/** @type {import("./model.js").Node} */ n) =>
    `The triple shows the spot: ${list(
      (n.spots ?? []).map((spot, i) => `${spot + 1}${words.digWay(n.digs?.[i])}`),
      "or",
    )}.`,
  digWay: (/** @type {import("./model.js").DigWay | undefined} */ dig) =>
    dig?.uses ? ` (${ticks(dig.walk_ticks)}${words.uses(dig.uses)})` : "",
  legTake: "Put these pulses into my log",
  legTaken: "Route walked",
  answer: (/** @type {string} */ key) =>
    `${pulses[Number(key[0])]}${key.endsWith("d") ? ", different level" : ""}`,
  exportText: "Save as text",
  exportPicture: "Save as a picture",
  poster: {
    stop: (/** @type {number} */ n) => `A stop to scan costs ${stopText(n)}.`,
    start: "start",
    place: "scan",
    spot: "dig spot",
    least: "a scan there tells little",
    most: "most",
    scale: (/** @type {number} */ n) => `${n} tiles, ${ticks(n / 2)} of running`,
    after: (/** @type {number} */ p) => `after a ${pulses[p]}`,
    next: (/** @type {number} */ n) => `→ ${n}`,
    /** @returns {string} */
    leaf: (/** @type {import("./model.js").Node} */ n) =>
      `→ dig ${eitherSpot(n.spots ?? [n.spot ?? 0])}${n.else ? `, then ${words.poster.leaf(n.else).slice(2)}` : ""}`,
    line: (
      /** @type {number} */ i,
      /** @type {import("./model.js").Node} */ n,
      /** @type {string[]} */ answers,
    ) =>
      `${i}.  ${n.tile?.[0]}, ${n.tile?.[1]} (${ticks(n.walk_ticks ?? 0)}${words.uses(n.uses)}):  ${answers.join(" · ")}`,
  },
  review: {
    title: "Look back",
    sum: (/** @type {import("../../types/scan.js").Review} */ r) =>
      `${ticks(r.ticks)} (${seconds(r.ticks)}) with ${count(r.scans.length, "scan", "scans")}; the plan takes ${r.plan_ticks} with ${r.plan_scans} for this spot.`,
    parts: (/** @type {import("../../types/scan.js").Review} */ r) =>
      `The plan promised ${fixed(r.planned, 1)} on average; your scans gave ${fixed(r.loss, 1)} away, and the pulses ${r.luck < 0 ? "cost" : "saved"} ${fixed(Math.abs(r.luck), 1)} by ${r.luck < 0 ? "bad luck" : "luck"}.`,
    fromFirst: "Counted from your first scan.",
    head: { scan: "Scan", left: "Spots", mine: "With it", plan: "Plan", loss: "Given away", luck: "Luck" },
    how: "Ticks on average until you can dig, before each scan: if you scan there and then follow the plan, and if you follow the plan at once. What lies between was given away; luck is what the pulse saved against the average of all pulses.",
  },
  exportJson: "Save as JSON",
  fewest: "Fewest scans, however far",
  fewestGo: "Work it out",
  fewestProved: (/** @type {import("../../types/scan.js").Fewest} */ f) =>
    `${fixed(f.expected_scans, 3)} scans on average until one spot is left, proved to be the fewest (${f.total} over all ${spots(f.spots)}); stopping alone takes ${fixed(f.stop_ticks, 1)} ticks.`,
  fewestOpen: (/** @type {import("../../types/scan.js").Fewest} */ f) =>
    `${fixed(f.expected_scans, 3)} scans on average is the best known; less than ${fixed(f.at_least / f.spots, 3)} is proved impossible.`,

  practiceTitle: "Practice",
  practiceText:
    "A spot is hidden. Walk by pressing the map; each press is a scan. Find it in as few ticks as you can.",
  practiceGo: "Hide a spot",
  practiceOn: "A spot is hidden. Press the map to walk there and listen.",
  practiceTally: (/** @type {number} */ t, /** @type {number} */ s) =>
    `${ticks(t)} so far, ${count(s, "scan", "scans")}.`,
  practiceRuns: "You watch the pulse: each press is a run that ends where it changes.",
  practiceHint: "Show advice",
  practiceHide: "Hide advice",
  practiceGive: "Show the spot",
  practiceStop: "Stop practising",
  practiceEnd: (/** @type {import("../../types/scan.js").Heard} */ r) =>
    `It was spot ${(r.spot ?? 0) + 1}. You took ${ticks(r.ticks)} with ${count(r.scans, "scan", "scans")}; the planned route takes ${r.route_ticks} for this spot and ${fixed(r.route_mean, 1)} on average.`,
  practiceAgain: "Again",
  hidden: "Advice is hidden while you practise.",

  setupTitle: "Which clue?",
  regions: "Region",
  find: "Find a region",
  regionLine: (/** @type {import("./regions.js").Region} */ r) =>
    `range ${r.range}, ${spots(r.spots.length)}, ${r.tier}`,
  own: "Spots of your own",
  ownHow: "One spot a line, or several with ; between them: x, y and perhaps the level. JSON works too.",
  ownRange: "Range of the clue",
  rangeWanted: "The range is a whole number of tiles from 0 to 500.",
  ownTake: "Use these spots",
  ownTaken: (/** @type {number} */ n) => `${spots(n)} taken.`,
  options: "How the clue is read",
  meerkats: "Meerkats (range + 5)",
  levels: "Use the “different level” sign",
  floor: "Floor I am on",
  floorName: (/** @type {number} */ n) => (n ? `floor ${n}` : "ground"),
  onFloor: (/** @type {number} */ n) => `On ${words.floorName(n)}${n ? "" : " floor"}`,
  slack: "Where I stood is",
  slacks: /** @type {Record<string, string>} */ ({
    0: "exact",
    1: "right to within a tile",
    2: "right to within two tiles",
  }),
  misread: "Single and double",
  misreads: /** @type {Record<string, string>} */ ({
    0: "are never mistaken",
    5: "mistaken 1 time in 20",
    10: "mistaken 1 time in 10",
    20: "mistaken 1 time in 5",
  }),
  likely: (/** @type {[number, number][]} */ l) =>
    `Most likely: ${l.map(([i, p]) => `spot ${i + 1} (${fixed(100 * p, 0)} %)`).join(", ")}. The advice looks among the likeliest 70 %, and has you dig where it is 95 % sure.`,
  wallsTitle: "Walls",
  wallsHow:
    "A picture (dark is wall, and on a transparent ground what is drawn) or a text grid (# is wall); its lowest left corner goes to the tile you give.",
  wallsFile: "Choose a file",
  wallsLarge: (/** @type {number} */ w, /** @type {number} */ h) =>
    `A walkability picture may have 1 048 576 pixels (1024 × 1024); this one is ${w} × ${h}.`,
  wallsAt: "Lowest left tile (x, y)",
  wallsPixels: "Pixels a tile",
  wallsTaken: (/** @type {import("../../types/scan.js").Grid} */ w) =>
    `${w.size[0]} × ${w.size[1]} tiles taken, ${whole(w.blocked)} of them walls.`,
  pictureTitle: "Your own map pictures",
  pictureHow: "A screenshot or an exported map; it lies under the areas and stays in this browser.",
  fit: {
    how: "Press a spot in the picture, then its number. Two spots place it, a third checks it. North must be up; the picture is made larger or smaller and moved, never turned.",
    picture: "Your picture",
    larger: "Show it large",
    smaller: "Show it small",
    again: "Press all anew",
    which: "Which spot is this?",
    this: (/** @type {number} */ i) => `This is spot ${i + 1}`,
    more: (/** @type {number} */ n) => (n > 1 ? "Press two spots or more." : "Press one more spot."),
    never:
      "So it does not fit: the spots lie the other way round, or were pressed at one place. Is north up in it?",
    good: (/** @type {number} */ n, /** @type {number} */ off, /** @type {number} */ scale) =>
      `${n} spots pressed: each lies within ${fixed(off, 1)} tiles of its place; a tile is ${fixed(1 / scale, 1)} pixels wide.${n < 3 ? " A third one would check it." : ""}`,
    bad: (/** @type {number | null} */ spot, /** @type {number} */ off) =>
      spot === null
        ? `The two spots do not fit each other by ${fixed(off, 1)} tiles: one was pressed elsewhere, or the picture is turned or stretched.`
        : `Spot ${spot + 1} lies ${fixed(off, 1)} tiles from where you pressed it: press it anew, or the picture is turned or stretched.`,
  },
  pictureTyped: "By coordinates instead",
  pictureTypedHow:
    "Name two points: where they are in the picture (pixels from its top left) and which tiles they are.",
  pictureFile: "Choose a picture",
  pictureKept: "Pictures kept:",
  pictureRemove: (/** @type {number} */ i) => `Remove picture ${i + 1}`,
  picturePoint: (/** @type {number} */ i) => `Point ${i}: pixel x, y → tile x, y`,
  picturePlace: "Place it",
  pictureTypedPlace: "Place it by these points",
  pictureBad:
    "Give both points as pixel x, y → tile x, y. They must differ in x and in y, and tiles grow to the east and to the north.",
  pictureElsewhere: "Placed so, the picture would lie outside this map. Check the tiles of the two points.",
  pictureFailed: "This file is no picture that the browser can read.",
  optionsChanged: "Reading of the clue changed",
  numbersWanted: "Two whole numbers, such as 2990, 3390.",

  describeAreas: (/** @type {import("./model.js").Classes} */ c) =>
    `${spots(c.remaining)} left, ${count(c.classes, "area", "areas")}; the best tells ${fixed(c.max_bits)} bits.`,
  waitingMap: "The areas appear once the engine is there.",
};

/** @typedef {Pick<import("../../types/scan.js").Change, "pulse" | "silent" | "ticks" | "at">} Came what came on a run */

/** Where the pulses differ at the start already, the first place that tells is where all stop. @param {Came[]} all */
function isUnread(all) {
  return all.every((c) => !c.silent && c.ticks === all[0].ticks);
}

/** @param {Came[]} all */
function stopWhen(all) {
  if (isUnread(all)) return `stop after ${ticks(all[0].ticks)} and look`;
  const names = [...new Set(all.filter((c) => !c.silent).map((c) => pulses[c.pulse]))];
  return `stop when it turns ${list(names, "or")}`;
}

/** "12 west, 20 south"; "" for no way at all. @param {number} x tiles to the east @param {number} y to the north */
function compass(x, y) {
  const parts = [
    x && `${Math.abs(x)} ${x < 0 ? "west" : "east"}`,
    y && `${Math.abs(y)} ${y < 0 ? "south" : "north"}`,
  ];
  return parts.filter(Boolean).join(", ");
}

/** A name as a title: "Falador" from "Falador", "The desert …" from "the desert …". @param {string} text */
export function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** @param {number} stop */
function stopText(stop) {
  return stop ? ticks(stop) : "no time";
}

/** "13 or 22" @param {number[]} all */
const eitherSpot = (all) =>
  list(
    all.map((i) => String(i + 1)),
    "or",
  );

/** @param {number[]} counts */
function leaves(counts) {
  const names = ["single", "double", "triple"];
  return counts
    .map((n, i) => (n ? `${names[i % 3]}${i > 2 ? " (other level)" : ""} ${n}` : ""))
    .filter(Boolean)
    .join(", ");
}

/** @param {string[]} names @param {string} [last] */
function list(names, last = "and") {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} ${last} ${names.at(-1)}`;
}
