/** Import of a screenshot: read it, compare with the picture, correct and accept the board. */

import type { Photo } from "../../types/mines.js";
import { html, nothing, ref, svg } from "../../vendor.js";
import { dialog } from "../../widgets/dialog.js";
import type { OnInput } from "../../widgets/on.js";
import { select } from "../../widgets/panel.js";
import type { Shot } from "../../widgets/picture-file.js";
import { shotOf } from "../../widgets/picture-file.js";
import type { FaultFacts } from "../desk.js";
import { cellName, groupName } from "./cell-names.js";
import { withAll, withCount } from "./editor/edits.js";
import type { Context, Group, Position } from "./model.js";
import { drawnOf, EMPTY } from "./model.js";
import { picture } from "./picture.js";
import { words } from "./strings.js";

const LONGER = 1920; // pixels: tiles of the game are 28 pixels and more
const CROP = 48;
const MOST = 40; // cells that are shown one by one

/** A count to check; `value`: its text. */
type CountField = { group: Omit<Group, "count">; value: string };

interface Session {
  shot: Shot | null;
  found: Photo | null;
  /** the player's corrections of doubtful cells: closed, flag, ? or a number */
  cells: Map<number, string>;
  counts: CountField[];
  total: string;
  note: string;
  fault: string;
  context: Context;
}

let session: Session | null = null;

/** Read the first of these pictures. */
export async function takePictures([file]: File[], context: Context) {
  if (!file || context.readOnly) return;
  const now: Session = {
    shot: null, found: null, cells: new Map(), counts: [], total: "", note: "", fault: "", context,
  }; // biome-ignore format: a table
  session = now;
  show(now);
  try {
    now.shot = await shotOf(file, LONGER);
    const { pixels, canvas } = now.shot;
    const options = { pixels, width: canvas.width, height: canvas.height };
    now.found = await context.ask({ want: "photo", position: EMPTY, options }, ({ note }) => {
      now.note = note;
      show(now);
    }).promise;
    now.counts = countFields(now.found);
  } catch (problem) {
    now.fault = (problem as FaultFacts).message;
  }
  show(now);
}

function show(now: Session) {
  if (session === now) now.context.open(() => draw(now));
}

function countFields({ position, doubtful_groups, unread, uncounted }: Photo): CountField[] {
  const { groups } = drawnOf(position);
  return [
    ...doubtful_groups.map((k) => ({ group: groups[k], value: String(groups[k].count) })),
    ...unread.map((group) => ({ group, value: "" })),
    ...uncounted.map(({ colour, cells }) => ({ group: { kind: "colour", colour, cells }, value: "" })),
  ];
}

/** The board as read, with the corrections. */
function correctedBoard(
  found: Photo,
  cells: Map<number, string>,
  counts: CountField[],
  total: string,
): Position {
  let position: Position = { ...found.position };
  const off = (list: readonly number[] = []) => list.filter((c) => !cells.has(c));
  const chosen = [...cells];
  position.flags = [...off(position.flags), ...chosen.filter(([, v]) => v === "flag").map(([c]) => c)];
  position.revealed = [
    ...(position.revealed ?? []).filter(({ cell }) => !cells.has(cell)),
    ...chosen
      .filter(([, v]) => v !== "flag" && v !== "closed")
      .map(([cell, v]) => ({ cell, number: v === "?" ? null : Number(v) })),
  ].sort((a, b) => a.cell - b.cell);
  for (const { group, value } of counts) position = withGroup(position, group, numberOf(value));
  const all = numberOf(total);
  return all === null ? position : withAll(position, all);
}

const numberOf = (text: string) => (/^\d+$/.test(text.trim()) ? Number(text) : null);

/** The position with this count of a group; null removes it. */
function withGroup(position: Position, group: Omit<Group, "count">, count: number | null): Position {
  const { board } = position;
  const key = group.cells.join();
  if (board && (group.kind === "row" || group.kind === "column")) {
    const [first] = group.cells;
    const index = group.kind === "row" ? Math.floor(first / board.width) : board.height + first;
    return withCount(position, index, count);
  }
  const others = (position.groups ?? []).filter((g) => g.cells.join() !== key);
  return { ...position, groups: count === null ? others : [...others, { ...group, count }] };
}

function draw(now: Session) {
  const { shot, found, fault, note, context } = now;
  const close = () => {
    session = null;
    context.open(null);
  };
  return dialog({
    title: words.screenshot.title,
    onClose: close,
    wide: true,
    body: html`<div class="shot"><div>${shot ? overlaid(shot, found) : nothing}</div><div>${
      fault
        ? html`<p class="note risk" role="alert">${fault}</p>`
        : found
          ? side(now, found, close)
          : html`<p role="status" class="quiet">${words.screenshot.doing(note)}</p>`
    }</div></div>`,
  });
}

