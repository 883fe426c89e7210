/** The frame around every desk: header, tabs, notices, dialogs, home. Draws; decides nothing. */
import { desks } from "./desks/index.js";
import * as store from "./session/store.js";
import { html, nothing } from "./vendor.js";
import { choice } from "./widgets/choice.js";
import { dialog } from "./widgets/dialog.js";
import { words } from "./words.js";

/** @typedef {import("./session/keys.js").Binding} Binding */

/**
 * @typedef {object} Actions
 * @property {(steps: number) => void} move
 * @property {(draw: (() => unknown) | null) => void} open
 * @property {() => void} share
 * @property {(fragment: string) => void} go
 * @property {() => void} redraw
 * @property {(text: string, tone?: string) => void} notice
 * @property {() => void} retry
 * @property {() => Binding[]} deskKeys
 */

const MARK = html`<svg viewBox="0 0 24 24" aria-hidden="true"><circle cx="12" cy="12" r="9.5"></circle>
  <path d="M12 2.5v19M12 12h9.5M12 12l6.7 6.7"></path></svg>`;
const ARROW = { undo: "M9 7 4 12l5 5M4 12h10a6 6 0 0 1 0 12", redo: "M15 7l5 5-5 5M20 12H10a6 6 0 0 0 0 12" };

/** @param {any} state @param {Actions} actions */
export function top(state, actions) {
  const { history, phase } = state;
  return html`<a class="mark" href="#/">${MARK}<span>${words.name}</span></a>
    <nav class="tabs" aria-label=${words.desks}>${tabs(state.desk)}</nav>
    <div class="tools">
      ${
        history
          ? html`
          ${tool("undo", words.undoStep(history.undoLabel), history.canUndo, () => actions.move(-1))}
          ${tool("redo", words.redoStep(history.redoLabel), history.canRedo, () => actions.move(1))}`
          : nothing
      }
      <button class="icon" aria-label=${words.help} @click=${() => actions.open(() => helpDialog(actions))}>?</button>
      <button class="icon" aria-label=${words.settings} @click=${() => actions.open(() => settingsDialog(actions))}>${GEAR}</button>
      ${history ? html`<button class="main" @click=${actions.share}>${words.share}</button>` : nothing}
    </div>
    ${phaseLine(phase)}`;
}

const GEAR = html`<svg class="line" viewBox="0 0 24 24" aria-hidden="true">
  <path d="M4 7h10M18 7h2M4 17h2M10 17h10"></path><circle cx="16" cy="7" r="2.2"></circle><circle cx="8" cy="17" r="2.2"></circle></svg>`;

/** @param {"undo" | "redo"} name @param {string} label @param {boolean} can @param {() => void} run */
function tool(name, label, can, run) {
  return html`<button class="icon" aria-label=${label} title=${label} ?disabled=${!can} @click=${run}>
    <svg class="line" viewBox="0 0 24 24" aria-hidden="true"><path d=${ARROW[name]} transform="translate(0 -3)"></path></svg>
  </button>`;
}

/** @param {string} open */
function tabs(open) {
  return Object.entries(desks).map(
    ([name, desk]) =>
      html`<a href=${`#/${name}`} aria-current=${name === open ? "page" : nothing}>${desk.title}</a>`,
  );
}

/** A hair of progress under the header while Python comes. @param {any} phase */
function phaseLine(phase) {
  if (phase.name === "ready" || phase.name === "failed") return nothing;
  const share = phase.total ? phase.done / phase.total : 0;
  return html`<i class="phase" role="progressbar" aria-label=${words.phases.loading}
    aria-valuenow=${Math.round(share * 100)} .style=${`--share:${share}`}></i>`;
}

/** The tabs at the foot of a phone. @param {any} state */
export function bottom(state) {
  return tabs(state.desk);
}

/** What lies over the page: the open dialog, the notice. @param {any} state @param {Actions} actions */
export function layer(state, actions) {
  return html`${state.dialog ? state.dialog() : nothing}${noticeBox(state, actions)}`;
}

