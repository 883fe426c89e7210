/** The state of the page, from which everything is drawn. */

import type { DeskPage } from "../desks/desk.js";
import type { Phase } from "../engine/client.js";
import * as link from "../session/link.js";
import type { Game } from "./home.js";

export type { DeskPage };
export type History = import("../session/history.js").History<unknown>;
export type Draw = () => unknown;
export interface State {
  /** the open one, "" at home */
  desk: string;
  page: DeskPage | null;
  history: History | null;
  /** the desk's own */
  view: object;
  /** Python's start */
  phase: Phase;
  dialog: Draw | null;
  notice: { text: string; tone: string; action?: { label: string; run: () => void } } | null;
  /** of the open position */
  fragment: string;
  /** the home page is open (otherwise no desk is loaded yet) */
  home: boolean;
  /** the text view is on */
  text: boolean;
  /** the sender's advice, and the position it came with */
  said: { text: string; position: unknown } | null;
  /** a link that needs a newer build, or "" */
  newer: string;
  /** of the package, "" until it is ready */
  version: string;
  /** of all desks for the home page, the newest first */
  games: Game[];
  /** the home page lists them all */
  all: boolean;
  /** the loaded pages */
  pages: Record<string, DeskPage>;
  /** a read-only board in another page */
  embed: boolean;
}

export function firstState(): State {
  return {
    desk: "",
    page: null,
    history: null,
    view: {},
    phase: { name: "loading", message: "", done: 0, total: 0 }, // no byte is asked for yet
    dialog: null,
    notice: null,
    fragment: "",
    home: false,
    text: false,
    said: null,
    newer: "",
    version: "",
    games: [],
    all: false,
    pages: {},
    embed: link.query("embed") === "1",
  };
}
