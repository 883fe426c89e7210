/** The dialog of saved positions: save, open, remove, export and import a backup. */

import type { Aside } from "../session/load-records.js";
import * as shelf from "../session/saved-positions.js";
import { words } from "../strings.js";
import { html } from "../vendor.js";
import { dialogIn } from "../widgets/dialog.js";
import { download } from "../widgets/file.js";
import type { OnInput } from "../widgets/on.js";
import type { Actions } from "./header.js";
import { inBrowser, placeNow } from "./storage-dialog.js";

/** The dialog's drawing, after reading the saved positions. */
export async function shelfDialog(actions: Actions): Promise<() => unknown> {
  let kept = await shelf.listSaved();
  const aside = await shelf.listUnreadable();
  const place = await placeNow();
  const present = await actions.carry.present();
  const refresh = (next: shelf.Kept[]) => {
    kept = next;
    actions.redraw();
  };
  return () =>
    dialogIn(actions, {
      title: words.shelf,
      body: html`
        ${present ? saveForm(present, refresh) : ""}
        ${kept.length ? html`<ul class="list">${kept.map((item) => row(item, actions, refresh))}</ul>` : html`<p class="quiet">${words.shelfEmpty}</p>`}
        <h3>${words.everything}</h3>
        <div class="buttons">
          <button class="soft" @click=${carryAway}>${words.exportAll}</button>
          <label class="soft file">${words.importAll}<input type="file" accept="application/json,.json" class="unseen"
            @change=${(event: OnInput) => take(event.target.files?.[0], actions)}></label>
        </div>
        <p class="quiet">${words.everythingHow}</p>
        ${aside.length ? asideList(aside) : ""}
        ${inBrowser(place, actions)}`,
    });
}

function saveForm(
  present: { desk: string; name: string; fragment: string },
  refresh: (kept: shelf.Kept[]) => void,
) {
  const save = async (event: SubmitEvent) => {
    event.preventDefault();
    const field = (event.currentTarget as HTMLFormElement).querySelector("input");
    refresh(await shelf.add({ ...present, name: field?.value || present.name }));
  };
  return html`<form class="row" @submit=${save}>
    <input class="field" maxlength="120" aria-label=${words.saveName} .value=${present.name}>
    <button class="main">${words.save}</button>
  </form>`;
}

function row(item: shelf.Kept, actions: Actions, refresh: (kept: shelf.Kept[]) => void) {
  const open = () => {
    actions.open(null);
    actions.carry.openFragment(item.fragment);
  };
  return html`<li class="row">
    <button class="list-item" @click=${open}><b>${item.name}</b><span>${new Date(item.saved).toLocaleDateString()}</span></button>
    <button class="icon" aria-label=${`${words.remove}: ${item.name}`} @click=${async () => refresh(await shelf.removeSaved(item.id))}>✕</button>
  </li>`;
}

function asideList(aside: Aside[]) {
  return html`<h3>${words.asideTitle}</h3>
    <p class="quiet">${words.asideHow}</p>
    <ul class="list">${aside.map((one) => html`<li class="row"><span class="grow">${String(one?.key).slice(0, 80)}: ${String(one?.why)}</span></li>`)}</ul>`;
}

async function carryAway() {
  const day = new Date().toISOString().slice(0, 10);
  download(`cluewise-${day}.json`, await shelf.pack());
}

async function take(file: File | undefined, actions: Actions) {
  if (file) await bringBack(await file.text(), actions);
}

/** Imports a backup and reports the number of new entries. */
export async function bringBack(text: string, actions: Actions) {
  try {
    const { news, aside } = await shelf.unpack(text);
    actions.open(null);
    await actions.games.brought(news);
    actions.notice(words.broughtBack(news.length, aside), aside ? "risk" : "");
  } catch (problem) {
    actions.notice(problem instanceof Error ? problem.message : String(problem), "risk");
  }
}