/** @param {any} state @param {Actions} actions */
function noticeBox(state, actions) {
  const failed = state.phase.name === "failed";
  if (!failed && !state.notice) return nothing;
  const text = state.notice?.text ?? `${words.phases.failed}. ${state.phase.message} ${words.stillWorks}`;
  const tone = failed && !state.notice ? "risk" : state.notice.tone;
  const action = state.notice?.action ?? (failed ? { label: words.tryAgain, run: actions.retry } : null);
  return html`<div class="notice ${tone}" role=${tone === "risk" ? "alert" : "status"}>
    <p>${text}</p>
    ${action ? html`<button class="plain" @click=${action.run}>${action.label}</button>` : nothing}
    ${state.notice ? html`<button class="icon" aria-label=${words.close} @click=${() => actions.notice("")}>✕</button>` : nothing}
  </div>`;
}

/** The way in: the desks as cards. */
export function home() {
  return html`<section class="home">
    <h1>${words.homeTitle}</h1><p class="lead">${words.homeText}</p>
    <ul class="cards">${Object.entries(desks).map(
      ([name, desk]) => html`<li><a class="card" href=${`#/${name}`}>
        <b>${desk.title}</b><span>${desk.game}</span></a></li>`,
    )}</ul>
  </section>`;
}

/** @param {string} address @param {{open: Actions["open"], notice: Actions["notice"]}} actions */
export function shareDialog(address, { open, notice }) {
  return dialog({
    title: words.share,
    close: words.close,
    onClose: () => open(null),
    body: html`<p>${words.shareWhy}</p>
      <input class="field code" readonly aria-label=${words.share} .value=${address}
        @focus=${(/** @type {any} */ event) => event.target.select()}>
      <button class="main" @click=${(/** @type {any} */ event) => copy(address, event, notice)}>${words.copyLink}</button>`,
  });
}

/** @param {string} text @param {any} event @param {Actions["notice"]} notice */
async function copy(text, event, notice) {
  const field = event.target.closest("dialog")?.querySelector("input");
  try {
    await navigator.clipboard.writeText(text);
    notice(words.copied);
    event.target.closest("dialog")?.close();
  } catch {
    field?.select();
    notice(words.copyByHand);
  }
}

/** @param {Actions} actions */
function settingsDialog(actions) {
  const change = (/** @type {string} */ name) => (/** @type {string} */ value) => {
    store.changeSetting(name, value);
    applySettings();
    actions.redraw();
  };
  return dialog({
    title: words.settings,
    close: words.close,
    onClose: () => actions.open(null),
    body: html`
      <h3>${words.theme}</h3>
      ${choice({ label: words.theme, options: words.themes, value: /** @type {any} */ (store.setting("theme")), onChange: change("theme") })}
      <h3>${words.palette}</h3>
      ${choice({ label: words.palette, options: words.palettes, value: /** @type {any} */ (store.setting("palette")), onChange: change("palette") })}
      ${store.lasting === false ? html`<p class="note">${words.storageOff}</p>` : nothing}`,
  });
}

/** Bring the settings onto the root element, where the tokens look for them. */
export function applySettings() {
  const root = document.documentElement;
  root.dataset.theme = store.setting("theme");
  root.dataset.palette = store.setting("palette");
}

/** The keys that work on every desk. @param {Actions} actions @returns {Binding[]} */
export function keys(actions) {
  return [
    { keys: ["Ctrl+z"], label: words.undo, run: () => actions.move(-1) },
    { keys: ["Ctrl+Shift+z", "Ctrl+y"], label: words.redo, run: () => actions.move(1) },
    { keys: ["?"], label: words.help, run: () => actions.open(() => helpDialog(actions)) },
    { keys: ["Ctrl+s"], label: words.share, run: actions.share },
  ];
}

/** @param {Actions} actions */
function helpDialog(actions) {
  return dialog({
    title: words.keysTitle,
    close: words.close,
    onClose: () => actions.open(null),
    body: html`${keySheet(words.keysDesk, actions.deskKeys())}${keySheet(words.keysShell, keys(actions))}`,
  });
}

/** @param {string} title @param {Binding[]} bindings */
function keySheet(title, bindings) {
  if (!bindings.length) return nothing;
  return html`<h3>${title}</h3><dl class="keys">${bindings.map(
    (b) => html`<dt>${b.keys.map((key) => html`<kbd>${shown(key)}</kbd> `)}</dt><dd>${b.label}</dd>`,
  )}</dl>`;
}

/** @param {string} key */
function shown(key) {
  return key
    .replace("Arrow", "")
    .replace("Ctrl+", "Ctrl ")
    .replace("Shift+", "Shift ")
    .replace(/^ $/, "Space");
}
