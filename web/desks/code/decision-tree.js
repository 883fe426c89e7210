/** A whole strategy as a tree to look at: a guess, every answer with what it leaves, the guess after it. */
import { html, nothing } from "../../vendor.js";
import { whole } from "../../widgets/numbers.js";
import { signsOf, spelled } from "./colour-names.js";
import { answerOf, rulesOf } from "./model.js";
import { pegs, pins } from "./pegs.js";
import { words } from "./strings.js";

/** @typedef {import("./model.js").Context} Context */
/** @typedef {import("../../types/code.js").Branch} Branch */

/** Each level is drawn once it is open: a tree of thousands of guesses costs what one sees of it. @param {Context} context @param {Branch} root */
export function strategyTree(context, root) {
  const signs = signsOf(context.position);
  return html`<section class="play-tree" aria-label=${words.treeTitle}>
    <p class="row wrap">${pegs(root.guess, signs)}<span>${words.treeFirst(spelled(root.guess, signs), root.left)}</span></p>
    ${answers(context, root, "")}</section>`;
}

/** @param {Context} context @param {Branch} branch @param {string} path the answers so far @returns {unknown} */
function answers(context, branch, path) {
  const below = Object.entries(branch.answers ?? {}).sort(([, a], [, b]) => b.left - a.left);
  const { pegs: count } = rulesOf(context.position);
  const found = branch.left - below.reduce((sum, [, child]) => sum + child.left, 0);
  return html`<ul>
    ${below.map(([answer, child]) => html`<li>${next(context, answer, child, `${path} ${answer}`)}</li>`)}
    ${
      found
        ? html`<li><p class="leaf">${pins({ exact: count, partial: 0 }, count)}<span class="after"><span class="code">${count}A0B</span>${words.treeFound}</span></p></li>`
        : nothing
    }
  </ul>`;
}

/** What comes after an answer: the next guess, and its answers once it is opened. @param {Context} context @param {string} answer "1A2B" @param {Branch} branch @param {string} path */
function next(context, answer, branch, path) {
  const signs = signsOf(context.position);
  const rules = rulesOf(context.position);
  const depth = depthOf(branch);
  const said = words.treeNext(answer, spelled(branch.guess, signs), branch.left, depth);
  const line = html`${pins(answerOf(answer, rules), rules.pegs)}<span class="unseen">${said}</span>
    <span class="after" aria-hidden="true"><span class="code">${answer}</span><b>${whole(branch.left)}</b>${pegs(branch.guess, signs)}<span class="faint">${words.treeDepth(branch.left, depth)}</span></span>`;
  if (!branch.answers) return html`<p class="leaf">${line}</p>`;
  const open = context.view.unfolded?.includes(path) ?? false;
  return html`<details ?open=${open} @toggle=${(/** @type {import("../../widgets/on.js").OnToggle} */ e) =>
    e.target.open !== open && unfold(context, path, e.target.open)}>
    <summary>${line}</summary>${open ? answers(context, branch, path) : nothing}</details>`;
}

/** @param {Context} context @param {string} path @param {boolean} open */
function unfold(context, path, open) {
  const others = (context.view.unfolded ?? []).filter((one) => one !== path);
  context.set({ unfolded: open ? [...others, path] : others });
}

/** @type {WeakMap<Branch, number>} a tree is drawn again at every press, and does not change */
const depths = new WeakMap();

/** How many guesses it takes at most from here on. @param {Branch} branch @returns {number} */
function depthOf(branch) {
  const known = depths.get(branch);
  if (known !== undefined) return known;
  const depth = 1 + Math.max(0, ...Object.values(branch.answers ?? {}).map(depthOf));
  depths.set(branch, depth);
  return depth;
}