function side(now: Session, found: Photo, close: () => void) {
  const { cells, counts, total, context } = now;
  const { position, doubtful, consistent, unplaced } = found;
  const left = doubtful.filter((c) => !cells.has(c)).length + counts.filter((c) => !c.value).length;
  const board = correctedBoard(found, cells, counts, total);
  const accept = () => {
    close();
    context.commit({ ...board, desk: "mines", v: 1 }, words.screenshot.label);
    context.notify(words.screenshot.taken);
  };
  const change = (set: () => void) => {
    set();
    show(now);
  };
  return html`${consistent ? nothing : html`<p class="note warn" role="status">${words.screenshot.clash}</p>`}
    <p role="status" class=${left ? "warn" : "good"}>${words.screenshot.judged(left)}</p>
    <div class="mines-desk shot-board">${picture(board, undefined, words.screenshot.board)}</div>
    ${doubtful.length ? html`<ul class="shot-list" aria-label=${words.screenshot.cells}>${doubtful.slice(0, MOST).map((cell) => html`<li>${crop(now, cell)}${cellChoice(now, position, cell, change)}</li>`)}</ul>` : nothing}
    ${doubtful.length > MOST ? html`<p class="quiet">${words.screenshot.more(doubtful.length - MOST)}</p>` : nothing}
    ${counts.map((one) => {
      const name = words.screenshot.count(groupName(position, [{ ...one.group, count: 0 }], 0));
      return html`<label class="shot-count">${name}<input class="field short" inputmode="numeric" .value=${one.value} @change=${(e: OnInput) => change(() => Object.assign(one, { value: e.target.value }))}></label>`;
    })}
    <label class="shot-count">${words.screenshot.total}<input class="field short" inputmode="numeric" .value=${total} @change=${(e: OnInput) => change(() => Object.assign(now, { total: e.target.value }))}></label>
    ${unplaced.length ? html`<p class="quiet">${words.screenshot.unplaced(unplaced.map((one) => one.number))}</p>` : nothing}
    <button class="main" @click=${accept}>${words.screenshot.accept}</button>`;
}

function cellChoice(now: Session, position: Position, cell: number, change: (set: () => void) => void) {
  const open = position.revealed?.find((one) => one.cell === cell);
  const read = open ? (open.number ?? "?") : position.flags?.includes(cell) ? "flag" : "closed";
  const chosen = now.cells.get(cell) ?? String(read);
  const most = drawnOf(position).neighbours[cell].length;
  const values = ["closed", "flag", "?", ...Array.from({ length: most + 1 }, (_, n) => String(n))];
  const options = values.map((value): [string, string] => [value, words.screenshot.shows[value] ?? value]);
  const pick = (value: string) => change(() => now.cells.set(cell, value));
  const name = cellName(position, cell);
  return html`<label>${name}${select(options, chosen, pick)}</label>${
    now.cells.has(cell)
      ? html`<span class="good">✓</span>`
      : html`<button class="plain" aria-label=${words.screenshot.right(name)} @click=${() => change(() => now.cells.set(cell, chosen))}>✓</button>`
  }`;
}

/** A tile cropped from the picture. */
function crop({ shot, found }: Session, cell: number) {
  const paint = (element: Element | undefined) => {
    if (!(element instanceof HTMLCanvasElement) || !shot || !found) return;
    const [x, y] = found.middles[cell];
    const side = 1.1 * found.pitch;
    const pen = element.getContext("2d") as CanvasRenderingContext2D;
    pen.imageSmoothingQuality = "high";
    pen.drawImage(shot.canvas, x - side / 2, y - side / 2, side, side, 0, 0, CROP, CROP);
  };
  return html`<canvas width=${CROP} height=${CROP} aria-hidden="true" ${ref(paint)}></canvas>`;
}

function overlaid({ canvas }: Shot, found: Photo | null) {
  const radius = (found?.pitch ?? 0) * 0.45;
  return html`<div class="shot-picture">${canvas}<svg viewBox=${`-0.5 -0.5 ${canvas.width} ${canvas.height}`} role="img" aria-label=${words.screenshot.picture}>${
    found?.doubtful.map((cell) => {
      const [x, y] = found.middles[cell];
      return svg`<circle cx=${x} cy=${y} r=${radius}></circle>`;
    }) ?? nothing
  }</svg></div>`;
}
