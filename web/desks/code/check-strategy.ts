/** A strategy that is pasted or read from files is played against every code; two are compared. */

import type { CheckedStrategy } from "../../types/code.js";
import { html, nothing } from "../../vendor.js";
import { fileButton } from "../../widgets/file.js";
import { whole } from "../../widgets/numbers.js";
import { waitingFor } from "../../widgets/waiting.js";
import { signsOf, spelled } from "./colour-names.js";
import type { Context, Wanted } from "./model.js";
import { rulesOf } from "./model.js";
import { words } from "./strings.js";

/** What is asked while a strategy is checked: from the first guess, under the rules of the position. */
export function wantCheck({ position, view }: Pick<Context, "position" | "view">): Wanted {
  const [strategy, other] = view.checks ? (view.checked ?? []) : [];
  if (!strategy) return {};
  const options = { strategy, ...(other?.trim() ? { other } : {}) };
  const { signs, prior } = position;
  const start = {
    rules: rulesOf(position),
    clues: [],
    ...(signs ? { signs } : {}),
    ...(prior ? { prior } : {}),
  };
  return { check: { want: "check", position: start, options, urgency: "last" } };
}

export function checkStrategyPanel(context: Context, histogram: (counts: number[]) => unknown) {
  const texts = context.view.checkTexts ?? ["", ""];
  const reply = context.replies.check;
  const change = (i: number, text: string) =>
    context.set({ checkTexts: texts.with(i, text) as [string, string], checked: null });
  const take = async (files: File[]) => {
    const read = await Promise.all(files.slice(0, 2).map((file) => file.text()));
    const [first = texts[0], second = texts[1]] =
      texts[0].trim() && read.length === 1 ? [texts[0], ...read] : read;
    context.set({ checkTexts: [first, second], checked: null });
  };
  return html`<p class="quiet">${words.checkText}</p>
    <form class="stack" @submit=${(e: Event) => {
      e.preventDefault();
      context.set({ checked: texts });
    }}>
      ${[0, 1].map(
        (
          i,
        ) => html`<textarea class="field code" rows="4" aria-label=${words.checkField[i]} placeholder=${words.checkPlaceholder[i]}
        .value=${texts[i]} @input=${(e: InputEvent) => change(i, (e.target as HTMLTextAreaElement).value)}></textarea>`,
      )}
      <div class="row wrap"><button class="soft" ?disabled=${!texts[0].trim()}>${words.checkGo}</button>
        ${fileButton(words.checkFiles, take)}</div>
    </form>
    ${context.view.checked ? waitingFor(context, "check") : nothing}
    ${context.view.checked && reply?.state === "done" && reply.value ? result(context, reply.value, histogram) : nothing}`;
}

function result(context: Context, found: CheckedStrategy, histogram: (counts: number[]) => unknown) {
  const both = found.other ? [found, found.other] : [found];
  const signs = signsOf(context.position);
  return html`<div class="stack" data-part="checked">${both.map(
    (one, i) => html`<p>${words.checkResult(one, both.length > 1 ? i + 1 : 0)}</p>${histogram(one.histogram)}
      ${
        one.lost
          ? html`<p class="note warn">${words.checkLost(
              one.lost,
              one.lost_codes.map((code) => spelled(code, signs)),
            )}</p>`
          : nothing
      }
      ${one.faults ? html`<ul>${one.problems.map((fault) => html`<li>${words.checkFault(fault)}</li>`)}</ul>` : nothing}
      ${one.faults > one.problems.length ? html`<p>${words.checkMore(one.faults - one.problems.length)}</p>` : nothing}`,
  )}
    ${found.comparison ? html`<p>${words.checkCompared(found.comparison)}</p>${examples(found.comparison.examples, signs)}` : nothing}</div>`;
}

function examples(found: Record<string, number[]>, signs: string[]) {
  const rows = Object.entries(found);
  if (!rows.length) return nothing;
  return html`<table class="table"><thead><tr>${words.checkColumns.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
    <tbody>${rows.map(
      ([code, steps]) =>
        html`<tr><th scope="row" class="code">${spelled(code, signs)}</th>${steps.map((n) => html`<td class="n">${whole(n)}</td>`)}</tr>`,
    )}</tbody></table>`;
}
