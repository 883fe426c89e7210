/**
 * What every desk's page is to the shell. A desk knows widgets and this shape; it never touches
 * the address, storage or the worker.
 *
 * A desk says its types once, in its model.js, and everything it is handed follows from them:
 *
 *   @typedef {{position: Whole<Position>, view: View, verbs: Verbs, asked: {advise: "advise"}}} Desk
 *   @typedef {import("../desk.js").Context<Desk>} Context
 */
import type { Binding } from "../session/keys.js";
import type { FaultFacts, Progress, Reply } from "../session/questions.js";
import type { Bar } from "../widgets/advice-bar.js";

export type { Binding, FaultFacts, Progress, Reply };

/** A position as the page has it, with every default filled in (validate.js). */
export type Whole<T> = T extends object ? { [K in keyof T]-?: Whole<Exclude<T[K], undefined>> } : T;

/** What a desk's page is made of; the shell looks into none of it. */
export interface AnyDesk {
  position: unknown;
  /** View state: plain JSON values, kept in this browser, not undone. */
  view: object;
  /** What the package answers, by the verb's name (types/, generated). */
  verbs: object;
  /** The verb that each key of `wants` asks. */
  asked: object;
}

/** What a verb takes and gives. */
type Of<Verbs, W, Part extends "options" | "result"> = W extends keyof Verbs
  ? Verbs[W] extends { [P in Part]: infer X } ? X : unknown
  : unknown;

/** What a verb of a desk gives. */
export type Result<D extends AnyDesk, W> = Of<D["verbs"], W, "result">;

/** When a question is taken up: at once, after those, or when nothing else is asked. */
export type Urgency = "first" | "soon" | "last";

/** A question to the package; `urgency` "soon" where it says nothing. */
export interface Question<D extends AnyDesk = AnyDesk, W = string> {
  want: W;
  /** or a part of one: what is left out has its default */
  position?: Partial<D["position"]>;
  options?: Of<D["verbs"], W, "options">;
  urgency?: Urgency;
  /** For `ask` alone: one of many that hang together. All workers answer them, after those asked so
   * before, and when nothing else is asked; nothing is reported of how far it is. */
  inTurn?: boolean;
}

/** What the drawing needs to know now, by key. */
export type Wanted<D extends AnyDesk = AnyDesk> = {
  [K in keyof D["asked"]]?: Question<D, D["asked"][K]>;
};

/** What has come back of it, by the same keys. */
export type Replies<D extends AnyDesk = AnyDesk> = {
  [K in keyof D["asked"]]?: Reply<
    Of<D["verbs"], D["asked"][K], "result">,
    Of<D["verbs"], D["asked"][K], "options">
  >;
};

export interface Example<P = unknown> {
  /** what it is, in a few words */
  title: string;
  /** the known answer it shows */
  fact: string;
  position: P;
}

/** What goes with a step: a change of the view, and an answer that came along and need not be asked. */
export interface Along<D extends AnyDesk = AnyDesk> {
  view?: Partial<D["view"]>;
  /** counts if `wants` asks it word for word */
  known?: { request: Question; result: unknown };
  /** what the step was made of, kept with it */
  turn?: Made<D>;
}

/** What a desk says of how a step was made: plain JSON values. */
type Made<D extends AnyDesk> = D extends { made: infer M extends object } ? M : object;

/** A step of the game as the history keeps it. */
export interface Step<D extends AnyDesk = AnyDesk> {
  label: string;
  position: D["position"];
  turn?: Made<D>;
}

