/** The board: cells with texts and labels, counts, buttons for numbers; parts shared with the editor's board. */
import { html, nothing } from "../../vendor.js";
import { percent } from "../../widgets/numbers.js";
import type { BoardParts, Label } from "../../widgets/polygon-board.js";
import { polygonBoard } from "../../widgets/polygon-board.js";
import { zooming } from "../../widgets/zoom.js";
import { act, enter, flag, kindOf, mark, modeOf, nextMark, paint, paintMarks } from "./board-actions.js";
import { cellName, groupName, withForm } from "./cell-names.js";
import { outlines } from "./hints.js";
import type { Context, Drawn } from "./model.js";
import { drawnOf, tintOf, tintsOf } from "./model.js";
import { askedCell, entryOf, pad } from "./pads.js";
import { words } from "./strings.js";

export type Known = ReturnType<typeof import("./model.js").knownOf>;

/** Units of a drawing that a phone shows at full size. */
export const WIDE = 400;

/** The actions of a replayed board: none. */
const NO_EVENTS = { act: () => {}, flag: () => {}, paint: () => {}, mark: () => {}, focus: () => {} };

/** @param replay shown in place of the position */
export function drawBoard(given: Context, replay: ReturnType<typeof import("./replay.js").replayOf> = null) {
  const context = replay ? { ...given, position: replay.position, readOnly: true } : given;
  const { position, view, replies } = context;
  const entry = position.sealed ? null : entryOf(position);
  const drawn = entry?.drawn ?? drawnOf(position);
  const { rings, lit, known } = outlines(context, replay ? replay.move : undefined);
  const found = view.chances && !replay && !replies.solve?.fault ? replies.solve?.value : null;
  const marking = modeOf(view) === "mark";
  const marked = [...known.marks].flatMap(([cell, kind]) => (kind === kindOf(view) ? [cell] : []));
  const tints = tintsOf(drawn.groups);
  const cells = drawn.points.map((_, i) =>
    cellModel(context, drawn, known, i, {
      ring: rings.get(i),
      chance: found?.probability[i] ?? null,
      tint: tints[i],
      hidden: entry?.hidden,
    }),
  );
  return html`${boardFrame(context, drawn, {
    cells,
    labels: drawn.labels.map((l) =>
      entry?.hidden.has(l.group)
        ? uncountedLabel(context, drawn, l)
        : labelModel(context, drawn, known, l, lit.has(entry ? entry.real(l.group) : l.group)),
    ),
    flagging: modeOf(view) !== "open",
    flags: marking ? new Set(marked) : known.flags,
    events: replay
      ? NO_EVENTS
      : {
          act: (cell) => act(context, cell),
          flag: (cell) => flag(context, cell),
          paint: (list, on) => (marking ? paintMarks : paint)(context, list, on),
          mark: (cell) => mark(context, cell),
          nextMark: (cell) => nextMark(context, cell),
          ...(marking ? { secondary: (cell: number) => nextMark(context, cell) } : {}),
          focus: (cell) => context.set({ focus: cell, why: null }),
          digit: (cell, digit) => typed(context, cell, digit),
        },
  })}${pad(context)}`;
}

type OwnParts = Pick<BoardParts, "cells" | "labels" | "flags" | "flagging" | "events"> & Partial<BoardParts>;

/** A drawn board that pinching, or the wheel with Ctrl, scales; `parts` override what it has from `drawn`. */
export function boardFrame({ position, view, set }: Context, drawn: Drawn, parts: OwnParts) {
  const { fences, names, size, neighbours } = drawn;
  const focus = Math.min(view.focus ?? 0, drawn.cells - 1);
  const label = words.boardLabel(position.title || words.untitled);
  const scale = view.zoom ?? 0;
  const { start, move, end, wheel } = zooming((zoom) => set({ zoom }));
  return html`<div class=${scale ? "frame large" : "frame"} data-part="entry" @touchstart=${start} @touchmove=${move} @touchend=${end} @touchcancel=${end} @wheel=${wheel}>${polygonBoard({ fences, names, view: drawn.view, size, neighbours, focus, label, ...parts, scale })}</div>`;
}

/** A cell's place and outline, and its label of the parts that are not empty. */
export const cellAt = (drawn: Drawn, i: number, label: (string | undefined)[]) => ({
  x: drawn.x[i],
  y: drawn.y[i],
  points: drawn.points[i],
  label: label.filter(Boolean).join(", "),
});

