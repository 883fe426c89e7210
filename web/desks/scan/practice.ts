/** Practice: the page hides a spot, and the player finds it by scanning. */

import { html, nothing } from "../../vendor.js";
import { randomSeed } from "../../widgets/numbers.js";
import { waiting } from "../../widgets/waiting.js";
import type { FaultFacts } from "../desk.js";
import { addRunRows } from "./edits.js";
import type { Context, Position, Tile, View } from "./model.js";
import { hereFields, listenOptions, stopOf } from "./model.js";
import { foldPanel } from "./route.js";
import { words } from "./strings.js";

/** Whether advice stays hidden. */
export function isBlind(position: Position, view: View) {
  return Boolean(position.practice) && !view.hint;
}

export function practice(context: Context) {
  if (context.position.practice) return practicePanel(context);
  return foldPanel(
    context,
    "practice",
    words.practiceTitle,
    () => html`<p class="quiet">${words.practiceText}</p>
      <div data-edit><button class="soft" ?disabled=${context.phase !== "ready"} @click=${() => startPractice(context)}>${words.practiceGo}</button></div>`,
  );
}

function practicePanel(context: Context) {
  const { view } = context;
  const reply = context.replies.listen;
  const heard = reply?.value;
  const over = heard?.spot != null;
  return html`<section class="note stack-small">
    <h2>${words.practiceTitle}</h2>
    <p>${over ? words.practiceEnd(heard) : words.practiceOn}</p>
    ${waiting(reply, { phase: context.phase })}
    ${heard && !over ? html`<p class="quiet">${words.practiceTally(heard.ticks, heard.scans)}</p>` : nothing}
    ${!over && view.listen ? html`<p class="quiet">${words.practiceRuns}</p>` : nothing}
    <div class="row wrap" data-edit>
      ${over ? nothing : html`<button class="plain" @click=${() => context.set({ hint: !view.hint })}>${view.hint ? words.practiceHide : words.practiceHint}</button>`}
      ${over ? nothing : html`<button class="plain" @click=${() => context.set({ reveal: true })}>${words.practiceGive}</button>`}
      ${over ? html`<button class="soft" @click=${() => startPractice(context)}>${words.practiceAgain}</button>` : nothing}
      <button class="plain" @click=${() => endPractice(context)}>${words.practiceStop}</button>
    </div></section>`;
}

async function startPractice(context: Context) {
  const { practice: _, observations, ruled_out, ...rest } = context.position;
  const seed = randomSeed();
  try {
    const hidden = await context.ask({ want: "practice", position: rest, options: { seed } }).promise;
    context.commit({ ...rest, ...hereFields(hidden.start), practice: hidden }, words.practiceGo, {
      view: { hint: false, reveal: false, tool: "stand", chosen: "" },
    });
  } catch (fault) {
    context.notify((fault as FaultFacts).message);
  }
}

function endPractice(context: Context) {
  const { practice: _, ...rest } = context.position;
  context.commit(rest, words.practiceStop, { view: { hint: false, reveal: false } });
}

/** Walk to a tile and listen there. */
export async function listenAt(context: Context, tile: Tile) {
  const { position } = context;
  if (context.replies.listen?.value?.spot != null) return;
  try {
    const options = { tile, ...listenOptions(context.view) };
    const heard = await context.ask({ want: "listen", position, options }).promise;
    if (heard.rows.length) addRunRows(context, heard.rows);
    context.announce(words.saw(heard.pulse ?? 0, heard.at ?? tile));
  } catch (fault) {
    context.notify((fault as FaultFacts).message);
  }
}

/** The request for the ticks and scans so far; null before the first scan. */
export function listenRequest(position: Position, view: View) {
  const last = (position.observations ?? []).findLast((o) => o.at);
  const cost = { stop: stopOf(view), ...listenOptions(view) };
  if (view.reveal) return { want: "listen" as const, position, options: { reveal: true, ...cost } };
  if (!last?.at) return null;
  const tile: Tile = [last.at[0], last.at[1]];
  const there = { ...position, floor: last.at[2] ?? position.floor }; // the player may have changed the floor since
  return { want: "listen" as const, position: there, options: { tile, ...cost } };
}
