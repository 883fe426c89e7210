/** Everything the page shows follows from this one state; its fields next to their first values. */
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
 * @property {import("../engine/client.js").Phase} phase where Python stands
 * @property {Draw | null} dialog
 * @property {{text: string, tone: string, action?: {label: string, run: () => void}} | null} notice
 * @property {string} fragment of the open position
 * @property {boolean} home the home page is what is open, not merely no desk yet
 * @property {boolean} text the result is shown in sentences as well
 * @property {{text: string, position: unknown} | null} said the sender's advice, and the position it came with
 * @property {string} newer a link that needs a newer build, "" where none was opened
 * @property {string} version of the package that answers, "" until it does
 * @property {string} last the desk that was open last
 * @property {Record<string, DeskPage>} pages those that have been fetched
 * @property {boolean} embed a board in another page, only looked at
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
    last: "",
    pages: {},
    embed: link.query("embed") === "1",
  };
}
