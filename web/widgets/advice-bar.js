/**
 * The advice bar at the bottom of a narrow screen: the next action in a line, its button, and below it
 * the split or the keys for the answer. Its height is the same in every state, so that the board does
 * not move. Wide screens show the full advice instead.
 *
 * @typedef {"computing" | "advice" | "equal" | "estimated" | "certain" | "input" | "contradiction"
 *   | "finished" | "waiting"} State `waiting`: Python is loading; `input`: an input is needed
 *
 * @typedef {object} Act
 * @property {string} label
 * @property {() => void} [run]
 * @property {boolean} [opens] it opens the full advice, and is no step
 * @property {boolean} [main] it records what happened, in a state whose button is not the primary one
 * @property {boolean} [off] disabled
 *
 * @typedef {object} Bar content of the bar
 * @property {State} state
 * @property {unknown} title the guess or action as drawn by the desk, or a short text
 * @property {string} [spoken] the title as text, if `title` is a drawing
 * @property {string} [plain] the title as text for a link, if `title` is a drawing; default `spoken`
 * @property {boolean} [said] the title is the sender's advice, not this page's
 * @property {string} [number] "3.36"
 * @property {string} [unit] "bits"
 * @property {{text: string, tone?: "good" | "fine" | "warn" | "risk"}[]} [facts] two or three
 * @property {number[]} [split] probability of each answer, largest first
 * @property {Act} [act] the next step; at most one
 * @property {unknown} [entry] keys for the answer, instead of the split
 * @property {boolean} [many] keys in two lines, which also replace the text
 * @property {() => unknown} [sheet] the full advice; opened by pressing or swiping up the line
 */

import { words } from "../strings.js";
import { html, nothing } from "../vendor.js";
import { bar as split } from "./advice.js";
import { stroked } from "./stroke.js";

/** States with a blue button; a contradiction has a red one. */
const MEANT = new Set(["advice", "equal", "estimated", "certain", "finished"]);

/**
 * @param {Bar} bar
 * @param {{label: string, open: string, onOpen: () => void}} parts `label` names the bar, `open` describes
 *   the action of its line
 */
export function adviceBar(bar, { label, open, onOpen }) {
  const { start, move } = stroked("up", () => bar.sheet && onOpen());
  return html`<section class="advice-bar" data-part="advice"
    data-state=${bar.state} ?data-many=${bar.many} aria-label=${label} @pointerdown=${start} @pointermove=${move}>
    <button type="button" class="bar-line" aria-haspopup="dialog" ?disabled=${!bar.sheet} title=${bar.sheet ? open : nothing} @click=${onOpen}>
      <span class="bar-head" ?data-said=${bar.said}>${heading(bar)}</span>
      <span class="bar-facts">${(bar.facts ?? []).map((fact) => html`<span class=${fact.tone ?? nothing}>${fact.text}</span>`)}</span>
    </button>
    ${bar.act ? button(bar.act, bar.state, onOpen) : nothing}
    ${bar.entry ? html`<div class="bar-entry" data-part="entry" data-edit>${bar.entry}</div>` : foot(bar)}
  </section>`;
}

/** @param {Bar} bar */
function heading({ title, spoken, number, unit, state }) {
  const drawn = spoken
    ? html`<span class="bar-title" aria-hidden="true">${title}</span><span class="unseen">${spoken}</span>`
    : html`<b class="bar-title">${title}</b>`;
  if (!number) return drawn;
  const about = state === "estimated" ? "≈ " : "";
  return html`${drawn}<span class="bar-number"><b>${about}${number}</b> ${unit}</span>`;
}

/** @param {Act} act @param {State} state @param {() => void} onOpen */
function button({ label, run, opens = false, main = false, off = false }, state, onOpen) {
  const kind = main || (MEANT.has(state) && !opens) ? "meant" : state === "contradiction" ? "mend" : "other";
  return html`<button type="button" class="bar-act ${kind}" data-part="act" ?data-edit=${!opens} ?disabled=${off} @click=${opens ? onOpen : run}>${label}</button>`;
}

/** The split; its place stays where there is none. @param {Bar} bar */
function foot({ split: shares, state }) {
  if (shares?.length) return html`<div class="bar-split">${split(shares)}</div>`;
  return html`<div class="bar-split ${state === "computing" ? "busy" : ""}"></div>`;
}

/**
 * The bar while there is no final answer: Python is loading, the question is being computed, or it
 * failed. Null once there is an answer.
 * @param {import("../session/questions.js").Reply<unknown, unknown> | undefined} reply
 * @param {{phase: string, doing: string, stop: () => void, again: () => void}} parts `doing` describes the
 *   computation
 * @returns {Bar | null}
 */
export function isLoading(reply, { phase, doing, stop, again }) {
  const fault = reply?.state === "failed" ? reply.fault : null;
  if (fault) return refused(fault, again);
  if (reply?.state === "done" && !reply.stale) return null;
  if (phase === "failed") return { state: "waiting", title: words.phases.failed };
  if (phase !== "ready")
    return { state: "waiting", title: words.barReady, facts: [{ text: words.barEnterNow }] };
  if (!reply?.late) return { state: "computing", title: "" };
  const { progress } = reply;
  const share = progress?.total ? ` · ${Math.floor((100 * progress.done) / progress.total)} %` : "";
  return {
    state: "computing",
    title: doing,
    facts: progress ? [{ text: `${progress.note}${share}` }] : [],
    act: { label: words.stop, run: stop },
  };
}

/** @param {{kind: string, message: string}} fault @param {() => void} again @returns {Bar} */
function refused(fault, again) {
  const stopped = fault.kind === "stopped";
  const helps = stopped || fault.kind === "host";
  return {
    state: "input",
    title: stopped ? words.stopped : words.barRefused,
    facts: stopped ? [] : [{ text: fault.message }],
    act: helps ? { label: words.tryAgain, run: again } : undefined,
  };
}
