/**
 * The interface between the shell and a desk's page. A desk uses widgets and this interface, never the
 * address, storage or the worker directly.
 *
 * A desk declares its types once, in its model.ts; the others are derived from them:
 *
 *   type Desk = { position: Whole<Position>; view: View; verbs: Verbs; asked: { advise: "advise" } };
 *   type Context = import("../desk.js").Context<Desk>;
 */
import type { Binding } from "../session/keys.js";
import type { FaultFacts, Progress, Reply, Urgency } from "../session/questions.js";
import type { Bar } from "../widgets/advice-bar.js";

export type { Binding, FaultFacts, Progress, Reply, Urgency };

/** A position with all defaults filled in (validate.ts). */
export type Whole<T> = T extends object ? { [K in keyof T]-?: Whole<Exclude<T[K], undefined>> } : T;

/** The types of a desk; opaque to the shell. */
export interface AnyDesk {
  position: unknown;
  /** View state: plain JSON values, stored in this browser, not part of undo. */
  view: object;
  /** Options and results of the verbs, by name (types/, generated). */
  verbs: object;
  /** The verb of each key of `listRequests`. */
  asked: object;
}

/** Options or result of a verb. */
type Of<Verbs, W, Part extends "options" | "result"> = W extends keyof Verbs
  ? Verbs[W] extends { [P in Part]: infer X }
    ? X
    : unknown
  : unknown;

/** The result of a desk's verb. */
export type Result<D extends AnyDesk, W> = Of<D["verbs"], W, "result">;

/** A question to the package; `urgency` defaults to "soon". */
export interface Question<D extends AnyDesk = AnyDesk, W = string> {
  want: W;
  /** a position or a part of one; omitted fields have their defaults */
  position?: Partial<D["position"]>;
  options?: Of<D["verbs"], W, "options">;
  urgency?: Urgency;
}

/** The questions whose answers the drawing needs, by key. */
export type Requests<D extends AnyDesk = AnyDesk> = {
  [K in keyof D["asked"]]?: Question<D, D["asked"][K]>;
};

/** Their replies, by the same keys. */
export type Replies<D extends AnyDesk = AnyDesk> = {
  [K in keyof D["asked"]]?: Reply<
    Of<D["verbs"], D["asked"][K], "result">,
    Of<D["verbs"], D["asked"][K], "options">
  >;
};

export interface Example<P = unknown> {
  /** short title */
  title: string;
  /** the known answer that it demonstrates */
  fact: string;
  position: P;
}

/** Extras of a step: a change of the view, and an answer that is already known. */
export interface Along<D extends AnyDesk = AnyDesk> {
  view?: Partial<D["view"]>;
  /** used if `listRequests` contains the same request */
  known?: { request: Question; result: unknown };
  /** the desk's data of the step, stored with it */
  turn?: Made<D>;
}

/** A desk's data of a step: plain JSON values. */
type Made<D extends AnyDesk> = D extends { made: infer M extends object } ? M : object;

/** A step in the history. */
export interface Step<D extends AnyDesk = AnyDesk> {
  label: string;
  position: D["position"];
  turn?: Made<D>;
}

