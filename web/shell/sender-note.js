/**
 * The advice that the sender's page gave, shown with its origin until this page's own advice is there,
 * and then whether the two agree. It is text only: no button acts on it and no history keeps it.
 */

import { words } from "../strings.js";
import { html, nothing } from "../vendor.js";

/** @typedef {import("./state.js").State} State */
/** @typedef {import("../widgets/advice-bar.js").Bar} Bar */

/** States of the bar in which the desk gives its own advice. */
const OWN = new Set(["advice", "equal", "estimated", "certain", "contradiction", "finished"]);
/** Of these, those that are worth sending: the others follow from the position at a glance. */
const SENT = new Set(["advice", "equal", "estimated", "certain"]);

/**
 * The best action and its number in a line, "0203 · 3.36 bits"; "" where the bar has no settled advice.
 * @param {Bar | null | undefined} bar @param {boolean} waiting whether some question is not answered yet
 */
export function adviceText(bar, waiting) {
  if (!bar || waiting || !SENT.has(bar.state)) return "";
  const action = bar.plain ?? bar.spoken ?? (typeof bar.title === "string" ? bar.title : "");
  const about = bar.state === "estimated" ? "≈ " : "";
  const number = bar.number ? `${about}${bar.number} ${bar.unit ?? ""}`.trim() : "";
  const whole = [action, number].filter(Boolean).join(" · ");
  return [...whole].length <= 60 ? whole : action;
}

/**
 * What is known of the sender's advice for the open position: `text` and a `verdict`, "waiting" while this
 * page computes, "unchecked" where it does not, "same" or "other" once its own advice has settled; `own` where
 * that advice is shown in place of the sender's. Null where the link had none or the position has changed.
 * @param {State} state @param {Bar | null | undefined} bar @param {boolean} waiting
 * @returns {{text: string, verdict: "waiting" | "unchecked" | "same" | "other", own: boolean} | null}
 */
export function senderAdvice({ said, history, phase }, bar, waiting) {
  if (!said || said.position !== history?.position) return null;
  const { text } = said;
  const own = bar !== null && bar !== undefined && OWN.has(bar.state);
  if (own && !waiting) return { text, own, verdict: adviceText(bar, false) === text ? "same" : "other" };
  const computing = waiting || (phase.name !== "ready" && phase.name !== "failed");
  return { text, own, verdict: computing ? "waiting" : "unchecked" };
}

/** The line over the board of a wide screen; it stays, so that the board does not move. @param {ReturnType<typeof senderAdvice>} found */
export function senderLine(found) {
  if (!found) return nothing;
  return html`<p class="sender-line" data-said=${found.verdict}>${words.senderSaid} <b>${found.text}</b>. ${words.senderVerdict[found.verdict]}</p>`;
}

/** The bar of a narrow screen with the sender's advice in place of a text that says to wait. @param {Bar} bar @param {ReturnType<typeof senderAdvice>} found @returns {Bar} */
export function withSender(bar, found) {
  if (!found || found.verdict === "same") return bar;
  if (found.own)
    return found.verdict === "other"
      ? { ...bar, facts: [{ text: words.senderVerdict.other, tone: "warn" }, ...(bar.facts ?? [])] }
      : bar;
  return {
    ...bar,
    title: found.text,
    spoken: undefined,
    said: true,
    facts: [{ text: words.senderShort[found.verdict] }],
  };
}

/** The same for the live region. @param {ReturnType<typeof senderAdvice>} found */
export function senderSpoken(found) {
  if (!found) return "";
  if (found.verdict === "same" || found.verdict === "other") return words.senderVerdict[found.verdict];
  return `${words.senderSaid} ${found.text}. ${words.senderVerdict[found.verdict]}`;
}
