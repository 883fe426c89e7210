/**
 * The advice bar at the foot of a narrow screen, the same on every desk: what to do next in a line,
 * the button that does it, and under it the split or the keys for what came. Its height is one and
 * the same in every state, so that no board jumps. Wide screens show the whole advice instead.
 *
 * @typedef {"computing" | "advice" | "equal" | "estimated" | "certain" | "input" | "contradiction"
 *   | "finished" | "waiting"} State `waiting`: Python is still coming; `input`: something is asked
 *
 * @typedef {object} Act
 * @property {string} label
 * @property {() => void} run
 * @property {boolean} [off] it cannot be pressed now
 *
 * @typedef {object} Bar what a desk says in its bar
 * @property {State} state
 * @property {unknown} title the question as the game draws it, or a few words
 * @property {string} [spoken] the title in words, where it is drawn
 * @property {string} [plain] the title as text to be sent with a link, where it is drawn; `spoken` where it is not given
 * @property {boolean} [said] the title is the sender's advice, not this page's
 * @property {string} [number] "3.36"
 * @property {string} [unit] "bits"
 * @property {{text: string, tone?: "good" | "fine" | "warn" | "risk"}[]} [facts] two or three
 * @property {number[]} [split] share of every answer, largest first
 * @property {Act} [act] the next step; at most one
 * @property {unknown} [entry] keys for what came, in place of the split
 * @property {boolean} [many] keys in two lines, which take the place of what is said as well
 * @property {() => unknown} [sheet] the whole advice with its reasons; opened by pressing the line or drawing it up
 */

import { words } from "../strings.js";
import { html, nothing } from "../vendor.js";
import { bar as split } from "./advice.js";
import { stroked } from "./stroke.js";

/** States in which the button is the one blue press of the screen; red mends a contradiction. */
const MEANT = new Set(["advice", "equal", "estimated", "certain"]);

/**
 * @param {Bar} bar
 * @param {{label: string, open: string, onOpen: () => void}} parts `label` names the bar, `open` says what
 *   pressing its line does
 */
export function adviceBar(bar, { label, open, onOpen }) {
  const { start, move } = stroked("up", () => bar.sheet && onOpen());
  return html`<section class="advice-bar" data-part="advice"
    data-state=${bar.state} ?data-many=${bar.many} aria-label=${label} @pointerdown=${start} @pointermove=${move}>
    <button type="button" class="bar-line" aria-haspopup="dialog" ?disabled=${!bar.sheet} title=${bar.sheet ? open : nothing} @click=${onOpen}>
      <span class="bar-head" ?data-said=${bar.said}>${heading(bar)}</span>
      <span class="bar-facts">${(bar.facts ?? []).map((fact) => html`<span class=${fact.tone ?? nothing}>${fact.text}</span>`)}</span>
    </button>
    ${bar.act ? button(bar.act, bar.state) : nothing}
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

/** @param {Act} act @param {State} state */
function button({ label, run, off = false }, state) {
  const kind = MEANT.has(state) ? "meant" : state === "contradiction" ? "mend" : "other";
  return html`<button type="button" class="bar-act ${kind}" data-part="act" data-edit ?disabled=${off} @click=${run}>${label}</button>`;
}

/** The split; its place stays where there is none. @param {Bar} bar */
function foot({ split: shares, state }) {
  if (shares?.length) return html`<div class="bar-split">${split(shares)}</div>`;
  return html`<div class="bar-split ${state === "computing" ? "busy" : ""}"></div>`;
}

/**
 * What the bar says while there is no settled answer: Python is coming, the question is being
 * worked out, or it was refused. Null once the answer is there.
 * @param {import("../session/questions.js").Reply<unknown, unknown> | undefined} reply
 * @param {{phase: string, doing: string, stop: () => void, again: () => void}} parts `doing` says what takes
 *   so long
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