/** State and functions for a desk. */
export interface Context<D extends AnyDesk = AnyDesk> {
  /** the current position, frozen; also after an `await` */
  position: D["position"];
  view: D["view"];
  /** answers to `listRequests`, by key */
  replies: Replies<D>;
  /** Python's start */
  phase: string;
  /** An embedded, read-only board. Controls that change the position are marked `data-edit` and hidden,
   * or disabled if they are part of the board. */
  readOnly: boolean;
  /** Make a step to a new position; `label` names it. */
  commit(next: D["position"], label: string, along?: Along<D>): void;
  /** The steps from the first entry to the current one. */
  past: readonly (Step<D> & { id: string })[];
  /** Go to a step by its id and make further steps, as one change; the old path stays in the history as
   * a branch. */
  follow(id: string, steps: Step<D>[], view?: Partial<D["view"]>): void;
  /** Merge a change into the view and redraw; `then` runs after the drawing, for example to set the
   * focus. */
  set(change: Partial<D["view"]>, then?: () => void): void;
  /** One question outside `listRequests`, such as `deal`: the result, or a rejection with `FaultFacts`. */
  ask<W extends keyof D["verbs"] & string>(
    request: Question<D, W>,
    onProgress?: (progress: Progress) => void,
  ): { promise: Promise<Result<D, W>>; cancel: () => void };
  /**
   * Ask one of a long series: all workers answer the series in order when they are otherwise idle,
   * without progress reports. `text` is the option of that name as UTF-8 bytes; the result's `text`
   * comes as bytes too.
   */
  askInTurn<W extends keyof D["verbs"] & string>(
    request: Question<D, W>,
    text: Uint8Array,
  ): { promise: Promise<{ result: Result<D, W>; text: Uint8Array<ArrayBuffer> }>; cancel: () => void };
  /** Start all workers now for a long series of questions, instead of after a delay. */
  gather(): void;
  /** Stop the job behind a reply. */
  stop(key: string): void;
  /** Start it again. */
  again(key: string): void;
  /** The full link of a named position (see `named`). */
  address(name: string): string;
  /** Announce a text to screen readers (polite). */
  announce(text: string): void;
  /** Show a notice at the bottom of the page for some seconds; `undo`: with a button that takes the last
   * step back, until the player makes another step or closes it. */
  notify(text: string, undo?: "undo"): void;
  /** Show a dialog drawn by the function (see widgets/dialog.js), or close it. */
  open(dialog: null | (() => unknown)): void;
  /** Redraw after a change outside `set`. */
  redraw(): void;
}

export interface DeskPage<D extends AnyDesk = AnyDesk> {
  /** "code" */
  name: string;
  /** the starting position */
  initial(): unknown;
  /** Prepare a structurally valid position for drawing; throws an Error with a message if it cannot be
   * drawn. Rules of the game are checked by the service. */
  accept(position: D["position"]): D["position"];
  /** fields of the view that are the player's preferences: shared by all games of the desk and stored
   * as soon as they change */
  lasting?: readonly (keyof D["view"] & string)[];
  /** the game's name and how far it is ("" if there is nothing to say), for the window and for lists of games */
  title(position: D["position"]): [name: string, fact: string];
  /** the questions whose answers the drawing needs, by key; `past` as in `Context`, default [] */
  listRequests(position: D["position"], view: D["view"], past?: Context<D>["past"]): Requests<D>;
  /** the whole desk as a lit template */
  draw(context: Context<D>): unknown;
  /** content of the advice bar of a narrow screen */
  bar?(context: Context<D>): Bar;
  keys(context: Context<D>): Binding[];
  examples: Example[];
  /** Handle a text pasted or dropped outside a field; false if it is not for this desk. `last`: no desk
   * recognised it, so a desk may report a parse error. */
  paste?(text: string, context: Context<D>, last?: boolean): boolean;
  /** Handle pictures that were pasted, dropped or opened. */
  pictures?(files: File[], context: Context<D>): void;
  /** The result as sentences, from the same replies as the drawing: the text view; the first one is
   * announced after a change. */
  describe?(context: Context<D>): string[];
  /** The board as one svg template with its own viewBox, for saving as a picture; where the board is
   * a canvas, mark it `data-picture` instead. `caption`: the `title` as one line */
  picture?(context: Context<D>, caption: string): unknown;
  /** The position of a short link `#/<desk>/<name>`: a request to the package and the position in its
   * result. */
  named?(name: string): { request: Question<D>; position(result: any): D["position"] }; // any: a verb's result
  /** Whether a pasted text looks like this desk's notation; fast and strict, because all desks are
   * tried. */
  recognises?(text: string): boolean;
  /** A small picture of a position, by default of an example: an svg template with colours in
   * style/parts.css, viewBox 0 0 120 72 if the drawing has no shape of its own. */
  mini?(position?: D["position"]): unknown;
  /** the desk's question on the home page */
  asks?: string;
  /** the same puzzle without the player's work, to share */
  fresh?(position: D["position"]): unknown;
  /** a new game with the same rules; default `initial` */
  anew?(position: D["position"]): unknown;
  /** A linked position merged with this player's private data of the open one; null if it is another game. */
  resume?(kept: D["position"], linked: D["position"]): D["position"] | null;
  /** the position to share, without secrets */
  shared?(position: D["position"]): unknown;
}
