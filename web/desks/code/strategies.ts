/** Whole strategies: computed by a rule, drawn as a decision tree, or entered and played against every code. */

import type { Branch, CheckedStrategy, Strategy } from "../../types/code.js";
import { html, nothing } from "../../vendor.js";
import { download, fileButton } from "../../widgets/file.js";
import { whole } from "../../widgets/numbers.js";
import type { OnToggle } from "../../widgets/on.js";
import { choice, foldFor } from "../../widgets/panel.js";
import { explained } from "../../widgets/term.js";
import { waitingFor } from "../../widgets/waiting.js";
import { signsOf, spelled } from "./colour-names.js";
import type { Context, Strategy as Criterion, Position, Requests, View } from "./model.js";
import { parseAnswer, rulesOf } from "./model.js";
import { pegs, pins } from "./picture.js";
import { words } from "./strings.js";

/** The position that whole strategies start from: the rows so far, or none. */
export function strategyPosition(position: Position, view: View) {
  const clues = view.strategyStart === "start" ? [] : (position.clues ?? []);
  return { rules: rulesOf(position), clues };
}

/** The panel that computes a whole strategy by a rule. */
export function strategyPanel(context: Context) {
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
          ? html`${foldFor(context, "tree", words.treeOpen, () => treePanel(context, reply.value))}
          <button class="plain" @click=${() => saveTree(context, picked, reply.value)}>${words.saveTree}</button>`
          : nothing
      }`;
  });
}

function treePanel(context: Context, found: Strategy | null | undefined) {
  if (!found?.tree) return nothing;
  return html`<p class="quiet">${words.treeText}</p>${strategyTree(context, found.tree)}`;
}

/** Save the decision tree as text and as JSON. */
function saveTree(context: Context, criterion: Criterion, found: Strategy | null | undefined) {
  if (!found?.tree) return;
  const rules = rulesOf(context.position);
  const name = `cluewise-${criterion}-p${rules.pegs}c${rules.colours}${rules.repeat ? "r" : "n"}`;
  download(`${name}.json`, new Blob([JSON.stringify(found.tree)], { type: "application/json" }));
  download(`${name}.txt`, new Blob([treeText(found.tree).join("\n")], { type: "text/plain" }));
}

/** The decision tree as indented lines, one for each guess. */
export function treeText(branch: Branch, indent: string = "", answer: string = ""): string[] {
  const line = `${indent}${answer ? `${answer}: ` : ""}${branch.guess} (${branch.left})`;
  const below = Object.entries(branch.answers ?? {});
  return [line, ...below.flatMap(([next, child]) => treeText(child, `${indent}  `, next))];
}

/** @param counts the number of codes found after 1, 2, 3 … guesses */
function histogram(counts: number[]) {
  const largest = Math.max(1, ...counts);
  return html`<ul class="answers">${counts.map(
    (n, i) =>
      html`<li class="answer"><span class="column"><i .style=${`height:${(100 * n) / largest}%`}></i></span><b>${whole(n)}</b>${i + 1}</li>`,
  )}</ul>`;
}

/** A strategy as a tree: a guess, and for every answer the codes left and the next guess. Only open nodes are
 * drawn, since trees have thousands of guesses. */
function strategyTree(context: Context, root: Branch) {
  const signs = signsOf(context.position);
  return html`<section class="play-tree" aria-label=${words.treeTitle}>
    <p class="row wrap">${pegs(root.guess, signs)}<span>${words.treeFirst(spelled(root.guess, signs), root.left)}</span></p>
    ${answerList(context, root, "")}</section>`;
}

/** The answers to a guess. @param path the answers so far */
function answerList(context: Context, branch: Branch, path: string): unknown {
  const below = Object.entries(branch.answers ?? {}).sort(([, a], [, b]) => b.left - a.left);
  const { pegs: count } = rulesOf(context.position);
  const found = branch.left - below.reduce((sum, [, child]) => sum + child.left, 0);
  return html`<ul>
    ${below.map(([answer, child]) => html`<li>${answerNode(context, answer, child, `${path} ${answer}`)}</li>`)}
    ${
      found
        ? html`<li><p class="leaf">${pins({ exact: count, partial: 0 }, count)}<span class="after"><span class="code">${count}A0B</span>${words.treeFound}</span></p></li>`
        : nothing
    }
  </ul>`;
}

/** An answer with the next guess, and the answers to that once it is open. @param answer "1A2B" */
function answerNode(context: Context, answer: string, branch: Branch, path: string) {
  const signs = signsOf(context.position);
  const rules = rulesOf(context.position);
  const depth = depthOf(branch);
  const spoken = words.treeNext(answer, spelled(branch.guess, signs), branch.left, depth);
  const line = html`${pins(parseAnswer(answer, rules), rules.pegs)}<span class="unseen">${spoken}</span>
    <span class="after" aria-hidden="true"><span class="code">${answer}</span><b>${whole(branch.left)}</b>${pegs(branch.guess, signs)}<span class="faint">${words.treeDepth(branch.left, depth)}</span></span>`;
  if (!branch.answers) return html`<p class="leaf">${line}</p>`;
  const open = context.view.unfolded?.includes(path) ?? false;
  return html`<details ?open=${open} @toggle=${(e: OnToggle) =>
    e.target.open !== open && setOpen(context, path, e.target.open)}>
    <summary>${line}</summary>${open ? answerList(context, branch, path) : nothing}</details>`;
}

/** Open or close a node. */
function setOpen(context: Context, path: string, open: boolean) {
  const others = (context.view.unfolded ?? []).filter((one) => one !== path);
  context.set({ unfolded: open ? [...others, path] : others });
}

/** Depths by node: a tree is redrawn on every change of the view. */
const depths: WeakMap<Branch, number> = new WeakMap();

/** The largest number of guesses from here on. */
function depthOf(branch: Branch): number {
  const known = depths.get(branch);
  if (known !== undefined) return known;
  const depth = 1 + Math.max(0, ...Object.values(branch.answers ?? {}).map(depthOf));
  depths.set(branch, depth);
  return depth;
}

/** The request while a strategy is checked: from the first guess, under the rules of the position. */
export function checkRequests({ position, view }: Pick<Context, "position" | "view">): Requests {
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

/** The panel that plays a pasted or opened strategy against every code, and compares two. */
export function checkStrategyPanel(context: Context) {
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
        ${fileButton(words.checkFiles, take, { multiple: true })}</div>
    </form>
    ${context.view.checked ? waitingFor(context, "check") : nothing}
    ${context.view.checked && reply?.state === "done" && reply.value ? checkedStrategies(context, reply.value) : nothing}`;
}

function checkedStrategies(context: Context, found: CheckedStrategy) {
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
    ${found.comparison ? html`<p>${words.checkCompared(found.comparison)}</p>${largestDifferences(found.comparison.examples, signs)}` : nothing}</div>`;
}

function largestDifferences(found: Record<string, number[]>, signs: string[]) {
  const rows = Object.entries(found);
  if (!rows.length) return nothing;
  return html`<table class="table"><thead><tr>${words.checkColumns.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
    <tbody>${rows.map(
      ([code, steps]) =>
        html`<tr><th scope="row" class="code">${spelled(code, signs)}</th>${steps.map((n) => html`<td class="n">${whole(n)}</td>`)}</tr>`,
    )}</tbody></table>`;
}
