/** Draws the page from the state, at most once per animation frame. */

import type { Context } from "../desks/desk.js";
import * as link from "../session/link.js";
import type { Reply } from "../session/questions.js";
import { words } from "../strings.js";
import { html, nothing, render } from "../vendor.js";
import { adviceFoot, drawSmallWindow, narrow, senderAdvice, senderLine } from "./advice.js";
import type { DeskPage, Shell, State } from "./context.js";
import * as frame from "./header.js";
import { branchBanner } from "./history-panel.js";
import { home, titleText } from "./home.js";

export class Screen {
  #state;
  #shell;
  #due = false;
  /** Callbacks after the next drawing, for example to set the focus. */
  #after: (() => void)[] = [];

  constructor(state: State, shell: Shell) {
    this.#state = state;
    this.#shell = shell;
  }

  afterDrawing(run: () => void) {
    this.#after.push(run);
  }

  redraw() {
    if (this.#due) return;
    this.#due = true;
    queueMicrotask(() => {
      this.#due = false;
      this.#draw();
    });
  }

  #draw() {
    const state = this.#state;
    const { updates, actions, context } = this.#shell;
    const keepFocus = holdFocus(document);
    updates.settle(); // draw with the current questions
    render(frame.top(state, actions), element("top"));
    render(frame.bottom(state), element("bottom"));
    render(frame.layer(state, actions), element("layer"));
    this.#drawDesk();
    drawSmallWindow(state.page, context);
    for (const run of this.#after.splice(0)) run();
    keepFocus();
  }

  #drawDesk() {
    const { desk, page, history, home: atHome } = this.#state;
    const place = element("desk");
    if (!atHome && !page) return; // still loading
    document.getElementById("laying")?.remove();
    if (!page || !history) {
      place.dataset.desk = "";
      document.title = words.name;
      render(home(this.#state, this.#shell, narrow.matches), place);
      return;
    }
    place.dataset.desk = desk;
    try {
      document.title = `${titleText(page, history.position)} · ${words.name}`;
      render(deskIn(this.#state, page, this.#shell), place);
      place.dataset.answers = isAsked(this.#shell.context()) ? "behind" : "current";
    } catch (problem) {
      console.error(problem);
      this.#shell.updates.retreat(problem);
    }
  }
}

/** Whether a question is waiting for its answer. */
export const isAsked = ({ replies }: Context) =>
  (Object.values(replies) as Reply<unknown>[]).some((reply) => reply.state === "waiting");

function deskIn(state: State, page: DeskPage, { actions, context }: Shell) {
  const { history, text, embed } = state;
  const now = context();
  const sender = state.said && senderAdvice(state, page.bar?.(now), isAsked(now));
  const lines = text ? (page.describe?.(now) ?? []) : null;
  return html`${narrow.matches ? nothing : senderLine(sender)}${branchBanner(history, actions)}${lines ? frame.textView(lines) : nothing}${page.draw(now)}${adviceFoot(page, context, actions.open, sender)}${embed ? frame.embedFoot(link.address(link.current())) : nothing}`;
}

export function element(id: string) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no #${id}`);
  return found;
}

/*
 * Keeps the keyboard focus on the page when a drawing removes or disables the focused element.
 *
 * The browser would move it to the body, and a screen reader would restart at the top. Here it moves to
 * the section around the element, and to the next button with the same `data-part` once that is drawn
 * (a hint's next level appears only with its answer).
 */
const SECTIONS = "section, header, nav, main, [role=group], [role=region], [role=grid]";

/** The section that has the focus, and the `data-part` of the removed element. */
let waiting: { place: HTMLElement; part: string } | null = null;

/** Records the focused element before a drawing; call the returned function after it. */
function holdFocus(page: Document): () => void {
  const focused = page.activeElement as HTMLElement | null;
  const outside = !focused || focused === page.body || focused.closest("dialog"); // dialogs manage their focus
  const around = outside ? [] : ancestors(focused);
  return () => {
    if (!outside && isLost(focused) && (page.activeElement === page.body || page.activeElement === focused)) {
      const place = around.find((one) => one.isConnected && one.matches(SECTIONS));
      if (place) {
        waiting = { place, part: focused.dataset?.part ?? "" };
        focusPlace(place, { preventScroll: true });
      }
    }
    focusReplacement(page);
  };
}

/** Focuses an element that may not be focusable by itself. */
export function focusPlace(place: HTMLElement, options?: FocusOptions) {
  if (!place.hasAttribute("tabindex")) place.setAttribute("tabindex", "-1");
  place.focus(options);
}

/** Moves the focus to the target of a skip link; the address keeps the position. */
export function followSkipLink(event: MouseEvent) {
  const to = (event.target as HTMLElement | null)?.dataset?.to;
  if (!to) return;
  event.preventDefault();
  const places = to.split("|").map((one) => document.querySelector<HTMLElement>(one));
  const place = places.find(Boolean);
  if (place) focusPlace(place);
}

const isLost = (focused: HTMLElement) => !focused.isConnected || focused.matches(":disabled");

function ancestors(element: HTMLElement): HTMLElement[] {
  const found = [];
  for (let next = element.parentElement; next; next = next.parentElement) found.push(next);
  return found;
}

/** Moves the focus to the button that replaces the removed one. */
function focusReplacement(page: Document) {
  if (waiting?.part && page.activeElement === waiting.place) {
    const next = waiting.place.querySelector(`[data-part="${waiting.part}"]:not(:disabled)`);
    if (!next) return;
    (next as HTMLElement).focus({ preventScroll: true });
  }
  waiting = null;
}
