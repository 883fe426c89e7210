/** Sections that fold, questions asked at a press, which board they are about, what an answer left out, copies. */
import { html, nothing } from "../../vendor.js";
import { choice, foldFor } from "../../widgets/panel.js";
import { explained } from "../../widgets/term.js";
import type { Work } from "../../widgets/waiting.js";
import { waiting } from "../../widgets/waiting.js";
import type { FaultFacts, Question } from "../desk.js";
import type { Context, Desk, Verbs } from "./model.js";
import { filled, focus } from "./model.js";
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

/** Ask what is in no `listRequests`: `work` has what is under way, `take` gets the answer. */
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

/** How far that is, or why there is no answer. */
export function waitingForWork({ phase }: Context, { job, progress, fault }: Work) {
  if (!job && !fault) return nothing;
  const reply = { state: fault ? "failed" : "waiting", value: null, progress, fault, late: false } as const;
  return waiting(reply, { phase, stop: () => job?.cancel() });
}

/** First or second, where there are two. */
export function which(context: Context) {
  if (filled(context.position).length < 2) return nothing;
  return choice({
    label: words.which,
    options: [
      ["0", words.whichNames[0]],
      ["1", words.whichNames[1]],
    ],
    value: String(focus(context)),
    onChange: (value) => context.set({ board: Number(value), browse: null, stage: 0 }),
  });
}

/** The constraints that an answer takes into account, and how many maps keep them. */
export const within = (found: { compared?: string[]; cell_maps?: number }) =>
  found.compared ? html`<p class="quiet">${explained(words.comparedWith(found))}</p>` : nothing;

/** The constraints that an answer left out of account. */
export const left = ({ not_compared: names }: { not_compared?: string[] }) =>
  names ? html`<p class="note warn">${words.notCompared(names)}</p>` : nothing;

export async function copy(context: Context, text: string) {
  try {
    await navigator.clipboard.writeText(text);
    context.notify(words.copied);
  } catch {
    context.notify(text);
  }
}
