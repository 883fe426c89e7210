/**
 * The advice bar of the open desk, the sheet with the reasons behind it, and the bar in a small window
 * that stays above the game: Document Picture-in-Picture, where the browser has it.
 *
 * The sender's advice in a link is shown as such until this page's own advice is ready, then compared with
 * it. It is text only: it has no button and is not stored.
 */

import type { Context, DeskPage } from "../desks/desk.js";
import { words } from "../strings.js";
import { html, nothing, render } from "../vendor.js";
import type { Bar } from "../widgets/advice-bar.js";
import { ADVICE, adviceBar, numberText } from "../widgets/advice-bar.js";
import { dialog } from "../widgets/dialog.js";
import type { State } from "./context.js";

/** Screens without room for the full advice next to the board: phones upright and on their side; the
 * style sheets have the same sizes. */
export const narrow = matchMedia("(max-width: 760px), (max-width: 1000px) and (max-height: 499px)");

/** @param context the current state; the sheet is redrawn with every answer */
export function adviceFoot(
  page: DeskPage,
  context: () => Context,
  open: (draw: (() => unknown) | null) => void,
  sender: ReturnType<typeof senderAdvice>,
) {
  const bar = narrow.matches ? page.bar?.(context()) : null;
  if (!bar) return nothing;
  return adviceBar(withSender(bar, sender), {
    label: words.advice,
    open: words.adviceOpen,
    onOpen: () => open(() => sheet(page, context, open)),
  });
}

/** Closes the sheet after an input in it, which changes the board. */
function sheet(page: DeskPage, context: () => Context, open: (draw: (() => unknown) | null) => void) {
  const done = (event: MouseEvent) =>
    (event.target as Element).closest("[data-edit] button, button[data-edit]") && open(null);
  return dialog({
    title: words.advice,
    onClose: () => open(null),
    body: html`<div class=${`${page.name}-desk sheet`} @click=${done}>${page.bar?.(context()).sheet?.() ?? nothing}</div>`,
  });
}

/** Bar states that are sent with a link; other advice is obvious from the position. */
const SENT = new Set(["advice", "equal", "estimated", "certain"]);

/**
 * The best action and its number in a line, "0203 · 3.36 bits"; "" if the bar has no final advice.
 * @param waiting whether a question is still open
 */
export function adviceText(bar: Bar | null | undefined, waiting: boolean) {
  if (!bar || waiting || !SENT.has(bar.state)) return "";
  const action = bar.plain ?? bar.spoken ?? (typeof bar.title === "string" ? bar.title : "");
  const whole = [action, numberText(bar)].filter(Boolean).join(" · ");
  return [...whole].length <= 60 ? whole : action;
}

/**
 * The sender's advice for the open position: `text` and a `verdict`, "waiting" while this page computes,
 * "unchecked" if it does not, "same" or "other" once its own advice is final; `own`: that advice is shown
 * instead of the sender's. Null if the link has none or the position has changed.
 */
export function senderAdvice(
  { said, history, phase }: State,
  bar: Bar | null | undefined,
  waiting: boolean,
): { text: string; verdict: "waiting" | "unchecked" | "same" | "other"; own: boolean } | null {
  if (!said || said.position !== history?.position) return null;
  const { text } = said;
  const own = bar !== null && bar !== undefined && ADVICE.has(bar.state);
  if (own && !waiting) return { text, own, verdict: alike(adviceText(bar, false), text) ? "same" : "other" };
  const computing = waiting || (phase.name !== "ready" && phase.name !== "failed");
  return { text, own, verdict: computing ? "waiting" : "unchecked" };
}

/** Older versions wrote the action in small letters with a comma. */
const alike = (a: string, b: string) => a.toLowerCase() === b.toLowerCase().replace(", ·", " ·");

/** The line above the board on a wide screen; it keeps its place, so that the board does not move. */
export function senderLine(found: ReturnType<typeof senderAdvice>) {
  if (!found) return nothing;
  return html`<p class="sender-line" data-said=${found.verdict}>${words.senderSaid} <b>${found.text}</b>. ${words.senderVerdict[found.verdict]}</p>`;
}

/** The bar of a narrow screen, with the sender's advice instead of a waiting text. */
function withSender(bar: Bar, found: ReturnType<typeof senderAdvice>): Bar {
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

/** The text for the live region. */
export function senderSpoken(found: ReturnType<typeof senderAdvice>) {
  if (!found) return "";
  if (found.verdict === "same" || found.verdict === "other") return words.senderVerdict[found.verdict];
  return `${words.senderSaid} ${found.text}. ${words.senderVerdict[found.verdict]}`;
}

/** Document Picture-in-Picture */
interface Api {
  requestWindow(size: { width: number; height: number }): Promise<Window>;
}
const SIZE = { width: 320, height: 190 };

let shown: Window | null = null;

const api = () => (globalThis as { documentPictureInPicture?: Api }).documentPictureInPicture;

export const canOpenSmallWindow = () => api() !== undefined;

/** Opens the window with the page's style sheets, or closes an open one. @param onKey the page's keys */
export async function toggleSmallWindow(onKey: (event: KeyboardEvent) => void, redraw: () => void) {
  if (shown) {
    shown.close();
    return;
  }
  const opened = await api()?.requestWindow(SIZE);
  if (!opened) return;
  const { document: inside } = opened;
  inside.documentElement.lang = document.documentElement.lang;
  inside.title = words.name;
  for (const name of ["theme", "palette"]) {
    const value = document.documentElement.dataset[name];
    if (value) inside.documentElement.dataset[name] = value;
  }
  inside.documentElement.dataset.small = "";
  for (const sheet of document.querySelectorAll<HTMLLinkElement>("link[rel=stylesheet]")) {
    const copy = inside.createElement("link");
    Object.assign(copy, { rel: "stylesheet", href: sheet.href, media: sheet.media });
    inside.head.append(copy);
  }
  opened.addEventListener("keydown", onKey);
  opened.addEventListener("pagehide", () => {
    shown = null;
  });
  shown = opened;
  redraw();
}

/** Draws the bar of the open desk in the window, if it is open. Its line brings the page to the front. */
export function drawSmallWindow(page: DeskPage | null, context: () => Context) {
  if (!shown) return;
  const bar = page?.bar?.(context());
  const content = bar
    ? adviceBar(bar, { label: words.advice, open: words.adviceOpen, onOpen: () => window.focus() })
    : html`<p class="waiting">${words.smallEmpty}</p>`;
  render(html`<div id="desk" data-desk=${page?.name ?? ""}>${content}</div>`, shown.document.body);
}
