/** Analysis of a board in the level editor: score and curve, where solving stops, and fixes. */

import type { Authored } from "../../../types/mines.js";
import { html, nothing } from "../../../vendor.js";
import { waitingFor } from "../../../widgets/waiting.js";
import { cellName } from "../cell-names.js";
import { curve } from "../difficulty-chart.js";
import type { Context } from "../model.js";
import { cellsOf } from "../model.js";
import { words } from "../strings.js";
import { applyRepair } from "./edits.js";

const MOST = 5; // repairs to list at once

export function analysisPanel(context: Context) {
  const { replies } = context;
  const reply = replies.author;
  const found = reply?.value;
  return html`<section class="card stack-small verdict" aria-live="polite" data-verdict=${reply?.value ? (found?.no_guess ? "no-guess" : "stuck") : "waiting"}>
      ${waitingFor(context, "author")}
      ${found ? html`<div class=${reply?.stale ? "stale" : ""}>${analysisText(context, found)}</div>` : nothing}
    </section>
    ${found?.stuck.length ? regions(context, found) : nothing}`;
}

function analysisText({ position }: Context, found: Authored) {
  const closed = found.stuck.flat().length;
  const rows = [
    [words.editor.waves, String(found.waves)],
    [words.editor.steps, String(found.steps.length)],
    [words.editor.longest, found.steps.length ? words.editor.rounds(Math.max(...found.steps)) : "–"],
  ];
  return html`<p class=${found.no_guess ? "chip good" : "chip warn"}>${found.no_guess ? words.editor.noGuess : words.editor.stuck}</p>
    ${
      found.no_guess
        ? found.smooth == null
          ? html`<p class="quiet">${words.editor.noScore}</p>`
          : html`<p><b class="big">${found.smooth.toFixed(1)}</b> <span class="quiet">${words.editor.score}</span></p>`
        : html`<p><b>${words.editor.closed(closed, cellsOf(position))}</b></p>`
    }
    <dl class="facts">${rows.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>
    ${found.steps.length ? curve(found.steps, Math.max(...found.steps)) : nothing}`;
}

function regions(context: Context, found: Authored) {
  const { position, view } = context;
  return html`<section class="stack-small"><h2>${words.editor.regions}</h2>
    <ul class="list">${found.stuck.map((region) => {
      const on = view.region != null && region.includes(view.region);
      return html`<li><button class="list-item" aria-expanded=${on} @click=${() => context.set({ region: on ? null : region[0] })}>${words.editor.region(cellName(position, region[0]), region.length)}</button>
        ${on ? repairs(context) : nothing}</li>`;
    })}</ul></section>`;
}

function repairs(context: Context) {
  const { position, replies } = context;
  const list = replies.freeing?.value?.repairs;
  if (!list) return waitingFor(context, "freeing");
  const frees = list.some((one) => !one.left);
  const title = frees ? words.editor.repairs : list.length ? words.editor.partial : words.editor.none;
  const make = (one: (typeof list)[number]) => {
    const next = applyRepair(position, one);
    if (next) context.commit(next, words.editor.did.repair, { view: { region: null } });
  };
  const buttons = list.map(
    (one) =>
      html`<button class="soft" data-edit @click=${() => make(one)}><b>${words.editor.freeing[one.kind](cellName(position, one.cell))}</b>
        <span class="faint">${one.left ? words.editor.leaves(one.left) : words.editor.freed(one.no_guess)}</span></button>`,
  );
  const more = buttons.splice(MOST);
  return html`<div class="repairs" role="group" aria-label=${title}><p class="quiet">${title}</p>${buttons}
    ${more.length ? html`<details class="more"><summary>${words.editor.more(more.length)}</summary><div class="repairs">${more}</div></details>` : nothing}</div>`;
}

/** The analysis in sentences. */
export function describeEditor({ position, replies }: Context): string[] {
  const found = replies.author?.value;
  const name = `${position.title || words.untitled}.`;
  if (!found) return [name];
  const closed = found.stuck.flat().length;
  const score = found.smooth == null ? words.editor.noScore : words.smooth(found.smooth);
  return [
    found.no_guess
      ? `${words.noGuess(found.waves)} ${score}.`
      : `${words.guess} ${words.editor.closed(closed, cellsOf(position))}.`,
    name,
    ...found.stuck.map((region) => `${words.editor.region(cellName(position, region[0]), region.length)}.`),
  ];
}
