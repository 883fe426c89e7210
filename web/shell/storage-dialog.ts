/** The storage dialog: usage per desk, persistence, deletion. */
import { desks } from "../desks/index.js";
import type { Part } from "../session/storage-usage.js";
import { usageByPart } from "../session/storage-usage.js";
import * as store from "../session/store.js";
import { words } from "../strings.js";
import { html, nothing } from "../vendor.js";
import type { Actions } from "./header.js";

/**
 * `sure`:
 *  the pending deletion, a desk's name or "" for everything
 */
export type Place = { room: Awaited<ReturnType<typeof store.room>>; parts: Part[]; sure: string | null };

export async function placeNow(): Promise<Place> {
  const [room, entries] = await Promise.all([store.room(), store.under("")]);
  return { room, parts: usageByPart(entries), sure: null };
}

export function inBrowser(place: Place, actions: Actions) {
  const { room, sure } = place;
  const stay = async () => {
    const promised = await store.askToStay();
    place.room = await store.room();
    if (!promised) actions.notice(words.askedInVain);
    actions.redraw();
  };
  const turn = (next: string | null) => () => {
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

/** A row of the table; a desk's row has a delete button. */
function row({ of, games, entries, bytes: size }: Part, ask: (of: string) => () => void) {
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