/** The desk's hands: everything it may do besides drawing. */
export interface Context<D extends AnyDesk = AnyDesk> {
  /** the present position; frozen, make a new one to change it */
  position: D["position"];
  view: D["view"];
  /** answers to `wants`, by key */
  replies: Replies<D>;
  /** where Python stands */
  phase: string;
  /** An embedded board: looked at only. What changes the position is marked `data-edit` and not
   * shown there, or disabled where it is part of the board. */
  readOnly: boolean;
  /** The next position, and the view that goes with it; the label names the step. */
  commit(next: D["position"], label: string, along?: Along<D>): void;
  /** The steps from the beginning to the present one, which is the last. */
  past: readonly (Step<D> & { id: string })[];
  /** Go to a step of the game by its id and on from there, as one change; the way gone before stays in
   * the history as a branch. */
  follow(id: string, steps: Step<D>[], view?: Partial<D["view"]>): void;
  /** Change view state (merged) and draw again; `then` runs when that is drawn, to focus or to show a
   * part that was not there before. */
  set(change: Partial<D["view"]>, then?: () => void): void;
  /** One question outside `wants`, such as `deal`: the result, or a rejection with `FaultFacts`. */
  ask<W extends keyof D["verbs"] & string>(
    request: Question<D, W>,
    onProgress?: (progress: Progress) => void,
  ): { promise: Promise<Result<D, W>>; cancel: () => void };
  /** Have all workers ready for a long row of questions `inTurn`, which would else call them when it
   * has taken a while. */
  gather(): void;
  /** Stop the job behind a reply. */
  stop(key: string): void;
  /** Start it anew. */
  again(key: string): void;
  /** The whole link of a position that `named` knows by that name. */
  address(name: string): string;
  /** Speak a change to screen readers, politely. */
  say(text: string): void;
  /** Show a short notice at the foot of the page. */
  tell(text: string): void;
  /** Show a dialog drawn by the function (see widgets/dialog.js), or close it. */
  open(dialog: null | (() => unknown)): void;
  /** Draw again, after a change that `set` did not see. */
  redraw(): void;
}

export interface DeskPage<D extends AnyDesk = AnyDesk> {
  /** "code" */
  name: string;
  /** the position to begin with */
  initial(): unknown;
  /** A position that has its shape and its defaults, as the drawing needs it; throws an Error with a
   * sentence if it could not be drawn (what is merely illegal is the service's business). */
  accept(position: D["position"]): D["position"];
  /** fields of the view that belong to the player, not to one game: they go along to every game of
   * the desk and are kept as soon as they change */
  lasting?: readonly (keyof D["view"] & string)[];
  /** for the window and for lists of saved positions */
  title(position: D["position"]): string;
  /** the questions whose answers the drawing needs now, by key */
  wants(position: D["position"], view: D["view"]): Wanted<D>;
  /** the whole desk as a lit template */
  draw(context: Context<D>): unknown;
  /** what stands in the bar at the foot of a narrow screen: the next step, and its state */
  bar?(context: Context<D>): Bar;
  keys(context: Context<D>): Binding[];
  examples: Example[];
  /** Take a text pasted or dropped outside any field; false if it is not for this desk. `last`: no
   * desk knows it, and a desk that says what it could not read may try. */
  paste?(text: string, context: Context<D>, last?: boolean): boolean;
  /** Take pictures pasted, dropped or opened anywhere, if the desk reads them. */
  pictures?(files: File[], context: Context<D>): void;
  /** The whole result in sentences, from the same replies as the drawing: the text view, and what is
   * spoken after a change (the first one). */
  describe?(context: Context<D>): string[];
  /** The board as one svg template with its own viewBox, for saving as a picture; where the board is
   * a canvas, mark it `data-picture` instead. */
  picture?(context: Context<D>): unknown;
  /** What a short link `#/<desk>/<name>` opens: what is asked of the package, and the position out of the
   * answer. */
  named?(name: string): { request: Question<D>; position(result: any): D["position"] }; // any: a verb's result
  /** Whether a pasted text looks like this desk's own notation; cheap and strict, since every desk is
   * asked. */
  recognises?(text: string): boolean;
  /** A small picture of a real position for the home page: an svg template, viewBox 0 0 120 72, its
   * colours in style/pictures.css. */
  mini?(): unknown;
  /** what a player comes with, in the player's words */
  asks?: string;
  /** the same puzzle without the player's work, to share */
  fresh?(position: D["position"]): unknown;
  /** a new game under the same rules; `initial` where it is not said */
  anew?(position: D["position"]): unknown;
  /** A position from a link with what this player alone knows of the open one; null if it is another game. */
  resume?(kept: D["position"], linked: D["position"]): D["position"] | null;
  /** the position to share, where a secret stays at home */
  shared?(position: D["position"]): unknown;
}
