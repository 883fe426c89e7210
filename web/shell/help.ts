/** The help sheet, generated from the key tables. */

import type { Binding } from "../session/keys.js";
import { words } from "../strings.js";
import { html, nothing } from "../vendor.js";
import { dialogIn } from "../widgets/dialog.js";
import type { Actions } from "./header.js";

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
