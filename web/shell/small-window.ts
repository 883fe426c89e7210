/**
 * The advice bar in a small window that stays above the game: Document Picture-in-Picture, where the
 * browser has it. The window has the page's style sheets and takes the page's keys.
 */

import type { DeskPage } from "../desks/desk.js";
import { words } from "../strings.js";
import { html, render } from "../vendor.js";
import { adviceBar } from "../widgets/advice-bar.js";

interface Api {
  requestWindow(size: { width: number; height: number }): Promise<Window>;
}
const SIZE = { width: 320, height: 190 };

let shown: Window | null = null;

const api = () => (globalThis as { documentPictureInPicture?: Api }).documentPictureInPicture;

export const canOpenSmallWindow = () => api() !== undefined;

/** Open the window, or close an open one. @param onKey the page's keys */
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

/** Draw the bar of the open desk in the window, if it is open. Its line brings the page to the front. */
export function drawSmallWindow(
  page: DeskPage | null,
  context: () => Parameters<NonNullable<DeskPage["bar"]>>[0],
) {
  if (!shown) return;
  const bar = page?.bar?.(context());
  const content = bar
    ? adviceBar(bar, { label: words.advice, open: words.adviceOpen, onOpen: () => window.focus() })
    : html`<p class="waiting">${words.smallEmpty}</p>`;
  render(html`<div id="desk" data-desk=${page?.name ?? ""}>${content}</div>`, shown.document.body);
}
