/** The frame around every desk: header, tabs, notices, menu, settings, and the help sheet of the key tables. */

import type { Example } from "../desks/desk.js";
import { desks } from "../desks/index.js";
import type { Binding } from "../session/keys.js";
import * as store from "../session/store.js";
import { quoted } from "../session/version.js";
import { words } from "../strings.js";
import { html, nothing } from "../vendor.js";
import { dialogIn } from "../widgets/dialog.js";
import { choice } from "../widgets/panel.js";
import { canOpenSmallWindow } from "./advice.js";
import type { History, Notice, State } from "./context.js";
import type { Games } from "./games.js";
import { branchDialog, openHistory } from "./history-panel.js";
import type { importExport } from "./import-export.js";
import { savedDialog } from "./saved-dialog.js";

/** Actions of the frame's buttons and keys. */
export interface Actions {
  games: Games;
  transfer: ReturnType<typeof importExport>;
  /** a position of the open desk */
  titleOf: (position: unknown) => string;
  /** the board of a position of the open desk, small */
  thumbnail: (position: unknown) => unknown;
  open: (draw: (() => unknown) | null) => void;
  /** open or close the small window */
  small: () => void;
  redraw: () => void;
  notice: (text: string, tone?: string, action?: Notice["action"], step?: string) => void;
  retry: () => void;
  /** what the button of the advice bar does */
  act: () => void;
  deskKeys: () => Binding[];
  /** the keys that work on every desk */
  shellKeys: () => Binding[];
  history: () => History | null;
  toggleText: () => void;
  /** of the open desk */
  examples: () => Example[];
  /** open one of them */
  example: (position: unknown) => void;
  /** the address of the guide to the open desk, or of all guides */
  guide: () => string;
  /** of the package, "" until it is ready */
  version: () => string;
}

const MARK = html`<svg viewBox="0 0 24 24" aria-hidden="true"><circle cx="12" cy="12" r="9.5"></circle>
  <path d="M12 2.5v19M12 12h9.5M12 12l6.7 6.7"></path></svg>`;
const SHAPES = {
  undo: "M8 5 3.500 9.500 8 14M4 9.500h10a5.500 5.500 0 0 1 0 11H10",
  steps: "M3.500 12a8.500 8.500 0 1 0 2.600-6.100M3.500 3.500v4h4M12 7.500V12l3 2",
  share: "M12 15V3.500M8 7l4-3.500L16 7M6 11H5v9.500h14V11h-1",
  small: "M3.500 5.500h17v13h-17zM12 12.500h6v4h-6z",
  menu: "M4 7h16M4 12h16M4 17h16",
  guide: "M12 3a9 9 0 1 0 .01 0M9.300 9.200a2.800 2.800 0 1 1 3.900 2.600c-.8.4-1.200.9-1.200 1.900M12 17v.1",
};

export function top(state: State, actions: Actions) {
  const { history, phase } = state;
  return html`<a class="mark ${history ? "sign-only" : ""}" href="#/" aria-label=${words.name}>${MARK}<span>${words.name}</span></a>
    ${history ? title(state.desk, actions) : nothing}
    <nav class="tabs" aria-label=${words.desks}>${tabs(state.desk)}</nav>
    <div class="tools">
      ${
        history
          ? html`
          ${tool("undo", words.undo, () => actions.games.move(-1), { label: words.undoStep(history.undoLabel), off: !history.canUndo })}
          ${tool("steps", words.steps, () => openHistory(actions))}
          ${canOpenSmallWindow() ? html`<span class="wide-only">${tool("small", words.small, actions.small, { label: words.smallWhat })}</span>` : nothing}
          ${tool("share", words.share, actions.transfer.share)}`
          : html`<a class="tool" href=${actions.guide()}>${sign("guide")}<span>${words.guide}</span></a>`
      }
      ${tool("menu", words.menu, () => actions.open(() => menuDialog(actions)))}
    </div>
    ${phaseLine(phase)}`;
}

/** The product's and the game's name on a narrow screen; opens the list of games. */
function title(desk: string, actions: Actions) {
  return html`<button class="title narrow-only" aria-haspopup="dialog" @click=${() => openHistory(actions)}>
    <small>${words.name}</small><b>${desks[desk].title} <span aria-hidden="true">▾</span></b><span class="unseen">, ${words.games}</span></button>`;
}

const sign = (name: keyof typeof SHAPES) =>
  html`<svg class="line" viewBox="0 0 24 24" aria-hidden="true"><path d=${SHAPES[name]}></path></svg>`;

