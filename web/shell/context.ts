/** The functions that the open desk may call (see desks/desk.d.ts). */

import type { Context } from "../desks/desk.js";
import { freeze } from "../session/freeze.js";
import * as link from "../session/link.js";
import type { Questions } from "../session/questions.js";
import { facts } from "../session/questions.js";
import { words } from "../strings.js";
import { say } from "../widgets/live-region.js";
import type { Actions } from "./header.js";
import type { RequestQueue } from "./requests.js";
import type { State } from "./state.js";

export interface Parts {
  engine: ReturnType<typeof import("../engine/client.js").createEngine>;
  questions: Questions;
  rounds: RequestQueue;
  redraw: () => void;
  afterDrawing: (run: () => void) => void;
  open: (draw: (() => unknown) | null) => void;
  notice: Actions["notice"];
}

const refuse = (fault: Parameters<typeof facts>[0]) => Promise.reject(facts(fault));

export function contextOf(
  state: State,
  { engine, questions, rounds, redraw, afterDrawing, open, notice }: Parts,
): Context {
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
      const job = engine.ask({ desk, ...request }, { onProgress });
      return { cancel: job.cancel, promise: job.promise.then((r) => r.result, refuse) };
    },
    askInTurn(request, text) {
      const job = engine.askInTurn({ desk, ...request, arrays: { text } });
      const promise = job.promise.then(
        ({ result, arrays }) => ({ result, text: arrays.text as Uint8Array<ArrayBuffer> }),
        refuse,
      );
      return { cancel: job.cancel, promise };
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
