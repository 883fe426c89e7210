/** The functions that the open desk may call (see desks/desk.d.ts). */

import { freeze } from "../session/freeze.js";
import * as link from "../session/link.js";
import { facts } from "../session/questions.js";
import { words } from "../strings.js";
import { say } from "../widgets/live-region.js";

/**
 * @typedef {import("./state.js").State} State
 * @typedef {import("../desks/desk.js").Context} Context
 *
 * @typedef {object} Parts
 * @property {ReturnType<typeof import("../engine/client.js").createEngine>} engine
 * @property {import("../session/questions.js").Questions} questions
 * @property {import("./requests.js").RequestQueue} rounds
 * @property {() => void} redraw
 * @property {(run: () => void) => void} afterDrawing
 * @property {(draw: (() => unknown) | null) => void} open
 * @property {import("./header.js").Actions["notice"]} notice
 */

/** @param {State} state @param {Parts} parts @returns {Context} */
export function contextOf(state, { engine, questions, rounds, redraw, afterDrawing, open, notice }) {
  const { page, history, desk } = state;
  if (!page || !history) throw new Error("no desk is open");
  return {
    position: history.position,
    view: state.view,
    replies: questions.replies,
    phase: state.phase.name,
    readOnly: state.embed,
    past: history.path.slice(0, history.index + 1),
    commit(next, label, { view, known, turn } = {}) {
      if (state.embed) return say(words.readOnly);
      // A late answer becomes a step after the current entry, or is ignored.
      if (state.desk !== desk || !state.history) return undefined;
      state.history = state.history.after(freeze(next), label, turn);
      if (view) state.view = { ...state.view, ...view };
      return rounds.changed(known);
    },
    follow(id, steps, view) {
      if (state.embed) return say(words.readOnly);
      if (state.desk !== desk || !state.history) return undefined;
      let way = state.history.to(id);
      for (const { position, label, turn } of steps) way = way.after(freeze(position), label, turn);
      state.history = way;
      if (view) state.view = { ...state.view, ...view };
      return rounds.changed();
    },
    set(change, then) {
      if (state.desk !== desk) return;
      state.view = { ...state.view, ...change };
      if (then) afterDrawing(then);
      rounds.changed();
    },
    ask(request, onProgress) {
      const { inTurn, ...rest } = request;
      const question = { desk, ...rest };
      const job = inTurn ? engine.askInTurn(question) : engine.ask(question, { onProgress });
      return {
        cancel: job.cancel,
        promise: job.promise.then(
          (r) => r.result,
          (fault) => Promise.reject(facts(fault)),
        ),
      };
    },
    gather: () => engine.gather(),
    stop: (key) => questions.stop(key),
    again: (key) => questions.again(key),
    address: (name) => link.address(link.named(desk, name)),
    say,
    tell: (text) => notice(text, ""),
    open: (draw) => !state.embed && open(draw),
    redraw,
  };
}
