/** The level editor: brushes, the board with its mines shown, and its analysis. */
import { html, nothing } from "../../../vendor.js";
import type { OnInput } from "../../../widgets/on.js";
import { choice, tick } from "../../../widgets/panel.js";
import { boardFrame, cellAt, labelAt, resize } from "../board.js";
import { cellName, groupName } from "../cell-names.js";
import type { Brush, Context, Drawn, Position } from "../model.js";
import { cellsOf, drawnOf, STEP, scaleOf, tintsOf, totalOf } from "../model.js";
import { openPuzzles, save } from "../puzzles-dialog.js";
import { countIn } from "../sealed-solution.js";
import { words } from "../strings.js";
import { analysisPanel } from "./analysis.js";
import type { Layout } from "./edits.js";
import {
  applyStroke,
  copyCells,
  has,
  layoutOf,
  pasteCells,
  playLevel,
  resizeBoard,
  toggleCount,
  withLineCounts,
  withNewCells,
  withSymmetry,
  withTotal,
} from "./edits.js";
import type { Place } from "./topology.js";
import { freePlaces, symmetricCells } from "./topology.js";

const SHADES = 5; // of waves

/** The brushes that act on several cells at once, each with the smallest number of cells. */
const SELECTING: { [B in Brush]?: number } = { line: 2, join: 2, copy: 1 };

export const brushOf = ({ view }: Context) => view.brush ?? "mine";

/** Choose a brush; what the one before had copied or selected is dropped. */
export const selectBrush = (context: Context, brush: Brush) =>
  context.set({ brush, stamp: null, selection: [] });

/** Whether a press selects a cell: the brush acts on several, and no copy is waiting to be pasted. */
const isSelecting = (context: Context) => brushOf(context) in SELECTING && !context.view.stamp;

/** The cells selected by single presses, in their order; Undo can make the board smaller. */
function selectionOf(context: Context) {
  if (!isSelecting(context)) return [];
  return (context.view.selection ?? []).filter((c) => c < cellsOf(context.position));
}

/** The colour that a stroke sets. */
function hueOf({ view }: Context) {
  const [name, dark] = (view.hue ?? "blue").split(" ").reverse();
  return { colour: name.toUpperCase(), dark: Boolean(dark) };
}

export function editorPage(context: Context) {
  return html`<div class="mines-desk mines-editor">
    <section class="board-side stack">${head(context)}${drawBoard(context)}${selectionBar(context)}</section>
    <section class="stack brushes" data-edit>${brushes(context)}</section>
    <section class="stack foot">${foot(context)}</section>
    <div class="stack side">${analysisPanel(context)}</div>
  </div>`;
}

function applyBrush(context: Context, next: Position | null, label: string) {
  if (next) context.commit(next, label, { view: { region: null, selection: [] } });
}

function head(context: Context) {
  const { position } = context;
  const mines = position.mines?.length ?? 0;
  return html`<div class="between"><div class="grow"><h1 class="sub">${words.editor.title}</h1>
    <input class="field title" aria-label=${words.editor.name} .value=${position.title || words.untitled} @change=${(
      e: OnInput,
    ) => applyBrush(context, { ...position, title: e.target.value.trim() }, words.editor.name)}>
    <p class="sub">${words.line(cellsOf(position), mines)}</p></div>
    <button class="plain" data-edit @click=${() => openPuzzles(context)}>${words.puzzles}</button></div>${level(context)}`;
}

/** Its entry in the game's list of levels. */
function level(context: Context) {
  const { position } = context;
  const level = levelOf(position);
  const enter = (field: Field, input: HTMLInputElement) => {
    const next = withLevelField(position, field, input.value.trim());
    if (next) return applyBrush(context, next, words.editor.level.fields[field]);
    context.notify(words.editor.level.faults[field]);
    input.value = level[field];
  };
  return html`<details class="more level"><summary>${words.editor.level.title}</summary>
    <div class="fields">${FIELDS.map(
      (field) =>
        html`<label>${words.editor.level.fields[field]}<input class="field" .value=${level[field]} placeholder=${words.editor.level.blank[field]} autocomplete="off" @change=${(
          e: OnInput,
        ) => enter(field, e.target)}></label>`,
    )}</div></details>`;
}

