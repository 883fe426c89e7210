/**
 * Batch rating of files and archives, chosen or dropped: one row per puzzle as it is finished. A file that
 * cannot be rated has a row with the error; after a stop the finished rows stay.
 */

import type { Rated } from "../../../types/mines.js";
import { html, nothing } from "../../../vendor.js";
import { download, fileButton } from "../../../widgets/file.js";
import type { Source } from "../../../zip.js";
import { filesIn, isArchive, Unreadable } from "../../../zip.js";
import type { FaultFacts } from "../../desk.js";
import type { Context, Position } from "../model.js";
import { EMPTY } from "../model.js";
import { words } from "../strings.js";

type Row = { file: string; title: string; rated: Rated | null; fault: string; position?: Position };

const HEAD = ["file", "title", "difficulty", "thought", "no_guess", "moves", "kinds", "fault"];

const LEVEL = /\.(puz|json|txt|xml)$/i;
const NO_LEVEL = /(^|\/)(campaign\.txt$|\.|__MACOSX\/)/; // a campaign's list, what systems add

/** By name, numbers by size. */
export const inOrder = <T extends { name: string }>(list: T[]) =>
  [...list].sort((a, b) => a.name.localeCompare(b.name, "en", { numeric: true }));

/** The puzzles in an archive, in their order. */
export const levelsOf = <T extends { name: string }>(list: T[]) =>
  inOrder(list.filter(({ name }) => LEVEL.test(name) && !NO_LEVEL.test(name)));

export const faultOf = ({ message, where }: FaultFacts) =>
  where && !where.startsWith("$") ? `${where}: ${message}` : message;

/** The number of moves of each kind, in the order of the kinds. */
export function kindsOf({ path }: Pick<Rated, "path">) {
  const used = (path ?? []).map((move) => move.technique);
  const found = Object.keys(words.wish.kinds).filter((kind) => used.some((one) => one === kind));
  return Object.fromEntries(found.map((kind) => [kind, used.filter((one) => one === kind).length]));
}

