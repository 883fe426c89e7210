/** A file of known puzzles, to take one of them. */
import { html, nothing } from "../../vendor.js";
import type { Form } from "./generate.js";
import type { Context } from "./model.js";
import { givens } from "./model.js";
import { words } from "./strings.js";

const MOST_SENT = 60_000; // lines of a file that are looked through; of those with the wanted givens
const LARGEST_FILE = 60_000_000; // bytes

/** The open file of known puzzles; too large for the view. */
let source: { name: string; lines: string[] } | null = null;

export function known(context: Context, form: Form, take: (lines: string[]) => void, busy: boolean) {
  return html`<p><b>${words.makeDialog.known}</b></p><p class="quiet">${words.makeDialog.knownText}</p>
    <div class="row wrap">
      <label class="soft file">${words.makeDialog.open}<input class="unseen" type="file" accept=".txt,.sdm,.csv,text/plain,text/csv" @change=${(e: Event) => open(context, (e.target as HTMLInputElement).files?.[0])}></label>
      ${source ? html`<button class="soft" ?disabled=${busy} @click=${() => chosen(context, form, take)}>${words.makeDialog.take(form.clues)}</button>` : nothing}
    </div>
    ${source ? html`<p class="quiet">${words.makeDialog.opened(source.name, source.lines.length)}</p>` : nothing}`;
}

async function open(context: Context, file: File | undefined) {
  if (!file) return;
  if (file.size > LARGEST_FILE) return context.tell(words.makeDialog.large(file.name));
  const lines = (await file.text()).split("\n").filter((line) => /^\s*[0-9.]{81}/.test(line));
  source = lines.length ? { name: file.name, lines } : null;
  if (!source) context.tell(words.makeDialog.none(file.name));
  context.redraw();
}

const boardIn = (line: string) => line.trim().slice(0, 81).replaceAll("0", ".");

function chosen(context: Context, form: Form, take: (lines: string[]) => void) {
  const wanted = form.clues ? Number(form.clues) : null;
  const lines = (source?.lines ?? []).filter((line) => !wanted || givens(boardIn(line)) === wanted);
  if (!lines.length) return context.tell(words.makeDialog.noneWith(form.clues));
  take(lines.slice(0, MOST_SENT));
}