function drawBoard(context: Context) {
  const { position, view, replies } = context;
  const { shown, hidden } = withLineCounts(position);
  const drawn = drawnOf(shown);
  const layout = layoutOf(position);
  const found = replies.author?.value;
  const fits = found && found.wave.length === drawn.cells ? found : null;
  const selection = selectionOf(context);
  const region = fits?.stuck.find((list) => view.region != null && list.includes(view.region)) ?? [];
  const outlined = new Set(selection.length ? selection : region);
  const tints = tintsOf(position.groups ?? []);
  const cells = drawn.points.map((_, i) =>
    cellModel(context, { drawn, layout, wave: fits ? fits.wave[i] : undefined, waves: fits?.waves ?? 0 }, i, {
      tint: tints[i],
      ring: outlined.has(i) ? "target" : undefined,
      selected: selection.includes(i),
    }),
  );
  const rooms = brushOf(context) === "cell" ? freePlaces(position) : [];
  const scale = scaleOf(position);
  const ghosts = rooms.map((place) => ghost(place, scale));
  const brush = brushOf(context);
  const hue = hueOf(context);
  const set = new Set(cells.flatMap((_, i) => (has(position, brush, i, hue) ? [i] : [])));
  return boardFrame(context, drawn, {
    cells: [...cells, ...ghosts],
    // Counts and names at the edge are left out for the places of new cells.
    names: drawn.names.filter((n) => n.inside || !rooms.length),
    labels: drawn.labels
      .filter((l) => l.inside || !rooms.length)
      .map((l) => labelModel(context, drawn, l, hidden)),
    fences: drawnOf(position).fences,
    view: ghosts.length ? around(drawn.view) : drawn.view,
    flagging: true,
    stroke: true,
    flags: set,
    events: {
      act: (cell) =>
        isSelecting(context) ? toggleSelected(context, cell) : stroke(context, [cell], !set.has(cell), rooms),
      flag: (cell) => withBrush(context, "secret", cell),
      paint: (list, on) => stroke(context, list, on, rooms),
      mark: (cell) => withBrush(context, "start", cell),
      focus: (cell) => context.set({ focus: Math.min(cell, drawn.cells - 1) }),
    },
  });
}

/** Room for a row of cells round the drawing. */
const around = ([x, y, w, h]: [number, number, number, number]): [number, number, number, number] => [
  x - STEP,
  y - STEP,
  w + 2 * STEP,
  h + 2 * STEP,
];

function ghost({ x, y, shape }: Place, scale: number) {
  const points = shape.map(([a, b]) => `${(x + a) * scale},${(y + b) * scale}`).join(" ");
  return { x: x * scale, y: y * scale, points, face: "room", text: "+", label: words.editor.states.room };
}

function cellModel(
  { position }: Context,
  {
    drawn,
    layout,
    wave,
    waves,
  }: { drawn: Drawn; layout: Layout; wave: number | null | undefined; waves: number },
  i: number,
  { tint, ring, selected }: { tint: string | undefined; ring: string | undefined; selected: boolean },
) {
  const mine = layout.mines.has(i);
  const secret = layout.secret.has(i);
  const number = countIn(layout.mines, drawn.neighbours[i]);
  const { states } = words.editor;
  const stuck = wave === null;
  const shade = wave == null ? "" : `wave-${wave ? Math.ceil((SHADES * wave) / Math.max(SHADES, waves)) : 0}`;
  const label = [
    cellName(position, i),
    mine ? states.mine : secret ? states.secret : states.number(number),
    layout.start.has(i) ? states.start : "",
    stuck ? states.stuck : wave == null ? "" : states.wave(wave),
    selected ? states.selected : "",
  ];
  return {
    ...cellAt(drawn, i, label),
    face: mine ? "mine" : "open",
    text: mine ? "" : secret ? "?" : String(number),
    tint: `${tint ?? ""} ${stuck ? "stuck" : shade} ${layout.start.has(i) ? "start" : ""} ${number === 0 ? "zero" : ""}`,
    ring,
  };
}

function labelModel(context: Context, drawn: Drawn, label: Drawn["labels"][number], hidden: Set<number>) {
  const { position } = context;
  const index = label.group;
  const group = drawn.groups[index];
  const name = groupName(position, drawn.groups, index);
  const off = hidden.has(index);
  const text = words.group(name, group.count, group.cells.length);
  const own = {
    text: off ? "·" : String(group.count),
    title: label.inside ? text : off ? words.editor.hiddenCount(name) : words.editor.shownCount(text),
    done: off,
  };
  const press = () => applyBrush(context, toggleCount(position, index), words.editor.did.count);
  return labelAt(context, drawn, label, own, press);
}