/** A count of the board with its own text and title; one inside the board is no button. */
export function labelAt(
  { readOnly }: Context,
  drawn: Drawn,
  { x, y, group: index, inside }: Drawn["labels"][number],
  own: Pick<Label, "text" | "title" | "lit" | "done">,
  press: (() => void) | undefined,
): Label {
  const group = drawn.groups[index];
  const tint = inside ? tintOf(group) : "";
  return { x, y, cells: group.cells, inside, tint, press: inside || readOnly ? undefined : press, ...own };
}

/** Cells at their full size, or the whole board. */
export function resize({ position, view, set }: Context) {
  if (!view.zoom && drawnOf(position).view[2] <= WIDE) return nothing;
  return html`<button class="plain" @click=${() => set({ zoom: view.zoom ? 0 : 1 })}>${view.zoom ? words.whole : words.larger}</button>`;
}

/**
 * A digit for a cell of a board without a solution; `?` only where it was asked what the cell shows,
 * for elsewhere it opens the sheet of keys.
 */
function typed(context: Context, cell: number, digit: string) {
  const { position } = context;
  if (position.sealed || (digit === "?" && askedCell(context) !== cell)) return false;
  const most = drawnOf(position).neighbours[cell].length;
  if (Number(digit) > most) context.notify(words.tooMany(cellName(position, cell), most));
  else enter(context, cell, digit === "?" ? null : Number(digit));
  return true;
}

/** @param parts `hidden`: drawn groups that have no count */
function cellModel(
  { position, view }: Context,
  drawn: Drawn,
  known: Known,
  i: number,
  {
    ring,
    chance,
    tint,
    hidden,
  }: { ring: string | undefined; chance: number | null; tint: string; hidden?: Set<number> },
) {
  const open = known.numbers.has(i);
  const number = known.numbers.get(i);
  const flagged = known.flags.has(i);
  const kind = flagged ? null : (known.marks.get(i) ?? null);
  const around =
    view.countdown && number != null ? drawn.neighbours[i].filter((n) => known.flags.has(n)).length : 0;
  const face = open ? "open" : flagged ? "flag" : "closed";
  const form = position.forms?.[i];
  const shown = number == null ? "?" : withForm(words.left(number - around), form);
  const spot = flagged && position.spots?.find((one) => one.cell === i);
  const state = open
    ? number == null
      ? words.states.question
      : [words.shown(number - around), form].filter(Boolean).join(", ")
    : flagged
      ? spot
        ? `${words.states.flag}, ${words.near(spot.count, spot.cells.length)}`
        : words.states.flag
      : words.states.closed;
  const inside = drawn.groups.flatMap((g, k): [string, number][] =>
    g.kind !== "total" && !hidden?.has(k) && g.cells.includes(i)
      ? [[groupName(position, drawn.groups, k), g.count]]
      : [],
  );
  const label = [
    cellName(position, i),
    state,
    kind ? words.markedAs[kind] : "",
    chance == null ? "" : words.chance(chance),
    words.inGroups(inside),
  ];
  const text = open
    ? number === 0 && !around
      ? "0"
      : shown
    : spot
      ? `⚑${spot.count}`
      : chance != null && !flagged
        ? percent(chance).replaceAll(" ", "")
        : "";
  return {
    ...cellAt(drawn, i, label),
    face,
    text,
    tint: `${tint ?? ""} ${number === 0 ? "zero" : ""}`,
    shade: open || flagged ? null : chance,
    ring,
    mark: kind,
  };
}

function labelModel(
  context: Context,
  drawn: Drawn,
  known: Known,
  label: Drawn["labels"][number],
  lit: boolean,
) {
  const { position, view } = context;
  const index = label.group;
  const group = drawn.groups[index];
  const flags = group.cells.filter((c) => known.flags.has(c)).length;
  const closed = group.cells.filter((c) => !known.flags.has(c) && !known.numbers.has(c)).length;
  const title = words.group(groupName(position, drawn.groups, index), group.count, group.cells.length);
  const own = {
    text: withForm(words.left(group.count - (view.countdown ? flags : 0)), group.form),
    title: [title, group.form].filter(Boolean).join(", "),
    lit,
    done: closed === 0,
  };
  const press = position.sealed ? undefined : () => context.set({ line: index, pad: null });
  return labelAt(context, drawn, label, own, press);
}

/** The button of a line without a count. */
function uncountedLabel(context: Context, drawn: Drawn, label: Drawn["labels"][number]) {
  const title = words.uncounted(groupName(context.position, drawn.groups, label.group));
  const press = () => context.set({ line: label.group, pad: null });
  return labelAt(context, drawn, label, { text: "·", title }, press);
}
