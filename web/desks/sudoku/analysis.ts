/** Looking at one board: symmetries, the table, solutions; and at two: the closest match. */

import type { Table, TableRow } from "../../types/sudoku.js";
import { html, nothing } from "../../vendor.js";
import { grid } from "../../widgets/grid.js";
import { waiting } from "../../widgets/waiting.js";
import type { Context } from "./model.js";
import { boardOf, boxOf, moved, SYMBOLS, sizeOf, tokensOf, withBoard } from "./model.js";
import { fold, left, which } from "./sections.js";
import { words } from "./strings.js";
import { symmetries } from "./symmetries.js";
import { filled, focus } from "./witness-player.js";

function wait(context: Context, key: keyof Context["replies"]) {
  return waiting(context.replies[key], {
    phase: context.phase,
    stop: () => context.stop(key),
    again: () => context.again(key),
  });
}

export function analysisPanels(context: Context) {
  const there = filled(context.position);
  if (!there.length) return nothing;
  return html`<section class="card folds">
    ${fold(context, "symmetries", words.symmetries, () => symmetries(context, wait(context, "automorphisms")))}
    ${fold(context, "solving", words.solve, () => solving(context))}
    ${fold(context, "table", words.table, () => table(context))}
    ${there.length === 2 ? fold(context, "near", words.near, () => near(context)) : nothing}
  </section>`;
}

function solving(context: Context) {
  const board = focus(context);
  const key = `solve${board}` as const;
  const found = context.replies[key]?.value;
  const [rows, cols] = boxOf(context.position);
  if (!found) return html`${which(context)}${wait(context, key)}`;
  return html`${which(context)}
    <p>${found.not_compared && !found.compared ? words.asPlainHead : ""}${words.solveText[found.solutions as keyof typeof words.solveText]} ${found.conflict ?? ""}</p>
    ${left(found)}
    <div class="form-row">${found.found.map(
      (text) => html`<div class="form">${grid({ rows, cols, tokens: tokensOf(text), label: words.solve })}
        <button class="plain" data-edit @click=${() => context.commit(withBoard(context.position, board, text), words.useSolution)}>${words.useSolution}</button></div>`,
    )}</div>`;
}

function table(context: Context) {
  const two = filled(context.position).length === 2;
  const key = two ? "compare" : "cooccurrence";
  const found = context.replies[key]?.value;
  if (!found) return wait(context, key);
  const tables = "first" in found ? [found.first, found.second] : [found];
  return html`<p class="quiet">${words.tableText}</p>
    ${"first" in found ? html`<p>${found.text} <b>${words.exact(found.same)}</b></p>${left(found)}` : nothing}
    ${tables.map((t, i) => counts(context, t, two ? words.names[i] : ""))}`;
}

function counts(context: Context, t: Table, name: string) {
  const symbols = [...SYMBOLS.slice(0, sizeOf(context.position))];
  const tied = new Set(t.ties.flat());
  const rowOf = (s: string) => t.rows.find((r) => r.symbol === s) as TableRow;
  return html`${name ? html`<h3>${name}</h3>` : nothing}
    <div class="scroll" tabindex="0" role="region" aria-label=${`${words.table} ${name}`}><table class="table counts-table">
      <thead><tr><td></td>${symbols.map((s) => html`<th class="n" scope="col">${s}</th>`)}<th scope="col">${words.tableSorted}</th><th class="n" scope="col">${words.tableBecomes}</th></tr></thead>
      <tbody>${t.table.map((row, i) => {
        const about = rowOf(symbols[i]);
        return html`<tr><th scope="row">${symbols[i]}</th>${row.map((n, k) => html`<td class="n ${k === i ? "faint" : ""}">${k === i ? "·" : n}</td>`)}
          <td class="code">${about.values.join(" ")}</td><td class="n ${tied.has(symbols[i]) ? "warn" : ""}">${SYMBOLS[about.index]}${tied.has(symbols[i]) ? "?" : ""}</td></tr>`;
      })}</tbody></table></div>
    <p class="quiet">${t.text}</p>`;
}

function near(context: Context) {
  const found = context.replies.nearest?.value;
  const [rows, cols] = boxOf(context.position);
  return html`<p class="quiet">${words.nearText}</p>${wait(context, "nearest")}
    ${
      found
        ? html`<p><b class="big">${words.nearResult(found)}</b> ${found.exact ? words.nearExact : ""} ${found.agree === found.of ? words.nearAll : ""}</p>
        ${left(found)}<p class="quiet">${words.nearShow}</p>
        <div class="form">${grid({ rows, cols, tokens: moved(found.witness, tokensOf(boardOf(context.position, 0))), label: words.nearShow, wrong: new Set(found.differs) })}</div>`
        : nothing
    }`;
}