/** Apply another brush to one cell: the right button hides its number, the key M opens it at the start. */
function withBrush(context: Context, brush: Brush, cell: number) {
  const { position } = context;
  if (cell >= cellsOf(position)) return;
  const on = !has(position, brush, cell, hueOf(context));
  const [name] = words.editor.brushes[brush];
  applyBrush(
    context,
    applyStroke(position, brush, withSymmetry(context, [cell]), on, hueOf(context)),
    words.editor.did.stroke(name, 1),
  );
}

function toggleSelected(context: Context, cell: number) {
  const before = selectionOf(context);
  const others = before.filter((c) => c !== cell);
  context.set({ selection: others.length < before.length ? others : [...before, cell] });
}

/** Whether enough cells are selected for the brush. */
export const canApply = (context: Context) =>
  selectionOf(context).length >= (SELECTING[brushOf(context)] ?? Number.POSITIVE_INFINITY);

/** Apply the brush to the selected cells, as a drag over them would. */
export const applySelection = (context: Context) => stroke(context, selectionOf(context), true, []);

/** Below the board: the cells selected for a brush, or copied, and what can be done with them. */
function selectionBar(context: Context) {
  const { view } = context;
  const brush = brushOf(context);
  if (brush !== "line" && brush !== "join" && brush !== "copy") return nothing;
  const count = selectionOf(context).length;
  const buttons = view.stamp
    ? html`<button class="plain" @click=${() => context.set({ stamp: null })}>${words.editor.stampGone}</button>`
    : html`<button class="soft" data-part="selection" ?disabled=${!canApply(context)} @click=${() => applySelection(context)}>${words.editor.apply[brush]}</button>
      <button class="plain" ?disabled=${!count} @click=${() => context.set({ selection: [] })}>${words.editor.deselect}</button>`;
  return html`<section class="row wrap center selection" data-edit>
    <p class="quiet" role="status">${view.stamp ? words.editor.stampHeld(view.stamp.length) : words.editor.selected(count)}</p>${buttons}</section>`;
}

/** A stroke over cells, or over room for cells. */
function stroke(context: Context, list: number[], on: boolean, rooms: Place[]) {
  const { position, view } = context;
  const brush = brushOf(context);
  const count = cellsOf(position);
  const cells = list.filter((c) => c < count);
  const name = words.editor.brushes[brush][0];
  if (brush === "ask") return context.set({ region: cells[0] });
  if (brush === "copy") {
    if (cells.length > 1 || !view.stamp)
      return context.set({ stamp: copyCells(position, cells), selection: [] });
    return applyBrush(
      context,
      pasteCells(position, view.stamp, cells[0]),
      words.editor.did.stroke(name, view.stamp.length),
    );
  }
  if (brush === "cell" && list[0] >= count) {
    const chosen = symmetricCells(
      list.filter((c) => c >= count).map((c) => c - count),
      scaled(rooms),
      view.symmetry ?? "none",
      rooms[0].shape.length,
    );
    return applyBrush(
      context,
      withNewCells(
        position,
        chosen.map((i) => rooms[i]),
      ),
      words.editor.did.stroke(name, chosen.length),
    );
  }
  const whole = brush === "line" || brush === "join" ? cells : withSymmetry(context, cells);
  const next = applyStroke(position, brush, whole, on, hueOf(context));
  if (brush === "join" && cells.length > 1 && !next) context.notify(words.editor.notJoined);
  applyBrush(context, next, words.editor.did.stroke(name, whole.length));
}

/** Places in the drawing's measure. */
const scaled = (rooms: Place[]) =>
  rooms.map(({ x, y, step: s }) => ({ x: (x * STEP) / s, y: (y * STEP) / s }));