/** The rows as CSV. */
export function csvOf(list: Row[]) {
  const quoted = (value: unknown) => {
    const text = String(value ?? "");
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  const line = ({ file, title, rated, fault }: Row) => [
    file,
    title,
    rated?.smooth ?? "",
    rated?.thought ?? "",
    rated?.no_guess ?? "",
    rated?.path?.length ?? "",
    Object.entries(rated ? kindsOf(rated) : {})
      .map(([kind, n]) => `${kind}:${n}`)
      .join(" "),
    fault,
  ];
  return [HEAD, ...list.map(line)].map((cells) => `${cells.map(quoted).join(",")}\r\n`).join("");
}

/** finished rows, kept while the page is open */
const rows: Row[] = [];
let running: { file: string; done: number; total: number; cancel: () => void; stopped: boolean } | null =
  null;
let note = ""; // the progress when it was stopped, or an error

export function batch(context: Context) {
  const dropped = (event: DragEvent) => {
    event.preventDefault();
    event.stopPropagation();
    start(context, [...(event.dataTransfer?.files ?? [])]);
  };
  return html`<section class="card mines-part" @dragover=${(e: DragEvent) => e.preventDefault()} @drop=${dropped}>
    <h2>${words.batch.title}</h2><p class="quiet">${words.batch.what}</p>
    ${running ? progress(running) : html`<div class="row mines-wrap">${fileButton(words.batch.choose, (files) => start(context, files), { accept: ".puz,.mine,.json,.txt,.xml,.zip", multiple: true })}${rows.length ? html`<button class="plain" @click=${() => download("ratings.csv", new Blob([csvOf(rows)], { type: "text/csv" }))}>${words.batch.save}</button>` : nothing}${levels().length > 1 ? html`<button class="plain" @click=${() => pack(context)}>${words.batch.pack}</button>` : nothing}</div>`}
    ${note ? html`<p role="status">${note}</p>` : nothing}
    ${rows.length ? table() : nothing}
    ${!running && levels().length > 1 ? html`<p class="quiet">${words.batch.packWhat}</p>` : nothing}</section>`;
}

/** The levels of a campaign: the rated puzzles. */
function levels() {
  return rows.flatMap(({ position, rated }) =>
    position && rated ? [{ puzzle: position, score: rated.smooth, steps: rated.steps }] : [],
  );
}

/** The rated puzzles as one archive for the game. */
async function pack(context: Context) {
  try {
    const asked = { want: "campaign" as const, position: EMPTY, options: { levels: levels() } };
    const { archive } = await context.ask(asked).promise;
    const bytes = Uint8Array.from(atob(archive), (letter) => letter.charCodeAt(0));
    download("campaign.zip", new Blob([bytes], { type: "application/zip" }));
    note = "";
  } catch (problem) {
    note = faultOf(problem as FaultFacts);
  }
  context.redraw();
}

function progress(job: NonNullable<typeof running>) {
  return html`<p role="status">${words.batch.at(job.done + 1, job.total, job.file)}</p>
    <progress max=${job.total} value=${job.done} aria-label=${words.batch.title}></progress>
    <div class="row"><button class="soft" @click=${job.cancel}>${words.batch.stop}</button></div>`;
}

function table() {
  const cells = ({ title, rated, fault }: Row) =>
    rated
      ? html`<td>${rated.smooth?.toFixed(1) ?? "–"}</td><td>${rated.thought ?? "–"}</td><td>${words.batch.end(rated)}</td><td>${words.wish.row(kindsOf(rated))}</td>`
      : html`<td colspan="4" class="risk">${title ? `${title}: ` : ""}${fault}</td>`;
  return html`<div class="mines-rated" role="region" tabindex="0" aria-label=${words.batch.title} aria-busy=${running ? "true" : "false"}><table class="table">
    <thead><tr>${words.batch.heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
    <tbody>${rows.map((row) => html`<tr><th scope="row">${row.rated && row.title ? row.title : row.file}</th>${cells(row)}</tr>`)}</tbody></table></div>
    ${rows.some(({ rated }) => rated && rated.smooth === null) ? html`<p class="quiet">${words.batch.dash}</p>` : nothing}`;
}

async function start(context: Context, files: File[]) {
  if (running || !files.length) return;
  rows.length = 0;
  note = "";
  const job = { file: "", done: 0, total: files.length, stopped: false, cancel: () => {} };
  running = job;
  const sources = (await Promise.all(inOrder(files).map(opened))).flat();
  job.total = sources.length;
  for (const file of sources) {
    job.file = file.name;
    context.redraw();
    const row = await rate(context, file, job);
    if (job.stopped) {
      note = words.batch.stopped(job.done, job.total);
      break;
    }
    rows.push(row);
    job.done++;
  }
  running = null;
  context.redraw();
}

/** A file as it is, an archive as the puzzles in it. */
async function opened(file: File): Promise<Source[]> {
  try {
    if (!(await isArchive(file))) return [file];
    const levels = levelsOf(await filesIn(file));
    if (!levels.length) return [refused(file.name, new Error(words.batch.none))];
    return levels.map(({ name, text }) => ({ name: `${file.name}/${name}`, text }));
  } catch (problem) {
    return [refused(file.name, problem)];
  }
}

const refused = (name: string, problem: unknown): Source => ({ name, text: () => Promise.reject(problem) });

async function rate(context: Context, file: Source, job: NonNullable<typeof running>): Promise<Row> {
  const row = { file: file.name, title: "", rated: null, fault: "" } as Row;
  const held = <T>({ promise, cancel }: { promise: Promise<T>; cancel: () => void }): Promise<T> => {
    job.cancel = () => {
      job.stopped = true;
      cancel();
    };
    if (job.stopped) cancel();
    return promise;
  };
  try {
    const text = await file.text();
    const position = await held(context.ask({ want: "read", position: EMPTY, options: { text } }));
    row.title = position.title ?? "";
    row.position = position;
    row.rated = await held(context.ask({ want: "rate", position, options: { path: true } }));
  } catch (problem) {
    row.fault =
      problem instanceof Unreadable ? words.batch.unreadable[problem.why] : faultOf(problem as FaultFacts);
  }
  return row;
}
