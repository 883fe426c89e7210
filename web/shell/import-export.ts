/**
 * Export and import: links to share, pictures, saved positions, examples, and text that a desk can
 * read.
 */

import type { DeskPage } from "../desks/desk.js";
import { desks } from "../desks/index.js";
import * as link from "../session/link.js";
import { withAdvice } from "../session/link.js";
import { isBackup } from "../session/saved-positions.js";
import { words } from "../strings.js";
import { html } from "../vendor.js";
import { dialog } from "../widgets/dialog.js";
import { download, isPicture } from "../widgets/file.js";
import { adviceText } from "./advice.js";
import type { Shell, State } from "./context.js";
import type { Actions } from "./header.js";
import { titleText } from "./home.js";
import { importBackup } from "./saved-dialog.js";
import { isAsked } from "./screen.js";
import { shareDialog } from "./share.js";

const A_LINK = /#\/[a-z]{1,20}\/(?:\d{1,4}\/[\w-]*(?:\/[\w-]+)?|[a-z]+(?:-[a-z]+)*)/;

export function importExport(state: State, shell: Shell) {
  return { ...exportActions(state, shell), ...importActions(state, shell) };
}

function exportActions(state: State, { actions, context, opening }: Shell) {
  /** @returns the fragment of a position of the open desk */
  const fragmentOf = (position: unknown): Promise<string> => link.encode(state.desk, position);

  async function share() {
    await opening.opened();
    const { page, history } = state;
    if (!page || !history) return;
    const addressOf = async (position: unknown) => link.address(await fragmentOf(position));
    const position = page.shared ? page.shared(history.position) : history.position;
    const bare = page.fresh?.(position);
    const now = context();
    // The desk's text may contain what only this player knows.
    const said = position === history.position ? adviceText(page.bar?.(now), isAsked(now)) : "";
    const address = link.address(withAdvice(await fragmentOf(position), said));
    const fresh = bare ? await addressOf(bare) : null;
    const secret = position === history.position ? null : await addressOf(history.position);
    const title = titleText(page, position);
    const lines = position === history.position ? (page.describe?.(now) ?? []) : [];
    const chat = [`${title}. ${words.name}`, ...lines].join("\n");
    const pictures = position === history.position ? () => pictureFiles(false) : async () => [];
    actions.open(() => shareDialog({ address, fresh, secret, title, chat, pictures, kind: "mine" }, actions));
  }

  /** The open position as a saved position. */
  async function present() {
    await opening.opened();
    const { page, history, desk } = state;
    if (!page || !history) return null;
    return { desk, name: titleText(page, history.position), fragment: await fragmentOf(history.position) };
  }

  /** The board as an SVG and a PNG file. @param save download them */
  async function pictureFiles(save: boolean): Promise<File[]> {
    const { page, history } = state;
    if (!page || !history) return [];
    const { picturesOf } = await import("./picture.js");
    const title = titleText(page, history.position);
    const place = document.getElementById("desk") as HTMLElement;
    const files = await picturesOf(title, page.picture?.(context(), title), place);
    if (save) for (const file of files) download(file.name, file);
    return files;
  }

  async function savePicture() {
    await opening.opened();
    if (state.page && !(await pictureFiles(true)).length) actions.notice(words.noPicture);
  }

  return { share, present, savePicture };
}

function importActions(state: State, { actions, context, opening }: Shell) {
  function openFragment(fragment: string) {
    link.write(fragment);
    return opening.go(fragment);
  }

  /** Opens a text with the first desk that can read it, the open desk first. */
  async function openText(text: string) {
    const found = A_LINK.exec(text);
    if (found) return openFragment(found[0]);
    await opening.opened();
    if (state.page?.paste?.(text, context())) return undefined;
    for (const name of Object.keys(desks)) {
      const page = await opening.pageOf(name);
      if (name === state.desk || !page.recognises?.(text)) continue;
      await openFragment(`#/${name}`);
      page.paste?.(text, context());
      return undefined;
    }
    if (state.page?.paste?.(text, context(), true)) return undefined;
    actions.notice(words.pasteUnknown);
    return undefined;
  }

  async function openExample(page: DeskPage, position: unknown) {
    await openFragment(await link.encode(page.name, position));
  }

  /** Opens dropped, shared or launched files: pictures, backups, texts. */
  async function openFiles(files: File[]) {
    if (await openPictures(files)) return;
    for (const file of files) {
      const text = await file.text();
      if (isBackup(text)) await importBackup(text, actions);
      else if (text.trim()) await openText(text);
    }
  }

  /**
   * Opens pictures with the open desk if it reads them, else asks which game they show.
   * @returns whether there were any
   */
  async function openPictures(files: File[]): Promise<boolean> {
    const pictures = files.filter(isPicture);
    if (!pictures.length) return false;
    await opening.opened();
    if (!state.page?.pictures) {
      const pages = await Promise.all(Object.keys(desks).map((name) => opening.pageOf(name)));
      const names = pages.filter((page) => page.pictures).map((page) => page.name);
      const name = await chosenGame(names, actions);
      if (!name) return true;
      await openFragment(`#/${name}`);
    }
    state.page?.pictures?.(pictures, context());
    return true;
  }

  return { openFragment, openText, openFiles, openPictures, openExample };
}

/** Asks which game pictures show; resolves to "" if that is not answered. */
function chosenGame(names: string[], actions: Actions): Promise<string> {
  return new Promise((resolve) => {
    const answer = (name: string) => {
      actions.open(null);
      resolve(name);
    };
    actions.open(() =>
      dialog({
        title: words.whichGame,
        onClose: () => answer(""),
        body: html`<div class="row wrap">${names.map((name) => html`<button class="soft" @click=${() => answer(name)}>${words.gameNames[name as keyof typeof words.gameNames].title}</button>`)}</div>`,
      }),
    );
  });
}