function brushes(context: Context) {
  const { position, view } = context;
  const brush = brushOf(context);
  const kinds = Object.entries(words.editor.brushes) as [Brush, [string, string]][];
  return html`<h2>${words.editor.press}</h2>
    <div class="brush-list" role="group" aria-label=${words.editor.press}>${kinds.map(
      ([key, [name, what]]) =>
        html`<button class="brush" aria-pressed=${key === brush} @click=${() => selectBrush(context, key)}><b>${name}</b><span>${what}</span></button>`,
    )}</div>
    ${brush === "colour" ? hues(context) : nothing}
    <h2>${words.editor.symmetry}</h2>
    ${choice({ label: words.editor.symmetry, options: words.editor.symmetries, value: view.symmetry ?? "none", onChange: (symmetry) => context.set({ symmetry }) })}
    ${position.board ? sizes(context) : nothing}
    <p class="quiet">${words.editor.counts}</p>
    ${tick(words.editor.total, totalOf(position) !== null, (on) => applyBrush(context, withTotal(position, on), words.editor.did.total))}`;
}

function hues(context: Context) {
  const { colour, dark } = hueOf(context);
  const shades = words.editor.hues.flatMap((name) => [
    { name, dark: false, text: name },
    { name, dark: true, text: words.editor.dark(name) },
  ]);
  return html`<div class="hues" role="group" aria-label=${words.editor.hue}>${shades.map(
    (s) =>
      html`<button class=${`hue tint-${s.name} ${s.dark ? "dark" : ""}`} aria-pressed=${s.name.toUpperCase() === colour && s.dark === dark} aria-label=${s.text} title=${s.text}
        @click=${() => context.set({ hue: s.dark ? `dark ${s.name}` : s.name })}></button>`,
  )}</div>`;
}

function sizes(context: Context) {
  const { position } = context;
  const { width = 0, height = 0 } = position.board ?? {};
  const way = (name: string, wider: number, higher: number) =>
    html`<button class="soft" ?disabled=${width + wider < 1 || height + higher < 1 || (width + wider) * (height + higher) > 1000 || width + wider > 100 || height + higher > 100}
      @click=${() => applyBrush(context, resizeBoard(position, wider, higher), words.editor.did.size)}>${name}</button>`;
  return html`<div class="row wrap">${way(words.editor.wider, 1, 0)}${way(words.editor.narrower, -1, 0)}${way(words.editor.higher, 0, 1)}${way(words.editor.lower, 0, -1)}</div>`;
}

function foot(context: Context) {
  return html`<p class="wave-key"><span>${words.editor.waveKey}</span>${[1, 2, 3, 4, 5].map((n) => html`<i class=${`wave-${n}`}></i>`)}<i class="stuck"></i><span>${words.editor.states.stuck}</span></p>
    <div class="row wrap center" data-edit>
    <button class="main" @click=${() => playLevel(context)}>${words.editor.play}</button>
    <button class="plain" @click=${() => save(context)}>${words.saveFile}</button>
    <button class="plain" @click=${() => openPuzzles(context, "like")}>${words.editor.like}</button>
    ${resize(context)}</div>`;
}

// The puzzle's entry in the game's list of levels: its ID, the next one, its tile, its author.

type Field = "id" | "next" | "tile" | "author";

const TAGS = { next: "NEXT_PUZZLE_ID", tile: "TILE_TEXT", author: "AUTHOR" };

/** The valid texts of each field; "" is none. */
const FITS: Readonly<Record<Field, RegExp>> = {
  id: /^[A-Za-z0-9]{0,40}$/,
  next: /^[A-Za-z0-9]{0,40}$/,
  tile: /^.{0,3}$/u,
  author: /^.{0,80}$/u,
};

/** The fields in the order in which they are shown. */
export const FIELDS = Object.keys(FITS) as Field[];

export function levelOf({ puz }: Position): Record<Field, string> {
  const texts = Object.fromEntries(puz?.meta ?? []);
  const { next, tile, author } = TAGS;
  return {
    id: puz?.id ?? "",
    next: texts[next] ?? "",
    tile: texts[tile] ?? "",
    author: texts[author] ?? "",
  };
}

/** The puzzle with one field set; null if the text is invalid. */
export function withLevelField(position: Position, field: Field, text: string): Position | null {
  if (!FITS[field].test(text)) return null;
  const puz = position.puz ?? {};
  if (field === "id") return { ...position, puz: { ...puz, id: text } };
  const rest = (puz.meta ?? []).filter(([tag]) => tag !== TAGS[field]);
  const meta = text ? [...rest, [TAGS[field], text] as [string, string]] : rest;
  return { ...position, puz: { ...puz, meta: meta.length ? meta : null } };
}
