/** The storage dialog: usage per desk, persistence, deletion. */
import { desks } from "../desks/index.js";
import { usageByPart } from "../session/storage-usage.js";
import * as store from "../session/store.js";
import { words } from "../strings.js";
import { html, nothing } from "../vendor.js";

/** @typedef {import("./header.js").Actions} Actions */
/** @typedef {import("../session/storage-usage.js").Part} Part */
/** @typedef {{room: Awaited<ReturnType<typeof store.room>>, parts: Part[], sure: string | null}} Place `sure`:
 *   the pending deletion, a desk's name or "" for everything */

/** @returns {Promise<Place>} */
export async function placeNow() {
  const [room, entries] = await Promise.all([store.room(), store.under("")]);
  return { room, parts: usageByPart(entries), sure: null };
}

/** @param {Place} place @param {Actions} actions */
export function inBrowser(place, actions) {
  const { room, sure } = place;
  const stay = async () => {
    const promised = await store.askToStay();
    place.room = await store.room();
    if (!promised) actions.notice(words.askedInVain);
    actions.redraw();
  };
  const turn = (/** @type {string | null} */ next) => () => {
    place.sure = next;
    actions.redraw();
  };
  const shown = place.parts.filter(({ of }) => of !== "rest");
  return html`<h3>${words.inBrowser}</h3>
    ${shown.length ? html`<ul class="list kept-parts">${shown.map((part) => row(part, turn))}</ul>` : nothing}
    ${room ? html`<p class="quiet">${words.inBrowserHow(bytes(room.used), room.allowed ? bytes(room.allowed) : "")} ${room.promised ? words.stays : words.mayGo}</p>` : nothing}
    ${
      sure !== null
        ? question(sure, place, actions)
        : html`<div class="buttons">
          ${room && !room.promised ? html`<button class="soft" @click=${stay}>${words.askToStay}</button>` : nothing}
          <button class="soft" @click=${turn("")}>${words.wipe}</button></div>`
    }`;
}

/** A row of the table; a desk's row has a delete button. @param {Part} part @param {(of: string) => () => void} ask */
function row({ of, games, entries, bytes: size }, ask) {
  const desk = desks[of];
  const name = desk?.title ?? words.keptParts[/** @type {"shelf"} */ (of)];
  const count = desk ? words.keptGames(games) : words.keptEntries(entries);
  return html`<li class="row"><span class="grow"><b>${name}</b> <span class="quiet">${count} · ${bytes(size)}</span></span>
    ${desk ? html`<button class="icon" aria-label=${words.wipeDesk(name)} title=${words.wipeDesk(name)} @click=${ask(of)}>✕</button>` : nothing}</li>`;
}

/** @param {string} of @param {Place} place @param {Actions} actions */
function question(of, place, actions) {
  const name = desks[of]?.title ?? "";
  const wipe = async () => {
    if (!of) actions.open(null);
    await actions.wipe(of);
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

/** "1.2 MB": at most three digits. @param {number} count */
function bytes(count) {
  const units = ["bytes", "KB", "MB", "GB", "TB"];
  const step = count < 1000 ? 0 : Math.min(Math.floor(Math.log10(count) / 3), units.length - 1);
  return `${Number((count / 1000 ** step).toPrecision(3))} ${units[step]}`;
}
