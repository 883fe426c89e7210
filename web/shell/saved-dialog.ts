/**
 * The dialog of what this browser keeps: saved positions (save, open, remove), a backup (export,
 * import), and storage (usage per desk, persistence, deletion).
 */

import { desks } from "../desks/index.js";
import { messageOf } from "../errors.js";
import type { Aside } from "../session/load-records.js";
import type { Part } from "../session/records.js";
import { usageByPart } from "../session/records.js";
import * as saved from "../session/saved-positions.js";
import * as store from "../session/store.js";
import { words } from "../strings.js";
import { html, nothing } from "../vendor.js";
import { dialogIn, nameForm } from "../widgets/dialog.js";
import { download, fileButton } from "../widgets/file.js";
import type { Actions } from "./header.js";

/** The dialog's drawing, after reading the saved positions. */
export async function savedDialog(actions: Actions): Promise<() => unknown> {
  let kept = await saved.listSaved();
  const aside = await saved.listUnreadable();
  const place = await placeNow();
  const present = await actions.transfer.present();
  const importFile = async ([file]: File[]) => file && importBackup(await file.text(), actions);
  const refresh = (next: saved.Saved[]) => {
    kept = next;
    actions.redraw();
  };
  return () =>
    dialogIn(actions, {
      title: words.savedPositions,
      body: html`
        ${present ? saveForm(present, refresh) : ""}
        ${kept.length ? html`<ul class="list">${kept.map((item) => row(item, actions, refresh))}</ul>` : html`<p class="quiet">${words.savedEmpty}</p>`}
        <h3>${words.everything}</h3>
        <div class="buttons">
          <button class="soft" @click=${exportBackup}>${words.exportAll}</button>
          ${fileButton(words.importAll, importFile, { accept: "application/json,.json" })}
        </div>
        <p class="quiet">${words.everythingHow}</p>
        ${aside.length ? asideList(aside) : ""}
        ${inBrowser(place, actions)}`,
    });
}

function saveForm(
  present: { desk: string; name: string; fragment: string },
  refresh: (kept: saved.Saved[]) => void,
) {
  const onName = async (name: string) => refresh(await saved.add({ ...present, name: name || present.name }));
  return nameForm({ label: words.saveName, value: present.name, button: words.save, onName });
}

function row(item: saved.Saved, actions: Actions, refresh: (kept: saved.Saved[]) => void) {
  const open = () => {
    actions.open(null);
    actions.transfer.openFragment(item.fragment);
  };
  return html`<li class="row">
    <button class="list-item" @click=${open}><b>${item.name}</b><span>${new Date(item.saved).toLocaleDateString()}</span></button>
    <button class="icon" aria-label=${`${words.remove}: ${item.name}`} @click=${async () => refresh(await saved.removeSaved(item.id))}>✕</button>
  </li>`;
}

function asideList(aside: Aside[]) {
  return html`<h3>${words.asideTitle}</h3>
    <p class="quiet">${words.asideHow}</p>
    <ul class="list">${aside.map((one) => html`<li class="row"><span class="grow">${String(one?.key).slice(0, 80)}: ${String(one?.why)}</span></li>`)}</ul>`;
}

async function exportBackup() {
  const day = new Date().toISOString().slice(0, 10);
  download(`cluewise-${day}.json`, await saved.pack());
}

/** Imports a backup and reports the number of new entries. */
export async function importBackup(text: string, actions: Actions) {
  try {
    const { news, aside } = await saved.unpack(text);
    actions.open(null);
    await actions.games.mergeImported(news);
    actions.notice(words.imported(news.length, aside), aside ? "risk" : "");
  } catch (problem) {
    actions.notice(messageOf(problem), "risk");
  }
}

/** `sure`: the pending deletion, a desk's name or "" for everything */
type Place = { room: Awaited<ReturnType<typeof store.room>>; parts: Part[]; sure: string | null };

async function placeNow(): Promise<Place> {
  const [room, entries] = await Promise.all([store.room(), store.under("")]);
  return { room, parts: usageByPart(entries), sure: null };
}

/** Usage per desk, persistence, deletion. */
function inBrowser(place: Place, actions: Actions) {
  const { room, sure } = place;
  const stay = async () => {
    const promised = await store.askToStay();
    place.room = await store.room();
    if (!promised) actions.notice(words.stayRefused);
    actions.redraw();
  };
  const turn = (next: string | null) => () => {
    place.sure = next;
    actions.redraw();
  };
  const shown = place.parts.filter(({ of }) => of !== "rest");
  return html`<h3>${words.inBrowser}</h3>
    ${shown.length ? html`<ul class="list kept-parts">${shown.map((part) => partRow(part, turn))}</ul>` : nothing}
    ${room ? html`<p class="quiet">${words.inBrowserHow(bytes(room.used), room.allowed ? bytes(room.allowed) : "")} ${room.promised ? words.stays : words.mayGo}</p>` : nothing}
    ${
      sure !== null
        ? question(sure, place, actions)
        : html`<div class="buttons">
          ${room && !room.promised ? html`<button class="soft" @click=${stay}>${words.askToStay}</button>` : nothing}
          <button class="soft" @click=${turn("")}>${words.wipe}</button></div>`
    }`;
}

/** A row of the table; a desk's row has a delete button. */
function partRow({ of, games, entries, bytes: size }: Part, ask: (of: string) => () => void) {
  const desk = desks[of];
  const name = desk?.title ?? words.keptParts[of as "shelf"];
  const count = desk ? words.keptGames(games) : words.keptEntries(entries);
  return html`<li class="row"><span class="grow"><b>${name}</b> <span class="quiet">${count} · ${bytes(size)}</span></span>
    ${desk ? html`<button class="icon" aria-label=${words.wipeDesk(name)} title=${words.wipeDesk(name)} @click=${ask(of)}>✕</button>` : nothing}</li>`;
}

function question(of: string, place: Place, actions: Actions) {
  const name = desks[of]?.title ?? "";
  const wipe = async () => {
    if (!of) actions.open(null);
    await actions.games.wipe(of);
    actions.notice(of ? words.wipedDesk(name) : words.wiped);
    Object.assign(place, await placeNow());
    actions.redraw();
  };
  const keep = () => {
    place.sure = null;
    actions.redraw();
  };
  return html`<p class="note warn" role="alert">${of ? words.wipeDeskSure(name) : words.wipeSure}</p>
    <div class="buttons"><button class="soft" @click=${wipe}>${of ? words.wipeDesk(name) : words.wipeDo}</button>
    <button class="soft" @click=${keep}>${words.keepThem}</button></div>`;
}

/** "1.2 MB": at most three digits. */
function bytes(count: number) {
  const units = ["bytes", "KB", "MB", "GB", "TB"];
  const step = count < 1000 ? 0 : Math.min(Math.floor(Math.log10(count) / 3), units.length - 1);
  return `${Number((count / 1000 ** step).toPrecision(3))} ${units[step]}`;
}
