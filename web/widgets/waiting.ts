/** The state of a job: a line, a progress bar if it takes long, a Stop button. */

import type { FaultFacts, Reply as ReplyOf } from "../session/questions.js";
import { words } from "../strings.js";
import { html, nothing } from "../vendor.js";

export type Reply = ReplyOf<unknown, unknown>;
/** the part of a reply used here */
type Waited = Pick<Reply, "state" | "value" | "progress" | "fault" | "late"> & { stale?: boolean };
/** the state of a job that is not in `listRequests` */
export type Work = { job: { cancel: () => void } | null; progress: Reply["progress"]; fault: Reply["fault"] };

/**
 * Empty once the reply is there; an error with “Try again” if it failed. A short wait after an earlier
 * answer shows nothing. `room` reserves the height of a first answer, so that content below does not
 * move: "list" for ranked advice, "line" for a number.
 */
export function waiting(
  reply: Waited | undefined,
  {
    room,
    ...parts
  }: { phase: string; stop?: () => void; again?: () => void; note?: string; room?: "list" | "line" },
) {
  if (!reply || reply.state === "done") return nothing;
  if (reply.state === "failed") return failed(reply, parts.again);
  if (reply.value !== null || (reply.stale && room !== "line"))
    return reply.late ? under(reply, parts) : nothing;
  return room ? html`<div class="room ${room}">${under(reply, parts)}</div>` : under(reply, parts);
}

/** The same for a request of `listRequests`, with buttons to stop and to repeat it. */
export function waitingFor<K extends string>(
  context: {
    phase: string;
    replies: { [key in K]?: Waited };
    stop: (key: string) => void;
    again: (key: string) => void;
  },
  key: K,
  more: { note?: string; room?: "list" | "line" } = {},
) {
  const { phase, replies } = context;
  const [stop, again] = [() => context.stop(key), () => context.again(key)];
  return waiting(replies[key], { phase, stop, again, ...more });
}

function under(
  reply: Waited,
  { phase, stop, note = words.working }: { phase: string; stop?: () => void; note?: string },
) {
  if (phase !== "ready" && phase !== "failed")
    return html`<p class="quiet" role="status">${words.phases.starting}…</p>`;
  const { progress } = reply;
  if (!progress) return html`<p class="quiet">${note}…</p>`;
  return html`<div class="job">
    <p class="quiet">${progress.note || note}${progressShare(progress)}</p>
    <progress .value=${progress.total ? progress.done : 0} max=${progress.total ?? 1}></progress>
    ${stop ? html`<button class="plain" @click=${stop}>${words.stop}</button>` : nothing}
  </div>`;
}

/** Whether repeating may help: the request was stopped or its worker failed; it was not refused. */
export const canRetry = (fault: FaultFacts | null) => fault?.kind === "stopped" || fault?.kind === "host";

function failed(reply: Waited, again: (() => void) | undefined) {
  const stopped = reply.fault?.kind === "stopped";
  return html`<div class=${stopped ? "note" : "note risk"} role=${stopped ? nothing : "alert"}>
    <p>${stopped ? words.stopped : reply.fault?.message}</p>
    ${again && canRetry(reply.fault) ? html`<button class="plain" @click=${again}>${words.tryAgain}</button>` : nothing}
  </div>`;
}

/** " · 42 %"; "" if the total is unknown. */
export function progressShare({ done, total }: { done: number; total?: number | null }) {
  return total ? ` · ${Math.floor((100 * done) / total)} %` : "";
}
