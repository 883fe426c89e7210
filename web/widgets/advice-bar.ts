/**
 * The advice bar at the bottom of a narrow screen: the next action in a line, its button, and below it
 * the keys for the answer. Its height is the same in every state, so that the board does not move. Wide
 * screens show the full advice instead.
 */

import type { FaultFacts, Reply } from "../session/questions.js";
import { words } from "../strings.js";
import { html, nothing } from "../vendor.js";
import { swipe } from "./dialog.js";
import { canRetry, progressShare } from "./waiting.js";

type State =
  | "computing"
  | "advice"
  | "equal"
  | "estimated"
  | "certain"
  | "input" // an input is needed
  | "contradiction"
  | "finished"
  | "waiting"; // Python is loading
interface Act {
  label: string;
  run?: () => void;
  /** opens the full advice; not a step */
  opens?: boolean;
  /** whether the button is blue; by default the state decides */
  main?: boolean;
  /** disabled */
  off?: boolean;
}
/** content of the bar */
export interface Bar {
  state: State;
  /** the guess or action as drawn by the desk, or a short text */
  title: unknown;
  /** the title as text, if `title` is a drawing */
  spoken?: string;
  /** the title as text for a link, if `title` is a drawing; default `spoken` */
  plain?: string;
  /** the title is the sender's advice, not this page's */
  said?: boolean;
  /** "3.36" */
  number?: string;
  /** "bits" */
  unit?: string;
  /** two or three */
  facts?: { text: string; tone?: "good" | "fine" | "warn" | "risk" }[];
  /** the next step; at most one */
  act?: Act;
  /** keys for the answer */
  entry?: unknown;
  /** keys in two lines, which also replace the text */
  many?: boolean;
  /** the full advice; opened by pressing or swiping up the line */
  sheet?: () => unknown;
}

/** States with the desk's own advice. */
export const ADVICE = new Set(["advice", "equal", "estimated", "certain", "contradiction", "finished"]);
/** States with a blue button; that of a contradiction is red. */
const WITH_MAIN = new Set(["advice", "equal", "estimated", "certain", "finished"]);

/** @param parts `label` names the bar, `open` describes the action of its line */
export function adviceBar(
  bar: Bar,
  { label, open, onOpen }: { label: string; open: string; onOpen: () => void },
) {
  const { start, move } = swipe("up", () => bar.sheet && onOpen());
  return html`<section class="advice-bar" data-part="advice"
    data-state=${bar.state} ?data-many=${bar.many} aria-label=${label} @pointerdown=${start} @pointermove=${move}>
    <button type="button" class="bar-line" aria-haspopup="dialog" ?disabled=${!bar.sheet} title=${bar.sheet ? open : nothing} @click=${onOpen}>
      <span class="bar-head" ?data-said=${bar.said}>${heading(bar)}</span>
      <span class="bar-facts">${(bar.facts ?? []).map((fact) => html`<span class=${fact.tone ?? nothing}>${fact.text}</span>`)}</span>
    </button>
    ${bar.act ? button(bar.act, bar.state, onOpen) : nothing}
    ${bar.entry ? html`<div class="bar-entry" data-part="entry" data-edit>${bar.entry}</div>` : placeholder(bar)}
  </section>`;
}

/** The number as shown: an estimate is marked by "≈". */
const shownNumber = ({ number, state }: Bar) => (state === "estimated" ? `≈ ${number}` : number);

/** "3.36 bits"; "" without a number. */
export const numberText = (bar: Bar) => (bar.number ? `${shownNumber(bar)} ${bar.unit ?? ""}`.trim() : "");

function heading(bar: Bar) {
  const { title, spoken, number, unit } = bar;
  const drawn = spoken
    ? html`<span class="bar-title" aria-hidden="true">${title}</span><span class="unseen">${spoken}, </span>`
    : html`<b class="bar-title">${title}</b>`;
  if (!number) return drawn;
  return html`${drawn}<span class="bar-number"><b>${shownNumber(bar)}</b> ${unit}</span>`;
}

function button({ label, run, opens = false, main, off = false }: Act, state: State, onOpen: () => void) {
  const kind =
    (main ?? (WITH_MAIN.has(state) && !opens)) ? "meant" : state === "contradiction" ? "fix" : "other";
  return html`<button type="button" class="bar-act ${kind}" data-part="act" ?data-edit=${!opens} ?disabled=${off} @click=${opens ? onOpen : run}>${label}</button>`;
}

/** The empty place of the keys, with a sign while an answer is being computed. */
const placeholder = ({ state }: Bar) =>
  html`<div class="bar-foot ${state === "computing" ? "busy" : ""}"></div>`;

/**
 * The bar while there is no current answer to a request of `listRequests`: Python is loading, the request
 * is being computed, or it failed. Null once there is an answer.
 * @param doing describes the computation
 */
export function pendingBar<K extends string>(
  {
    phase,
    replies,
    stop,
    again,
  }: {
    phase: string;
    replies: { [key in K]?: Reply };
    stop: (key: string) => void;
    again: (key: string) => void;
  },
  key: K,
  doing: string,
): Bar | null {
  const reply: Reply | undefined = replies[key];
  const fault = reply?.state === "failed" ? reply.fault : null;
  if (fault) return failedBar(fault, () => again(key));
  if (reply?.state === "done") return null;
  if (phase === "failed") return { state: "waiting", title: words.phases.failed };
  if (phase !== "ready")
    return { state: "waiting", title: words.barReady, facts: [{ text: words.barEnterNow }] };
  if (!reply?.late) return { state: "computing", title: "" };
  const { progress } = reply;
  return {
    state: "computing",
    title: doing,
    facts: progress ? [{ text: `${progress.note}${progressShare(progress)}` }] : [],
    act: { label: words.stop, run: () => stop(key) },
  };
}

function failedBar(fault: FaultFacts, again: () => void): Bar {
  const stopped = fault.kind === "stopped";
  return {
    state: "input",
    title: stopped ? words.stopped : words.barRefused,
    facts: stopped ? [] : [{ text: fault.message }],
    act: canRetry(fault) ? { label: words.tryAgain, run: again } : undefined,
  };
}

/**
 * The bar as text for screen readers; "" while an answer is pending.
 * @param before announced text, whose parts are omitted
 */
export function barSpoken(bar: Bar, before = "") {
  const { state, title, spoken, facts = [] } = bar;
  if (state === "computing" || state === "waiting") return "";
  const parts = [
    spoken ?? (typeof title === "string" ? title : ""),
    numberText(bar),
    ...facts.map((one) => one.text),
  ];
  return parts
    .filter((part) => part && !before.includes(part))
    .map((part) => part.replace(/\.$/, ""))
    .join(", ");
}

/**
 * The announcement once every question is answered: the first sentence of the result, then the bar. A
 * wide screen has no bar, so only advice is announced there, no instructions.
 */
export function resultSpoken(first: string, bar: Bar | null | undefined, narrow: boolean) {
  const line = bar && (narrow || ADVICE.has(bar.state)) ? barSpoken(bar, first) : "";
  return [first && !first.endsWith(".") ? `${first}.` : first, line].filter(Boolean).join(" ");
}
