/** Practice: a hidden spot, found by walking and listening. */
import { html, nothing } from "../../vendor.js";
import { waiting } from "../../widgets/waiting.js";
import { ran } from "./edits.js";
import { listens, spotsOnFloor, stopOf } from "./model.js";
import { folded } from "./route.js";
import { words } from "./strings.js";

/** @typedef {import("./model.js").Context} Context */
/** @typedef {[number, number]} Tile */

/** Whether advice stays hidden. @param {import("./model.js").Position} position @param {import("./model.js").View} view */
export function isBlind(position, view) {
  return Boolean(position.practice) && !view.hint;
}

/** @param {Context} context */
export function practice(context) {
  if (context.position.practice) return playing(context);
  return folded(
    context,
    "practice",
    words.practiceTitle,
    () => html`<p class="quiet">${words.practiceText}</p>
      <div data-edit><button class="soft" ?disabled=${context.phase !== "ready"} @click=${() => hide(context)}>${words.practiceGo}</button></div>`,
  );
}

/** @param {Context} context */
function playing(context) {
  const { view } = context;
  const reply = context.replies.listen;
  const heard = reply?.stale ? null : reply?.value;
  const over = heard?.spot != null;
  return html`<section class="note stack-small">
    <h2>${words.practiceTitle}</h2>
    <p>${over ? words.practiceEnd(heard) : words.practiceOn}</p>
    ${waiting(reply, { phase: context.phase })}
    ${heard && !over ? html`<p class="quiet">${words.practiceTally(heard.ticks, heard.scans)}</p>` : nothing}
    ${!over && listens(context.position, view) ? html`<p class="quiet">${words.practiceRuns}</p>` : nothing}
    <div class="row wrap" data-edit>
      ${over ? nothing : html`<button class="plain" @click=${() => context.set({ hint: !view.hint })}>${view.hint ? words.practiceHide : words.practiceHint}</button>`}
      ${over ? nothing : html`<button class="plain" @click=${() => context.set({ reveal: true })}>${words.practiceGive}</button>`}
      ${over ? html`<button class="soft" @click=${() => hide(context)}>${words.practiceAgain}</button>` : nothing}
      <button class="plain" @click=${() => stop(context)}>${words.practiceStop}</button>
    </div></section>`;
}

/** @param {Context} context */
async function hide(context) {
  const { practice: _, observations, ruled_out, ...rest } = context.position;
  const seed = crypto.getRandomValues(new Uint32Array(1))[0];
  try {
    const hidden = await context.ask({ want: "practice", position: rest, options: { seed } }).promise;
    context.commit({ ...rest, ...spotsOnFloor(hidden.start), practice: hidden }, words.practiceGo, {
      view: { hint: false, reveal: false, tool: "stand", chosen: "" },
    });
  } catch (fault) {
    context.tell(/** @type {import("../desk.js").FaultFacts} */ (fault).message);
  }
}

/** @param {Context} context */
function stop(context) {
  const { practice: _, ...rest } = context.position;
  context.commit(rest, words.practiceStop, { view: { hint: false, reveal: false } });
}

/** Walk to a tile and listen there. @param {Context} context @param {Tile} tile */
export async function listenAt(context, tile) {
  const { position } = context;
  if (context.replies.listen?.value?.spot != null) return;
  try {
    const listen = listens(position, context.view);
    const heard = await context.ask({ want: "listen", position, options: { tile, listen } }).promise;
    if (heard.rows.length) ran(context, heard.rows);
    context.say(words.saw(heard.pulse ?? 0, heard.at ?? tile));
  } catch (fault) {
    context.tell(/** @type {import("../desk.js").FaultFacts} */ (fault).message);
  }
}

/** The tally of the scans that were made; before the first there is none. @param {import("./model.js").Position} position @param {import("./model.js").View} view */
export function listenWant(position, view) {
  const last = (position.observations ?? []).findLast((o) => o.at);
  const cost = { stop: stopOf(view), listen: listens(position, view) };
  if (view.reveal)
    return { want: /** @type {const} */ ("listen"), position, options: { reveal: true, ...cost } };
  if (!last?.at) return null;
  /** @type {Tile} */
  const tile = [last.at[0], last.at[1]];
  const there = { ...position, floor: last.at[2] ?? position.floor }; // one may look at another floor since
  return { want: /** @type {const} */ ("listen"), position: there, options: { tile, ...cost } };
}
