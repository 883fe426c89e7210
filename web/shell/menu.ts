/** The menu, and the settings. */

import * as store from "../session/store.js";
import { applySettings } from "../session/theme.js";
import { quoted } from "../session/version.js";
import { words } from "../strings.js";
import { html, nothing } from "../vendor.js";
import { choice } from "../widgets/choice.js";
import { dialogIn } from "../widgets/dialog.js";
import type { Actions } from "./header.js";
import { helpDialog } from "./help.js";
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
