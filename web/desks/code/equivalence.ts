/** For the curious: kinds of sameness, two guesses or two games compared, whole strategies. */

import type { Branch, Same, Strategy } from "../../types/code.js";
import { html, nothing } from "../../vendor.js";
import { choice } from "../../widgets/choice.js";
import { download } from "../../widgets/file.js";
import { whole } from "../../widgets/numbers.js";
import type { OnInput, OnToggle } from "../../widgets/on.js";
import { explained } from "../../widgets/term.js";
import { waiting } from "../../widgets/waiting.js";
import { checkStrategyPanel } from "./check-strategy.js";
import { codesOf, signsOf, spelled } from "./colour-names.js";
import { strategyTree } from "./decision-tree.js";
import type { Context, Position, View } from "./model.js";
import { rulesOf, SYMBOLS } from "./model.js";
import { pegs } from "./pegs.js";
import { SameStateGame, swaps } from "./same-state.js";
import { words } from "./strings.js";

const KINDS = Object.entries(words.classNames) as [keyof typeof words.classNames, string][];

export function equivalencePanel(context: Context) {
  return html`<section class="card more-box">
    ${sameness(context)}${folded(context, "others", words.otherTitle, () => SameStateGame(context))}${strategies(context)}${folded(context, "checks", words.checkTitle, () => checkStrategyPanel(context, histogram))}
  </section>`;
}

function folded(
  context: Context,
  flag: "classes" | "others" | "strategies" | "checks" | "tree",
  title: string,
  body: () => unknown,
) {
  const open = Boolean(context.view[flag]);
  return html`<details class="more" ?open=${open} @toggle=${(e: OnToggle) =>
    e.target.open !== open && context.set({ [flag]: e.target.open })}>
    <summary>${title}</summary>${open ? body() : nothing}</details>`;
}

function sameness(context: Context) {
  return folded(context, "classes", words.moreTitle, () => {
    const reply = context.replies.classes;
    const found = reply?.value;
    return html`<p class="quiet">${words.classesText}</p>
      ${waiting(reply, { phase: context.phase, stop: () => context.stop("classes"), again: () => context.again("classes") })}
      ${
        found
          ? html`<table class="table ${reply.stale ? "stale" : ""}"><tbody>${KINDS.map(
              ([kind, name]) =>
                html`<tr><th scope="row">${name}</th><td class="n">${found[kind] == null ? "–" : whole(found[kind])}</td></tr>`,
            )}</tbody></table>`
          : nothing
      }
      ${compare(context)}`;
  });
}

function compare(context: Context) {
  const rules = rulesOf(context.position);
  const two = context.view.compareText ?? ["", ""];
  const ready = two.every((text) => text.trim());
  const read = codesOf(two, context.position);
  const reply = context.replies.compare;
  const change = (i: number) => (e: OnInput) =>
    context.set({
      compareText: two.with(i, e.target.value) as [string, string],
      compare: null,
    });
  return html`<h2>${words.compare}</h2>
    <form class="row wrap" @submit=${(e: Event) => {
      e.preventDefault();
      if (ready) context.set({ compare: read ? (read.codes as [string, string]) : two });
    }}>
      ${[0, 1].map(
        (
          i,
        ) => html`<input class="field short code" aria-label=${`${words.compare} ${i + 1}`} maxlength="100" size=${Math.max(rules.pegs, two[i].length)}
        placeholder=${SYMBOLS.slice(i, i + rules.pegs)} .value=${two[i]} @input=${change(i)}>`,
      )}
      <button class="soft" ?disabled=${!ready}>${words.compareGo}</button>
    </form>
    ${waiting(reply, { phase: context.phase })}
    ${reply?.state === "done" && reply.value?.question && context.view.compare ? verdict(reply.value.question, context.view.compare, read?.signs ?? signsOf(context.position)) : nothing}`;
}

function verdict(found: Same, [a, b]: [string, string], signs: string[]) {
  const { same, kind, steps } = found;
  const both = [spelled(a, signs), spelled(b, signs)] as [string, string];
  if (same === null) return html`<p>${words.compareOpen(...both)}</p>`;
  if (!same) return html`<p>${words.compareNo(...both)}</p>`;
  return html`<p>${words.compareYes[(kind as keyof typeof words.compareYes)](...both)}</p>
    <ol class="walk">${steps.map(
      (step, i) =>
        html`<li class="row wrap">${pegs(i ? steps[i - 1].guess : a, signs)}<span aria-hidden="true">→</span>${pegs(step.guess, signs)}
          <span>${step.by === "colour" ? words.byColour : swaps(step, signs)}</span></li>`,
    )}</ol>`;
}

/** Where whole strategies begin: at the rows so far, or at the first guess. */
export function strategyFrom(position: Position, view: View) {
  const clues = view.strategyStart === "start" ? [] : (position.clues ?? []);
  return { rules: rulesOf(position), clues };
}

function strategies(context: Context) {
  return folded(context, "strategies", words.strategyTitle, () => {
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
      ${waiting(reply, { phase: context.phase, stop: () => context.stop("strategy"), again: () => context.again("strategy") })}
      ${found?.total ? html`<p>${explained(words.strategyResult(found, picked === "optimal"))}</p>${histogram(found.histogram ?? [])}` : nothing}
      ${
        reply?.state === "done"
          ? html`${folded(context, "tree", words.treeOpen, () => drawn(context, reply.value))}
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
