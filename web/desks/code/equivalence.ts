/** Two games compared, and whole strategies. */

import type { Branch, Strategy } from "../../types/code.js";
import { html, nothing } from "../../vendor.js";
import { choice } from "../../widgets/choice.js";
import { download } from "../../widgets/file.js";
import { foldFor } from "../../widgets/fold.js";
import { whole } from "../../widgets/numbers.js";
import { explained } from "../../widgets/term.js";
import { waitingFor } from "../../widgets/waiting.js";
import { checkStrategyPanel } from "./check-strategy.js";
import { strategyTree } from "./decision-tree.js";
import type { Context, Position, View } from "./model.js";
import { rulesOf } from "./model.js";
import { SameStateGame } from "./same-state.js";
import { words } from "./strings.js";

/** The folds below the relations: another game, whole strategies. */
export function theoryFolds(context: Context) {
  return html`<section class="card more-box">
    ${foldFor(context, "others", words.otherTitle, () => SameStateGame(context))}${strategies(context)}${foldFor(context, "checks", words.checkTitle, () => checkStrategyPanel(context, histogram))}
  </section>`;
}

/** Where whole strategies begin: at the rows so far, or at the first guess. */
export function strategyFrom(position: Position, view: View) {
  const clues = view.strategyStart === "start" ? [] : (position.clues ?? []);
  return { rules: rulesOf(position), clues };
}

function strategies(context: Context) {
  return foldFor(context, "strategies", words.strategyTitle, () => {
    const reply = context.replies.strategy;
    const found = reply?.state === "done" ? reply.value : reply?.progress?.best;
    const picked = context.view.strategyPick ?? "entropy";
    return html`<p class="quiet">${words.strategyText}</p>
      ${
        context.position.clues?.length
          ? choice({
              label: words.strategyWhere,
              options: words.strategyStarts,
              value: context.view.strategyStart ?? "here",
              onChange: (value) => context.set({ strategyStart: value, strategy: null, unfolded: [] }),
            })
          : nothing
      }
      ${choice({ label: words.strategyTitle, options: words.strategies, value: picked, onChange: (value) => context.set({ strategyPick: value, strategy: null, unfolded: [] }) })}
      ${context.view.strategy ? nothing : html`<p><button class="soft" @click=${() => context.set({ strategy: picked })}>${words.run}</button></p>`}
      ${waitingFor(context, "strategy")}
      ${found?.total ? html`<p>${explained(words.strategyResult(found, picked === "optimal"))}</p>${histogram(found.histogram ?? [])}` : nothing}
      ${
        reply?.state === "done"
          ? html`${foldFor(context, "tree", words.treeOpen, () => drawn(context, reply.value))}
          <button class="plain" @click=${() => saveTree(context, picked, reply.value)}>${words.saveTree}</button>`
          : nothing
      }`;
  });
}

function drawn(context: Context, found: Strategy | null | undefined) {
  if (!found?.tree) return nothing;
  return html`<p class="quiet">${words.treeText}</p>${strategyTree(context, found.tree)}`;
}

/** The whole decision tree as two files: text to read, JSON to work with. */
function saveTree(
  context: Context,
  criterion: import("./model.js").Strategy,
  found: Strategy | null | undefined,
) {
  if (!found?.tree) return;
  const rules = rulesOf(context.position);
  const name = `cluewise-${criterion}-p${rules.pegs}c${rules.colours}${rules.repeat ? "r" : "n"}`;
  download(`${name}.json`, new Blob([JSON.stringify(found.tree)], { type: "application/json" }));
  download(`${name}.txt`, new Blob([treeText(found.tree).join("\n")], { type: "text/plain" }));
}

/** @returns a line a guess */
export function treeText(branch: Branch, indent: string = "", answer: string = ""): string[] {
  const line = `${indent}${answer ? `${answer}: ` : ""}${branch.guess} (${branch.left})`;
  const below = Object.entries(branch.answers ?? {});
  return [line, ...below.flatMap(([next, child]) => treeText(child, `${indent}  `, next))];
}

/** @param counts how many codes end after 1, 2, 3 … guesses */
function histogram(counts: number[]) {
  const largest = Math.max(1, ...counts);
  return html`<ul class="answers">${counts.map(
    (n, i) =>
      html`<li class="answer"><span class="column"><i .style=${`height:${(100 * n) / largest}%`}></i></span><b>${whole(n)}</b>${i + 1}</li>`,
  )}</ul>`;
}
