/** Least forms, drawn and as text. */

import type { CanonResult } from "../../types/sudoku.js";
import { html, nothing } from "../../vendor.js";
import { choice } from "../../widgets/choice.js";
import { grid } from "../../widgets/grid.js";
import { term } from "../../widgets/term.js";
import { waitingFor } from "../../widgets/waiting.js";
import { underneath } from "./board-panel.js";
import type { Context } from "./model.js";
import { boxOf, rulesOf, sizeOf, tokensOf } from "./model.js";
import { left, within } from "./sections.js";
import { words } from "./strings.js";
import { filled } from "./witness-player.js";

export type Convention = keyof typeof words.conventions;

export function forms(context: Context) {
  const there = filled(context.position);
  if (!there.length) return nothing;
  const convention = (context.view.convention ?? "straight") as Convention;
  const known = (i: number) =>
    context.replies[`canon${i}`]?.value ?? context.replies[`canon${i}`]?.progress?.best;
  const puzzle = there.some((i) => known(i)?.kind === "puzzle");
  const names = [...new Set(there.flatMap((i) => context.replies[`canon${i}`]?.value?.not_compared ?? []))];
  return html`<div class="forms">
    <div class="between"><p><b>${words.forms}</b></p>${puzzle ? choice({ label: words.convention, options: words.conventions, value: convention, onChange: (value) => context.set({ convention: value }) }) : nothing}</div>
    <p class="quiet">${words.formsNew}</p>
    <p class="quiet">${puzzle ? words.conventionText[convention] : words.minlex}</p>
    <div class="form-list">${there.map((i) => one(context, i, convention))}</div>
    ${both(context, there.map(known), convention)}
    ${there.slice(0, 1).map((i) => within(known(i) ?? {}))}
    ${left({ not_compared: names.length ? names : undefined })}
    <p class="quiet">${context.view.names ? words.formsNames : words.formsText} ${term("minlex", words.formsWhat)}</p>
  </div>`;
}

function one(context: Context, i: number, convention: Convention) {
  const key = `canon${i}` as const;
  const reply = context.replies[key];
  const found = reply?.value ?? reply?.progress?.best;
  const text = found?.kind === "grid" ? found.minlex : found?.[convention];
  const [rows, cols] = boxOf(context.position);
  const parting = partingCell(context, convention);
  const shown = context.view.formBoards ?? parting.size > 0;
  return html`<div class="form-line">
    ${waitingFor(context, key)}
    ${
      text && text.length === (rows * cols) ** 2
        ? html`<h3>${words.names[i]}</h3><p class="form-text code ${reply?.stale ? "stale" : ""}">${text}</p>
          <div class="row wrap"><button class="plain" @click=${() => copy(context, text)}>${words.copy}</button>
            <button class="plain" aria-expanded=${shown} @click=${() => context.set({ formBoards: !shown })}>${shown ? words.hideBoard : words.showBoard}</button></div>
          ${shown ? html`<div class="form">${grid({ rows, cols, ...underneath([rows, cols], rulesOf(context.position, i)), tokens: tokensOf(text), label: words.formOf(i), stale: reply?.stale, wrong: parting })}</div>` : nothing}`
        : found?.kind === "puzzle"
          ? html`<p class="note">${found.no_carried}</p>`
          : nothing
    }
  </div>`;
}

/** Both forms at once, a line each. */
function both(context: Context, found: (CanonResult | null | undefined)[], convention: Convention) {
  const texts = found.map((one) => (one?.kind === "grid" ? one.minlex : one?.[convention])).filter(Boolean);
  if (texts.length < 2) return nothing;
  return html`<button class="soft" @click=${() => copy(context, texts.join("\n"))}>${words.copyBoth}</button>`;
}

/** Where two least forms part, if that is the reason given. */
function partingCell(context: Context, convention: Convention) {
  const because = context.replies.same?.value?.because;
  const complete = context.replies.canon0?.value?.kind === "grid";
  if (because?.row == null || because.col == null) return new Set() as Set<number>;
  if (because.kind !== "forms" || context.view.names || !(complete || convention === "straight"))
    return new Set() as Set<number>;
  return new Set([because.row * sizeOf(context.position) + because.col]);
}

export async function copy(context: Context, text: string) {
  try {
    await navigator.clipboard.writeText(text);
    context.tell(words.copied);
  } catch {
    context.tell(text);
  }
}
