/** Draws the page from the state, at most once per animation frame. */
import * as link from "../session/link.js";
import { words } from "../strings.js";
import { html, nothing, render } from "../vendor.js";
import { adviceFoot, narrow } from "./advice.js";
import { holdFocus } from "./focus.js";
import * as frame from "./header.js";
import { branchBanner } from "./history-panel.js";
import { home } from "./home.js";
import { senderAdvice, senderLine } from "./sender-note.js";

/**
 * @typedef {import("./state.js").State} State
 *
 * @typedef {object} Parts
 * @property {import("./header.js").Actions} actions
 * @property {() => import("../desks/desk.js").Context} context
 * @property {{settle: () => void, retreat: (problem: unknown) => void}} rounds
 * @property {Pick<import("./home.js").Parts, "onText" | "onExample" | "onFiles" | "onGame" | "onAll">} atHome
 */

export class Screen {
  #state;
  #parts;
  #due = false;
  /** Callbacks after the next drawing, for example to set the focus. @type {(() => void)[]} */
  #after = [];

  /** @param {State} state @param {() => Parts} parts the parts to draw with, once they exist */
  constructor(state, parts) {
    this.#state = state;
    this.#parts = parts;
  }

  /** @param {() => void} run */
  afterDrawing(run) {
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
    const parts = this.#parts();
    const keepFocus = holdFocus(document);
    parts.rounds.settle(); // draw with the current questions
    render(frame.top(state, parts.actions), element("top"));
    render(frame.bottom(state), element("bottom"));
    render(frame.layer(state, parts.actions), element("layer"));
    this.#drawDesk(parts);
    for (const run of this.#after.splice(0)) run();
    keepFocus();
  }

  /** @param {Parts} parts */
  #drawDesk({ rounds, atHome: hands, ...parts }) {
    const { desk, page, pages, history, games, all, home: atHome } = this.#state;
    const place = element("desk");
    if (!atHome && !page) return; // still loading
    document.getElementById("laying")?.remove();
    if (!page || !history) {
      place.dataset.desk = "";
      document.title = words.name;
      render(home({ pages, games, all, narrow: narrow.matches, ...hands }), place);
      return;
    }
    place.dataset.desk = desk;
    try {
      document.title = `${page.title(history.position)} · ${words.name}`;
      render(deskIn(this.#state, page, parts), place);
      place.dataset.answers = isAsked(parts.context()) ? "behind" : "current";
    } catch (problem) {
      console.error(problem);
      rounds.retreat(problem);
    }
  }
}

/** Whether a question is waiting for its answer. @param {import("../desks/desk.js").Context} context */
export const isAsked = ({ replies }) =>
  /** @type {import("../session/questions.js").Reply<unknown>[]} */ (Object.values(replies)).some(
    (reply) => reply.state === "waiting",
  );

/** @param {State} state @param {import("./state.js").DeskPage} page @param {Pick<Parts, "actions" | "context">} parts */
function deskIn(state, page, { actions, context }) {
  const { history, text, embed } = state;
  const now = context();
  const sender = state.said && senderAdvice(state, page.bar?.(now), isAsked(now));
  const lines = text ? (page.describe?.(now) ?? []) : null;
  return html`${narrow.matches ? nothing : senderLine(sender)}${branchBanner(history, actions)}${lines ? frame.textView(lines) : nothing}${page.draw(now)}${adviceFoot(page, context, actions.open, sender)}${embed ? frame.embedFoot(link.address(link.current())) : nothing}`;
}

/** @param {string} id */
export function element(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no #${id}`);
  return found;
}
