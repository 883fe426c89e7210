/** In how many ways a complete grid can be an X-sudoku, a windoku and others, with a redrawn board each. */

import type { View } from "../../types/sudoku.js";
import { html, nothing } from "../../vendor.js";
import { grid } from "../../widgets/grid.js";
import { waitingFor } from "../../widgets/waiting.js";
import { underneath } from "./board-panel.js";
import type { Context } from "./model.js";
import { boardOf, isComplete, sizeOf, tokensOf, withBoard } from "./model.js";
import { fold, left, which } from "./sections.js";
import { words } from "./strings.js";
import { focus } from "./witness-player.js";

export function viewing(context: Context) {
  return fold(context, "viewing", words.views, () => body(context));
}

function body(context: Context) {
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
