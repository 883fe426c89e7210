/** The mines desk: Tametsi boards, to play, to analyse and to make. */
import { html, nothing, svg } from "../../vendor.js";
import { board } from "../../widgets/board.js";
import { choice } from "../../widgets/choice.js";
import { accept } from "./accept.js";
import { examples } from "./examples.js";
import { chances, doubt, outlines, rating, stuck } from "./help.js";
import { openPuzzles, take } from "./make.js";
import { bareOf, cellsOf, drawnOf, freshOf, knownOf } from "./model.js";
import { act, enter, flag, mark, modeOf, paint, restart, standing } from "./play.js";
import { puzzles } from "./puzzles.js";
import { solutionOf, unseal } from "./secret.js";
import { cellName, groupName, words } from "./words.js";

/** @typedef {import("../desk.js").Context} Context */

const DEFAULTS = {
  title: "",
  board: null,
  neighbours: [],
  pos: null,
  polygons: null,
  polygon_of: null,
  unit: 1,
  groups: [{ kind: "set", colour: null, dark: false, label: null }],
  revealed: [],
  flags: [],
  marks: [],
  start: null,
  mines: null,
  secret: [],
  sealed: null,
  puz: null,
  rating: null,
};

/** @type {import("../desk.js").DeskPage} */
export const page = {
  name: "mines",
  defaults: DEFAULTS,
  initial: () => puzzles[0].position,
  examples,
  accept,
  title: (position) => words.title(position.title || words.untitled, position.revealed?.length ?? 0),
  wants,
  draw,
  keys,
  describe,
  picture: (context) =>
    html`<svg xmlns="http://www.w3.org/2000/svg" viewBox=${drawnOf(context.position).view.join(" ")}>${still(context)}</svg>`,
  mini,
  fresh: (position) => (position.start ? freshOf(position) : null),
  recognises: (text) =>
    /^\s*<PUZZLE/i.test(text) ||
    /^\s*[.*?]{3,}(\r?\n[.*?]{3,})+\s*$/.test(text) ||
    /^\s*[#!?0-9]{3,}(\r?\n[#!?0-9]{3,})+/.test(text),
  paste(text, context) {
    if (!/<PUZZLE|[.*#]{3}/i.test(text)) return false;
    take(context, text);
    return true;
  },
};

/** @param {any} position @param {any} view */
function wants(position, view) {
  /** @type {Record<string, any>} */
  const wanted = {};
  if (!cellsOf(position)) return wanted;
  const bare = bareOf(position);
  if (view.degree) wanted.hint = { want: "hint", position: bare, options: { degree: view.degree } };
  if (view.check)
    wanted.check = { want: "check", position: position.sealed ? { ...bare, sealed: position.sealed } : bare };
  if (view.chances) wanted.solve = { want: "solve", position: bare };
  if (view.why != null && view.chances)
    wanted.explain = { want: "explain", position: bare, options: { cell: view.why } };
  if (!position.sealed || view.degree || view.chances)
    wanted.doubt = { want: "doubt", position: bare, options: { redundant: false } };
  if (view.rate && position.sealed)
    wanted.rate = { want: "rate", position: { ...bareOf(freshOf(position)), sealed: position.sealed } };
  return wanted;
}

/** @param {Context} context */
function draw(context) {
  const { position } = context;
  if (position.sealed && !solutionOf(position)) unseal(position).then((found) => found && context.redraw());
  return html`<div class="mines-desk">
    <section class="board-side stack">
      ${head(context)}
      ${theBoard(context)}
      ${tools(context)}
    </section>
    <div class="stack side">
      ${status(context)}
      ${doubt(context)}
      ${stuck(context)}
      ${chances(context)}
      ${legend(context)}
      ${rating(context)}
    </div>
  </div>`;
}

/** @param {Context} context */
function head(context) {
  const { position } = context;
  const total = drawnOf(position).groups.find((g) => g.kind === "total");
  return html`<div class="between"><div><h1>${position.title || words.untitled}</h1>
    <p class="sub">${words.line(cellsOf(position), total?.count ?? null)}</p></div>
    <button class="plain" @click=${() => openPuzzles(context)}>${words.puzzles}</button></div>`;
}

/** @param {Context} context */
function status(context) {
  const { position, view } = context;
  const now = standing(position);
  if (!now) return html`<p class="quiet">${position.sealed ? nothing : words.edit}</p>`;
  const slips = view.slips ? words.slipped(view.slips) : words.wonClean;
  if (now.over)
    return html`<div class="note good-note" role="status"><p><b>${words.won}</b> ${slips}</p>
    <div class="row wrap"><button class="main" @click=${() => openPuzzles(context)}>${words.puzzles}</button>
    <button class="plain" @click=${() => restart(context)}>${words.again}</button></div></div>`;
  const flags = position.flags?.length ?? 0;
  return html`<div><p class="left"><b>${now.left}</b><span>${words.safeLeft(now.left)}<br><span class="faint">${words.minesLeft(now.mines - flags)}</span></span></p></div>`;
}

/** @param {Context} context */
function theBoard(context) {
  const { position, view, replies } = context;
  const drawn = drawnOf(position);
  const { rings, lit, known } = outlines(context);
  const found =
    view.chances && replies.solve && !replies.solve.stale && !replies.solve.fault
      ? replies.solve.value
      : null;
  const focus = Math.min(view.focus ?? 0, drawn.cells - 1);
  const tints = tintsOf(drawn.groups);
  const cells = drawn.points.map((points, i) =>
    cellModel(context, drawn, known, i, {
      points,
      ring: rings.get(i),
      chance: found?.probability[i] ?? null,
      tint: tints[i],
    }),
  );
  return html`<div class=${view.large ? "frame large" : "frame"}>${board({
    cells,
    labels: drawn.labels.map((l) => labelModel(context, drawn, known, l, lit)),
    view: drawn.view,
    size: drawn.size,
    neighbours: drawn.neighbours,
    focus,
    flagging: modeOf(view) === "flag",
    flags: known.flags,
    label: words.boardLabel(position.title || words.untitled),
    large: Boolean(view.large),
    events: {
      act: (cell) => act(context, cell),
      flag: (cell) => flag(context, cell),
      paint: (list, on) => paint(context, list, on),
      mark: (cell) => mark(context, cell),
      focus: (cell) => context.set({ focus: cell, why: null }),
      digit: (cell, digit) => !position.sealed && enter(context, cell, digit === "?" ? null : Number(digit)),
    },
  })}</div>${pad(context, drawn)}${chordLine(context)}`;
}

/** @param {Context} context @param {import("./model.js").Drawn} drawn @param {ReturnType<typeof knownOf>} known @param {number} i @param {any} parts */
function cellModel({ position, view }, drawn, known, i, { points, ring, chance, tint }) {
  const open = known.numbers.has(i);
  const number = known.numbers.get(i);
  const flagged = known.flags.has(i);
  const marked = known.marks.has(i);
  const around =
    view.countdown && number != null ? drawn.neighbours[i].filter((n) => known.flags.has(n)).length : 0;
  const face = open ? "open" : flagged ? "flag" : "closed";
  const shown = number == null ? "?" : String(number - around);
  const state = open
    ? number == null
      ? words.states.question
      : words.shown(number - around)
    : flagged
      ? words.states.flag
      : words.states.closed;
  const inside = drawn.groups.flatMap((g, k) =>
    g.kind !== "total" && g.cells.includes(i) ? [groupName(position, drawn.groups, k)] : [],
  );
  const label = [
    cellName(position, i),
    state,
    marked ? words.marked : "",
    chance == null ? "" : words.chance(chance),
    words.inGroups(inside),
  ]
    .filter(Boolean)
    .join(", ");
  const text = open
    ? number === 0 && !around
      ? "0"
      : shown
    : chance != null && !flagged
      ? String(Math.round(100 * chance))
      : "";
  return {
    x: drawn.x[i],
    y: drawn.y[i],
    points,
    face,
    text,
    label,
    tint: `${tint ?? ""} ${number === 0 ? "zero" : ""}`,
    shade: open || flagged ? null : chance,
    ring,
    marked,
  };
}

/** @param {Context} context @param {import("./model.js").Drawn} drawn @param {ReturnType<typeof knownOf>} known @param {{x: number, y: number, group: number}} label @param {Set<number>} lit */
function labelModel({ position, view }, drawn, known, { x, y, group: index }, lit) {
  const group = drawn.groups[index];
  const flags = group.cells.filter((c) => known.flags.has(c)).length;
  const closed = group.cells.filter((c) => !known.flags.has(c) && !known.numbers.has(c)).length;
  const title = words.group(groupName(position, drawn.groups, index), group.count, group.cells.length);
  return {
    x,
    y,
    text: String(group.count - (view.countdown ? flags : 0)),
    title,
    lit: lit.has(index),
    done: closed === 0,
  };
}

/** @param {import("./model.js").Group[]} groups @returns {string[]} */
function tintsOf(groups) {
  /** @type {string[]} */
  const tints = [];
  for (const group of groups)
    if (group.colour) for (const cell of group.cells) tints[cell] = `tint-${group.colour.toLowerCase()}`;
  return tints;
}

/** Counts that have no place at the edge: colours, any set, the total. @param {Context} context */
function legend(context) {
  const { position, view } = context;
  const drawn = drawnOf(position);
  const placed = new Set(drawn.labels.map((l) => l.group));
  const { lit, known } = outlines(context);
  const rest = drawn.groups.map((g, i) => ({ ...g, i })).filter(({ i }) => !placed.has(i));
  const plain = rest.every((g) => g.kind === "total" && !lit.has(g.i));
  return html`<section class="stack-small">
    ${
      rest.length && !(plain && !view.countdown)
        ? html`<h2>${words.legend}</h2><ul class="legend">${rest.map((g) => {
            const flags = view.countdown ? g.cells.filter((c) => known.flags.has(c)).length : 0;
            const name = groupName(position, drawn.groups, g.i);
            return html`<li class=${`${lit.has(g.i) ? "lit" : ""} ${g.colour ? `tint-${g.colour.toLowerCase()}` : ""}`}><b>${g.count - flags}</b><span>${words.group(name[0].toUpperCase() + name.slice(1), g.count, g.cells.length)}</span></li>`;
          })}</ul>`
        : nothing
    }
    <label class="check"><input type="checkbox" .checked=${Boolean(view.countdown)} @change=${(/** @type {any} */ e) => context.set({ countdown: e.target.checked })}>${words.countdown}</label>
  </section>`;
}

/** @param {Context} context */
function tools(context) {
  const { position, view } = context;
  const mode = modeOf(view);
  return html`<div class="modes">
    ${choice({ label: words.mode, options: words.modes, value: mode, onChange: (next) => context.set({ mode: next }) })}
    ${drawnOf(position).view[2] > 400 ? html`<button class="plain" aria-pressed=${Boolean(view.large)} @click=${() => context.set({ large: !view.large })}>${words.larger}</button>` : nothing}
    ${position.start ? html`<button class="plain" @click=${() => restart(context)}>${words.again}</button>` : nothing}
  </div><p class="quiet tip">${words.modeTip[mode]}</p>`;
}

/** Numbers to choose from on a board without a solution. @param {Context} context @param {import("./model.js").Drawn} drawn */
function pad(context, drawn) {
  const { position, view } = context;
  const cell = view.pad;
  if (cell == null || position.sealed || cell >= drawn.cells) return nothing;
  const most = drawn.neighbours[cell].length;
  return html`<div class="note pad" role="group" aria-label=${words.pad(cellName(position, cell))}><p>${words.pad(cellName(position, cell))}</p>
    <div class="row wrap">${Array.from({ length: Math.min(most, 12) + 1 }, (_, n) => html`<button class="soft" @click=${() => enter(context, cell, n)}>${n}</button>`)}
    <button class="soft" @click=${() => enter(context, cell, null)}>?</button>
    <button class="plain" @click=${() => enter(context, cell, undefined)}>${words.unknownAgain}</button></div></div>`;
}

/** @param {Context} context */
function chordLine({ view }) {
  const { chord } = view;
  if (!chord) return nothing;
  return html`<p class="quiet" role="status">${chord.cells.length ? words.chord(chord.cells.length) : words.chordNot(chord.number, chord.flags)}</p>`;
}

/** @param {Context} context @returns {import("../desk.js").Binding[]} */
function keys(context) {
  const order = /** @type {const} */ (["open", "flag", "mark"]);
  const next = order[(order.indexOf(modeOf(context.view)) + 1) % 3];
  return [
    { keys: ["x"], label: words.mode, run: () => context.set({ mode: next }) },
    {
      keys: ["h"],
      label: words.stuck,
      run: () => context.set({ degree: Math.min(4, (context.view.degree ?? 0) + 1), why: null }),
    },
    {
      keys: ["c"],
      label: words.chances,
      run: () => context.set({ chances: !context.view.chances, why: null }),
    },
    { keys: ["p"], label: words.puzzles, run: () => openPuzzles(context) },
  ];
}

/** @param {Context} context */
function describe(context) {
  const { position, replies, view } = context;
  const drawn = drawnOf(position);
  const known = knownOf(position);
  const now = standing(position);
  const first = now
    ? now.over
      ? words.won
      : `${now.left} ${words.safeLeft(now.left)}, ${words.minesLeft(now.mines - known.flags.size)}.`
    : `${position.title || words.untitled}.`;
  const lines = drawn.groups.map(
    (g, i) => `${words.group(groupName(position, drawn.groups, i), g.count, g.cells.length)}.`,
  );
  const open = [...known.numbers].map(
    ([cell, n]) => `${cellName(position, cell)}: ${n == null ? words.states.question : n}.`,
  );
  const hint = view.degree && !replies.hint?.stale ? replies.hint?.value : null;
  const told = (hint?.steps ?? []).map((/** @type {any} */ s) => s.text);
  const found = view.chances ? replies.solve?.value : null;
  return [
    first,
    ...(found
      ? [words.layouts(found.solutions, found.exact), words.forced(found.safe.length, found.mines.length)]
      : []),
    ...told,
    ...lines,
    ...open,
  ];
}

/** The board as it stands, for a picture. @param {Context} context */
function still({ position }) {
  const drawn = drawnOf(position);
  const known = knownOf(position);
  const tints = tintsOf(drawn.groups);
  return svg`<g class="board">${drawn.points.map((points, i) => {
    const number = known.numbers.get(i);
    const face = known.numbers.has(i) ? "open" : known.flags.has(i) ? "flag" : "closed";
    const text = face === "open" ? (number ?? "?") : face === "flag" ? "⚑" : "";
    return svg`<g class=${`cell ${face} ${tints[i] ?? ""}`}><polygon class="face" points=${points}></polygon><text class="n" x=${drawn.x[i]} y=${drawn.y[i]} font-size=${drawn.size * 0.5}>${text}</text></g>`;
  })}${drawn.labels.map((l) => svg`<g class="edge"><text x=${l.x} y=${l.y} font-size=${drawn.size * 0.4}>${drawn.groups[l.group].count}</text></g>`)}</g>`;
}

/** A corner of a board, as the home page shows the desk. */
function mini() {
  const faces = [1, 0, 2, 0, 1, 2, 0, 0, 2, 1];
  const texts = ["1", "", "⚑", "", "2", "⚑", "", "", "⚑", "3"];
  return html`<svg viewBox="0 0 120 60">${faces.map(
    (
      face,
      i,
    ) => svg`<rect x=${(i % 5) * 24} y=${Math.floor(i / 5) * 30} width="22" height="28" rx="3" class=${face === 1 ? "mines-mini-open" : face === 2 ? "mines-mini-flag" : "mines-mini-shut"}></rect>
    <text x=${(i % 5) * 24 + 11} y=${Math.floor(i / 5) * 30 + 20} text-anchor="middle" font-size="14" class="mines-mini-text">${texts[i]}</text>`,
  )}</svg>`;
}
