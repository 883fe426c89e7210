/** Looking at one board: symmetries, solutions, which other rules it can obey; and at two: the closest match. */

import type { View } from "../../types/sudoku.js";
import { html, nothing } from "../../vendor.js";
import { grid } from "../../widgets/grid.js";
import { waitingFor } from "../../widgets/waiting.js";
import { underneath } from "./board-panel.js";
import type { Context } from "./model.js";
import { boardOf, boxOf, isComplete, moved, sizeOf, tokensOf, withBoard } from "./model.js";
import { fold, left, which } from "./sections.js";
import { words } from "./strings.js";
import { symmetries } from "./symmetries.js";
import { filled, focus } from "./witness-player.js";

export function analysisPanels(context: Context) {
  const there = filled(context.position);
  if (!there.length) return nothing;
  return html`<section class="card folds">
    ${fold(context, "symmetries", words.symmetries, () => symmetries(context, waitingFor(context, "automorphisms")))}
    ${fold(context, "solving", words.solve, () => solving(context))}
    ${there.length === 2 ? fold(context, "near", words.near, () => near(context)) : nothing}
  </section>`;
}

function solving(context: Context) {
  const board = focus(context);
  const key = `solve${board}` as const;
  const found = context.replies[key]?.value;
  const [rows, cols] = boxOf(context.position);
  if (!found) return html`${which(context)}${waitingFor(context, key)}`;
  return html`${which(context)}
    <p>${found.not_compared && !found.compared ? words.asPlainHead : ""}${words.solveText[found.solutions as keyof typeof words.solveText]} ${found.conflict ?? ""}</p>
    ${left(found)}
    <div class="form-row">${found.found.map(
      (text) => html`<div class="form">${grid({ rows, cols, tokens: tokensOf(text), label: words.solve })}
        <button class="plain" data-edit @click=${() => context.commit(withBoard(context.position, board, text), words.useSolution)}>${words.useSolution}</button></div>`,
    )}</div>`;
}

function near(context: Context) {
  const found = context.replies.nearest?.value;
  const [rows, cols] = boxOf(context.position);
  return html`<p class="quiet">${words.nearText}</p>${waitingFor(context, "nearest")}
    ${
      found
        ? html`<p><b class="big">${words.nearResult(found)}</b> ${found.exact ? words.nearExact : ""} ${found.agree === found.of ? words.nearAll : ""}</p>
        ${left(found)}<p class="quiet">${words.nearShow}</p>
        <div class="form">${grid({ rows, cols, tokens: moved(found.witness, tokensOf(boardOf(context.position, 0))), label: words.nearShow, wrong: new Set(found.differs) })}</div>`
        : nothing
    }`;
}

/** In how many ways a complete grid can be an X-sudoku, a windoku and others, with a redrawn board each. */
export function viewing(context: Context) {
  return fold(context, "viewing", words.views, () => views(context));
}

function views(context: Context) {
  const board = boardOf(context.position, focus(context));
  const reply = context.replies.views;
  const refused = sizeOf(context.position) !== 9 || !isComplete(board);
  return html`${which(context)}<p class="quiet">${words.viewsText}</p>${
    refused
      ? html`<p class="note">${words.viewsNeed}</p>`
      : html`${waitingFor(context, "views")}
        ${reply?.value ? html`${left(reply.value)}<ul class="views">${reply.value.views.map((one) => html`<li>${view(context, one)}</li>`)}</ul>` : nothing}`
  }`;
}

function view(context: Context, { kind, ways, example }: View) {
  const title = html`<b>${words.ruleNames[kind]}</b>: ${words.viewWays(ways)}`;
  if (!example) return html`<p>${title}</p>`;
  const rules = [{ kind }];
  const at = 1 - focus(context);
  const use = () => context.commit(withBoard(context.position, at, example, rules), words.viewTaken);
  return html`<details><summary>${title}</summary>
    <div class="form">${grid({ rows: 3, cols: 3, ...underneath([3, 3], rules), tokens: tokensOf(example), label: words.viewDrawn(kind) })}
      <div class="row wrap" data-edit><button class="plain" @click=${use}>${words.viewUse(at)}</button></div></div></details>`;
}
