/**
 * What leaves the page and what comes in: links to share, pictures, positions for the shelf,
 * examples, and any text that some desk knows.
 */
import { desks } from "../desks/index.js";
import * as link from "../session/link.js";
import { words } from "../words.js";
import { shareDialog } from "./share.js";

/** @typedef {import("../desks/desk.js").DeskPage} DeskPage */
/** @typedef {import("../desks/desk.js").Context} Context */

const A_LINK = /#\/[a-z]{1,20}\/\d{1,4}\/[\w-]*/;

/**
 * @param {any} state the page's state
 * @param {object} tools
 * @param {import("./frame.js").Actions} tools.actions
 * @param {() => Context} tools.context
 * @param {(fragment: string) => Promise<void>} tools.go
 * @param {(name: string) => Promise<DeskPage>} tools.pageOf
 */
export function carrying(state, { actions, context, go, pageOf }) {
  /** @param {any} position @returns {Promise<string>} the fragment of a position of the open desk */
  const fragmentOf = (position) => link.encode(state.desk, position);

  async function share() {
    const { page, history } = state;
    if (!page || !history) return;
    const addressOf = async (/** @type {any} */ position) => link.address(await fragmentOf(position));
    const position = page.shared ? page.shared(history.position) : history.position;
    const bare = page.fresh?.(position);
    const address = await addressOf(position);
    const fresh = bare ? await addressOf(bare) : null;
    const secret = position === history.position ? null : await addressOf(history.position);
    actions.open(() => shareDialog({ address, fresh, secret, kind: "mine" }, actions));
  }

  /** The open position as it would be put on the shelf. */
  async function present() {
    const { page, history, desk } = state;
    if (!page || !history) return null;
    return { desk, name: page.title(history.position), fragment: await fragmentOf(history.position) };
  }

  /** The board as an SVG and a PNG file. */
  async function savePicture() {
    const { page, history } = state;
    if (!page || !history) return;
    const { savePictures } = await import("./picture.js");
    const drawn = page.picture ? page.picture(context()) : null;
    const place = /** @type {HTMLElement} */ (document.getElementById("desk"));
    const saved = await savePictures(page.title(history.position), drawn, place);
    if (!saved) actions.notice(words.noPicture);
  }

  /** @param {string} fragment */
  function openFragment(fragment) {
    link.write(fragment);
    return go(fragment);
  }

  /** A text opens the desk that knows it; the open desk is asked first. @param {string} text */
  async function openText(text) {
    const found = A_LINK.exec(text);
    if (found) return openFragment(found[0]);
    if (state.page?.paste?.(text, context())) return undefined;
    for (const name of Object.keys(desks)) {
      const page = await pageOf(name);
      if (name === state.desk || !page.recognises?.(text)) continue;
      await openFragment(`#/${name}`);
      page.paste?.(text, context());
      return undefined;
    }
    if (state.page?.paste?.(text, context(), true)) return undefined;
    actions.notice(words.pasteUnknown);
    return undefined;
  }

  /** @param {DeskPage} page @param {any} position */
  async function openExample(page, position) {
    await openFragment(await link.encode(page.name, position));
  }

  return { share, present, savePicture, openFragment, openText, openExample };
}
