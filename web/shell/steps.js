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
  const found =
    history?.moments.flatMap((moment, at) => (moment.mark ? [{ at, mark: moment.mark }] : [])) ?? [];
  if (!found.length) return nothing;
  return html`<h3>${words.backTo}</h3><ul class="list">${found.map(
    ({ at, mark }) => html`<li><button class="list-item" @click=${() => jump(actions, at)}>
      <b>${mark}</b><span>${words.stepNumber(at)}</span></button></li>`,
  )}</ul>`;
}

/** @param {Actions} actions */
export function stepsDialog(actions) {
  const history = actions.history();
  return dialog({
    title: words.steps,
    close: words.close,
    onClose: () => actions.open(null),
    body: html`<ol class="list">${(history?.moments ?? []).map(
      (moment, at) => html`<li><button class="list-item" aria-current=${at === history?.at ? "step" : nothing}
        @click=${() => jump(actions, at)}>
        <b>${moment.label || words.beginning}</b><span>${moment.mark ?? words.stepNumber(at)}</span></button></li>`,
    )}</ol>`,
  });
}

/** @param {Actions} actions @param {number} at */
function jump(actions, at) {
  const history = actions.history();
  actions.open(null);
  if (history) actions.move(at - history.at);
}