/** A button with a sign and a word. @param more `label`: its accessible name, if it differs from the word */
function tool(
  name: keyof typeof SHAPES,
  word: string,
  run: () => void,
  { label, off = false }: { label?: string; off?: boolean } = {},
) {
  return html`<button class="tool" aria-label=${label ?? nothing} title=${label ?? nothing} ?disabled=${off} @click=${run}>${sign(name)}<span>${word}</span></button>`;
}

function tabs(open: string) {
  return Object.entries(desks).map(
    ([name, desk]) =>
      html`<a href=${`#/${name}`} aria-current=${name === open ? "page" : nothing}>${desk.title}</a>`,
  );
}

/** A progress line under the header while Python loads. */
function phaseLine(phase: State["phase"]) {
  if (phase.name === "ready" || phase.name === "failed" || !phase.total) return nothing;
  const share = phase.done / phase.total;
  return html`<i class="phase" role="progressbar" aria-label=${words.phases.loading}
    aria-valuenow=${Math.round(share * 100)} .style=${`--share:${share}`}></i>`;
}

/** The tabs at the foot of a phone. */
export function bottom(state: State) {
  return tabs(state.desk);
}

/** The open dialog and the notice. */
export function layer(state: State, actions: Actions) {
  return html`${state.dialog ? state.dialog() : nothing}${noticeBox(state, actions)}`;
}

function noticeBox(state: State, actions: Actions) {
  const failed = state.phase.name === "failed";
  const step = state.notice?.step;
  const notice = step && step !== state.history?.present.id ? null : state.notice;
  if (!failed && !notice) return nothing;
  const text = notice?.text ?? `${words.phases.failed}. ${state.phase.message} ${words.stillWorks}`;
  const tone = notice ? notice.tone : "risk";
  const action = notice?.action ?? (failed ? { label: words.tryAgain, run: actions.retry } : null);
  return html`<div class="notice ${tone}" role=${tone === "risk" ? "alert" : "status"}>
    <p>${text}</p>
    ${action ? html`<button class="plain" @click=${action.run}>${action.label}</button>` : nothing}
    ${notice ? html`<button class="icon" aria-label=${words.close} @click=${() => actions.notice("")}>✕</button>` : nothing}
  </div>`;
}

/** The result as text. */
export function textView(lines: string[]) {
  return html`<section class="card text-view" aria-label=${words.textView}>
    <h2>${words.textView}</h2>
    ${lines.length ? lines.map((line) => html`<p>${line}</p>`) : html`<p class="quiet">${words.textEmpty}</p>`}
  </section>`;
}

/** The link to the whole page under an embedded board. */
export function embedFoot(address: string) {
  const whole = address.replace("?embed=1", "");
  return html`<p class="embed-foot"><a href=${whole} target="_blank" rel="noopener">${words.openWhole}</a></p>`;
}

/** The key that opens the help sheet, reserved on all desks. */
export function helpKey(actions: Actions): Binding {
  return { keys: ["?"], label: words.help, opens: true, run: () => actions.open(() => helpDialog(actions)) };
}

/** The keys that work on every desk. */
export function keys(actions: Actions): Binding[] {
  return [
    helpKey(actions),
    { keys: ["Ctrl+Enter"], label: words.actKey, run: actions.act },
    { keys: ["Ctrl+z"], label: words.undo, run: () => actions.games.move(-1) },
    { keys: ["Ctrl+Shift+z", "Ctrl+y"], label: words.redo, run: () => actions.games.move(1) },
    { keys: ["Ctrl+s"], label: words.share, run: actions.transfer.share },
    { keys: ["Ctrl+m"], label: words.suppose, run: () => actions.open(() => branchDialog(actions)) },
    { keys: ["Ctrl+e"], label: words.textView, run: actions.toggleText },
  ];
}

function menuDialog(actions: Actions) {
  const open = (draw: (actions: Actions) => unknown) => () => actions.open(() => draw(actions));
  const here = actions.history() !== null;
  return dialogIn(actions, {
    title: words.menu,
    body: html`<div class="menu">
      ${here ? item(words.examples, words.examplesWhat, open(examplesDialog)) : nothing}
      ${item(words.savedPositions, words.savedWhat, () => openSaved(actions))}
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

async function openSaved(actions: Actions) {
  const draw = await savedDialog(actions);
  actions.open(draw);
}

function settingsDialog(actions: Actions) {
  const change = (name: string) => (value: string) => {
    store.changeSetting(name, value);
    store.applySettings();
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
      ${store.isWritable === false ? html`<p class="note">${words.storageOff}</p>` : nothing}`,
  });
}

function helpDialog(actions: Actions) {
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
