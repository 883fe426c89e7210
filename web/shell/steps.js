/** The way so far as a list to jump in, and named moments: "suppose…". */
import { html, nothing } from "../vendor.js";
import { dialog } from "../widgets/dialog.js";
import { words } from "../words.js";

/** @typedef {import("./frame.js").Actions} Actions */

/** @param {Actions} actions */
export function supposeDialog(actions) {
  const take = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const field = /** @type {HTMLFormElement} */ (event.currentTarget).querySelector("input");
    actions.mark(field?.value.trim() || words.supposeDefault);
    actions.open(null);
  };
  return dialog({
    title: words.suppose,
    close: words.close,
    onClose: () => actions.open(null),
    body: html`<p>${words.supposeHow}</p>
      <form @submit=${take} class="row">
        <input class="field" maxlength="80" aria-label=${words.supposeName} placeholder=${words.supposeDefault}>
        <button class="main">${words.supposeTake}</button>
      </form>
      ${marks(actions)}`,
  });
}

/** @param {Actions} actions */
function marks(actions) {
  const history = actions.history();
  const found = history ? history.listed().filter(({ one }) => history.nameOf(one)) : [];
  if (!history || !found.length) return nothing;
  return html`<h3>${words.backTo}</h3><ul class="list">${found.map(
    ({ one, step }) => html`<li><button class="list-item" @click=${() => jump(actions, one.id)}>
      <b>${history.nameOf(one)}</b><span>${words.stepNumber(step)}</span></button></li>`,
  )}</ul>`;
}

/** Every moment of the game; what is off the present way stands indented where it leaves it. @param {Actions} actions */
export function stepsDialog(actions) {
  const history = actions.history();
  return dialog({
    title: words.steps,
    close: words.close,
    onClose: () => actions.open(null),
    body: html`<ol class="list">${(history?.listed() ?? []).map(
      ({ one, step, depth }) => html`<li class=${`branch-${Math.min(depth, 4)}`}>
        <button class="list-item" aria-current=${one === history?.present ? "step" : nothing} @click=${() => jump(actions, one.id)}>
          <b>${one.label || words.beginning}</b>
          <span>${[history?.nameOf(one) || words.stepNumber(step), depth ? words.branch : ""].filter(Boolean).join(" · ")}</span>
        </button></li>`,
    )}</ol>`,
  });
}

/** @param {Actions} actions @param {string} id */
function jump(actions, id) {
  actions.open(null);
  actions.jump(id);
}
