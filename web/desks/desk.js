/**
 * What every desk's page is to the shell. A desk knows widgets and this shape; it never touches
 * the address, storage or the worker.
 *
 * @typedef {import("../session/questions.js").Request} Request
 * @typedef {import("../session/questions.js").Reply} Reply
 * @typedef {import("../session/questions.js").Progress} Progress
 * @typedef {import("../session/keys.js").Binding} Binding
 *
 * @typedef {object} Example
 * @property {string} title what it is, in a few words
 * @property {string} fact the known answer it shows
 * @property {any} position
 *
 * The desk's hands: everything it may do besides drawing.
 * @typedef {object} Context
 * @property {any} position the present position; frozen, make a new one to change it
 * @property {any} view the desk's view state: plain JSON values, kept in this browser, not undone
 * @property {Record<string, Reply>} replies answers to `wants`, by key
 * @property {string} phase "loading" | "starting" | "ready" | "failed": where Python stands
 * @property {boolean} readOnly an embedded board: looked at only. What changes the position is
 *   marked `data-edit` and not shown there, or disabled where it is part of the board
 * @property {(next: any, label: string, known?: {request: Omit<Request, "desk">, result: any}) =>
 *   void} commit the next position; the label names the step, `known` is an answer that came along
 *   and need not be asked for, if `wants` asks it word for word
 * @property {(change: any, then?: () => void) => void} set change view state (merged) and draw again;
 *   `then` runs when that is drawn, to focus or to show a part that was not there before
 * @property {(request: Omit<Request, "desk">, onProgress?: (p: Progress) => void) =>
 *   {promise: Promise<any>, cancel: () => void}} ask one question outside `wants`, such as `deal`;
 *   the promise gives the result, or rejects with {kind, message, where}
 * @property {(key: string) => void} stop stop the job behind a reply; `again` starts it anew
 * @property {(key: string) => void} again
 * @property {(text: string) => void} say speak a change to screen readers, politely
 * @property {(text: string) => void} tell show a short notice at the foot of the page
 * @property {(dialog: null | (() => unknown)) => void} open show a dialog drawn by the function
 *   (see widgets/dialog.js), or close it
 * @property {() => void} redraw draw again (after a change that `set` did not see)
 *
 * @typedef {object} DeskPage
 * @property {string} name "code"
 * @property {() => any} initial the position to begin with
 * @property {(position: any) => any} accept a position that has its shape and its defaults, as the
 *   drawing needs it; throws an Error with a sentence if it could not be drawn (what is merely
 *   illegal is the service's business)
 * @property {(position: any) => string} title for the window and for lists of saved positions
 * @property {(position: any, view: any) => Record<string, Omit<Request, "desk">>} wants the
 *   questions whose answers the drawing needs now, by key
 * @property {(context: Context) => unknown} draw the whole desk as a lit template
 * @property {(context: Context) => import("../widgets/advice-bar.js").Bar} [bar] what stands in the bar at the foot of
 *   a narrow screen: the next step, and its state
 * @property {(context: Context) => Binding[]} keys
 * @property {Example[]} examples
 * @property {(text: string, context: Context, last?: boolean) => boolean} [paste] take a text pasted
 *   or dropped outside any field; false if it is not for this desk. `last`: no desk knows it, and a
 *   desk that says what it could not read may try
 * @property {(files: File[], context: Context) => void} [pictures] take pictures pasted, dropped or
 *   opened anywhere, if the desk reads them
 * @property {(context: Context) => string[]} [describe] the whole result in sentences, from the
 *   same replies as the drawing: the text view, and what is spoken after a change (the first one)
 * @property {(context: Context) => unknown} [picture] the board as one svg template with its own
 *   viewBox, for saving as a picture; where the board is a canvas, mark it `data-picture` instead
 * @property {(text: string) => boolean} [recognises] whether a pasted text looks like this desk's
 *   own notation; cheap and strict, since every desk is asked
 * @property {() => unknown} [mini] a small picture of a real position for the home page: an svg
 *   template, viewBox 0 0 120 72, its colours in style/pictures.css
 * @property {string} [asks] what a player comes with, in the player's words
 * @property {(position: any) => any} [fresh] the same puzzle without the player's work, to share
 * @property {(position: any) => any} [anew] a new game under the same rules; `initial` where it is
 *   not said
 * @property {(position: any) => any} [shared] the position to share, where a secret stays at home
 */
export {};
