/** Parts of the desk's panels: sections that fold, single questions, the choice of a board, notes, copying. */
import { html, nothing } from "../../vendor.js";
import { copyText } from "../../widgets/file.js";
import { choice, foldFor } from "../../widgets/panel.js";
import { explained } from "../../widgets/term.js";
import type { Work } from "../../widgets/waiting.js";
import { waiting } from "../../widgets/waiting.js";
import type { FaultFacts, Question } from "../desk.js";
import type { Context, Desk, Verbs } from "./model.js";
import { clashes, filled, focus } from "./model.js";
import { words } from "./strings.js";

export type Flag =
  | "symmetries"
  | "solving"
  | "near"
  | "numbering"
  | "viewing"
  | "making"
  | "carrying"
  | "listing";

export function fold(context: Context, flag: Flag, title: string, body: () => unknown) {
  return foldFor(context, flag, title, () => html`<div class="fold-body">${body()}</div>`);
}

/** Ask a question that is not in `listRequests`: `work` holds the running job, `take` gets the result. */
export async function askOnce<W extends "make" | "grid">(
  context: Context,
  work: Work,
  request: Question<Desk, W>,
  take: (found: Verbs[W]["result"]) => void,
) {
  const job = context.ask(request, (progress) => {
    work.progress = progress;
    context.redraw();
  });
  Object.assign(work, { job, progress: null, fault: null });
  context.redraw();
  try {
    take(await job.promise);
  } catch (fault) {
    work.fault = fault as FaultFacts;
  }
  work.job = null;
  context.redraw();
}

/** The progress of such a question, or its fault. */
export function waitingForWork({ phase }: Context, { job, progress, fault }: Work) {
  if (!job && !fault) return nothing;
  const reply = { state: fault ? "failed" : "waiting", value: null, progress, fault, late: false } as const;
  return waiting(reply, { phase, stop: () => job?.cancel() });
}

/** The choice of a board if there are two, and a note if the chosen one breaks the rules. */
export function which(context: Context) {
  const { position } = context;
  const chosen = focus(context);
  const [value, options] = [String(chosen), Object.entries(words.whichNames)];
  const onChange = (next: string) => context.set({ board: Number(next), browse: null, stage: 0 });
  return html`${filled(position).length < 2 ? nothing : choice({ label: words.which, options, value, onChange })}
    ${clashes(position, chosen).size ? clashNote() : nothing}`;
}

export const clashNote = () => html`<p class="note">${words.clashFirst}</p>`;

/** The constraints that an answer takes into account, and how many cell maps preserve them. */
export const within = (found: { compared?: string[]; cell_maps?: number }) =>
  found.compared ? html`<p class="quiet">${explained(words.comparedWith(found))}</p>` : nothing;

/** The constraints that an answer ignores. */
export const left = ({ not_compared: names }: { not_compared?: string[] }) =>
  names ? html`<p class="note warn">${words.notCompared(names)}</p>` : nothing;

export async function copy(context: Context, text: string) {
  context.notify((await copyText(text)) ? words.copied : text);
}
