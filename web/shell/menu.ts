/** The menu, the settings, and the help sheet, which is made of the key tables. */

import type { Binding } from "../session/keys.js";
import * as store from "../session/store.js";
import { applySettings } from "../session/theme.js";
import { quoted } from "../session/version.js";
import { words } from "../strings.js";
import { html, nothing } from "../vendor.js";
import { choice } from "../widgets/choice.js";
import { dialogIn } from "../widgets/dialog.js";
import type { Actions } from "./header.js";
import { shelfDialog } from "./saved-dialog.js";

export function menuDialog(actions: Actions) {
  const open = (draw: (actions: Actions) => unknown) => () => actions.open(() => draw(actions));
  const here = actions.history() !== null;
  return dialogIn(actions, {
    title: words.menu,
    body: html`<div class="menu">
      ${here ? item(words.examples, words.examplesWhat, open(examplesDialog)) : nothing}
      ${item(words.shelf, words.shelfWhat, () => openShelf(actions))}
      ${item(words.settings, words.settingsWhat, open(settingsDialog))}
      ${item(words.help, words.helpWhat, open(helpDialog))}
      <a class="menu-item" href=${actions.guide()}><b>${words.guide}</b><span>${words.guideWhat}</span></a>
      <a class="menu-item" href="console.html"><b>${words.console}</b><span>${words.consoleWhat}</span></a>
      <p class="quiet version">${words.version(quoted() || actions.version())} · <a href="docs/index.html#kept">${words.whatIsKept}</a> · <a href="docs/licences.html">${words.licences}</a></p>
    </div>`,
  });
}

/** Positions with known answers on the open desk. */
function examplesDialog(actions: Actions) {
  const take = (position: unknown) => () => {
    actions.open(null);
    actions.example(position);
  };
  return dialogIn(actions, {
    title: words.examples,
    body: html`<ul class="list">${actions.examples().map(
      (example) => html`<li><button class="list-item" @click=${take(example.position)}>
        <b>${example.title}</b><span>${example.fact}</span></button></li>`,
    )}</ul>`,
  });
}

function item(title: string, what: string, run: () => void) {
  return html`<button class="menu-item" @click=${run}><b>${title}</b><span>${what}</span></button>`;
}

async function openShelf(actions: Actions) {
  const draw = await shelfDialog(actions);
  actions.open(draw);
}

function settingsDialog(actions: Actions) {
  const change = (name: string) => (value: string) => {
    store.changeSetting(name, value);
    applySettings();
    actions.redraw();
  };
  const value = (name: string) => store.setting(name) as any; // any: a key of the options
  return dialogIn(actions, {
    title: words.settings,
    body: html`
      <h3>${words.theme}</h3>
      ${choice({ label: words.theme, options: words.themes, value: value("theme"), onChange: change("theme") })}
      <h3>${words.palette}</h3>
      ${choice({ label: words.palette, options: words.palettes, value: value("palette"), onChange: change("palette") })}
      ${store.lasting === false ? html`<p class="note">${words.storageOff}</p>` : nothing}`,
  });
}

export function helpDialog(actions: Actions) {
  return dialogIn(actions, {
    title: words.keysTitle,
    body: html`${keySheet(words.keysDesk, actions.deskKeys())}${keySheet(words.keysShell, actions.shellKeys())}
      <p><a href=${actions.guide()}>${words.guide}</a></p>`,
  });
}

function keySheet(title: string, bindings: Binding[]) {
  if (!bindings.length) return nothing;
  return html`<h3>${title}</h3><dl class="keys">${bindings.map(
    (b) => html`<dt>${spans(b.keys).map((key) => html`<kbd>${key}</kbd> `)}</dt><dd>${b.label}</dd>`,
  )}</dl>`;
}

/** Runs of digits and letters become one span: 0 1 2 3 → "0–3". */
function spans(keyNames: string[]) {
  const runs: string[][] = [];
  for (const key of keyNames) {
    const last = runs.at(-1)?.at(-1);
    const next = last?.length === 1 && key.length === 1 && key.charCodeAt(0) === last.charCodeAt(0) + 1;
    if (next) runs.at(-1)?.push(key);
    else runs.push([key]);
  }
  return runs.flatMap((run) => (run.length > 2 ? [`${run[0]}–${run.at(-1)}`] : run.map(shown)));
}

function shown(key: string) {
  return key
    .replace("ArrowLeft", "←")
    .replace("ArrowRight", "→")
    .replace("ArrowUp", "↑")
    .replace("ArrowDown", "↓")
    .replace("Ctrl+", "Ctrl ")
    .replace("Shift+", "Shift ")
    .replace(/^ $/, "Space");
}
