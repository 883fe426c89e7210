/** The state of the page, from which everything is drawn. */
import * as link from "../session/link.js";

/**
 * @typedef {import("../desks/desk.js").DeskPage} DeskPage
 * @typedef {import("../session/history.js").History<unknown>} History
 * @typedef {() => unknown} Draw
 *
 * @typedef {object} State
 * @property {string} desk the open one, "" at home
 * @property {DeskPage | null} page
 * @property {History | null} history
 * @property {object} view the desk's own
 * @property {import("../engine/client.js").Phase} phase Python's start
 * @property {Draw | null} dialog
 * @property {{text: string, tone: string, action?: {label: string, run: () => void}} | null} notice
 * @property {string} fragment of the open position
 * @property {boolean} home the home page is open (otherwise no desk is loaded yet)
 * @property {boolean} text the text view is on
 * @property {{text: string, position: unknown} | null} said the sender's advice, and the position it came with
 * @property {string} newer a link that needs a newer build, or ""
 * @property {string} version of the package, "" until it is ready
 * @property {import("./home.js").Game[]} games of all desks for the home page, the newest first
 * @property {boolean} all the home page lists them all
 * @property {Record<string, DeskPage>} pages the loaded pages
 * @property {boolean} embed a read-only board in another page
 */

/** @returns {State} */
export function firstState() {
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
