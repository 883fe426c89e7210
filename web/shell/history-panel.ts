/** The History dialog: the tree of entries, trial branches, and the desk's games. */

import type { Row } from "../session/history.js";
import type { Game } from "../session/records.js";
import { words } from "../strings.js";
import { html, nothing } from "../vendor.js";
import { dialogIn, nameForm } from "../widgets/dialog.js";
import type { History } from "./context.js";
import type { Actions } from "./header.js";

const DEEPEST = 4; // most levels of indentation

export function branchDialog(actions: Actions) {
  const onName = (name: string) => {
    actions.open(null);
    actions.games.suppose(name || words.supposeDefault);
  };
  const label = words.supposeName;
  return dialogIn(actions, {
    title: words.suppose,
    body: html`<p>${words.supposeHow}</p>
      ${nameForm({ label, placeholder: label, longest: 80, button: words.supposeTake, onName })}`,
  });
}

/** The line under the header on a trial branch, with the button back. */
export function branchBanner(history: History | null, actions: Actions) {
  const name = history?.trialName ?? null;
  if (name === null) return nothing;
  return html`<p class="suppose-line" role="status"><span class="grow">${words.supposes(name)}</span>
    <button class="soft" @click=${() => actions.games.comeBack()}>${words.supposeBack}</button></p>`;
}

/** The dialog's drawing, after reading the games. */
export async function openHistory(actions: Actions) {
  const shown: { games: Game[]; renaming: string } = { games: await actions.games.list(), renaming: "" };
  actions.open(() => stepsDialog(actions, shown));
}

function stepsDialog(actions: Actions, shown: { games: Game[]; renaming: string }) {
  const history = actions.history();
  return dialogIn(actions, {
    title: words.steps,
    body: html`
      <ol class="tree">${history ? history.rows().map((row, i, rows) => entryRow(actions, history, row, i, rows)) : nothing}</ol>
      <p class="quiet">${words.stepsHow}</p>
      <div class="buttons">
        <button class="soft" @click=${() => actions.open(() => branchDialog(actions))}>${words.suppose}</button>
        <button class="soft" @click=${() => shut(actions, () => actions.games.begin())}>${words.newGame}</button>
      </div>
      ${shown.games.length ? html`<h3>${words.games}</h3><ul class="games">${shown.games.map((one) => game(actions, shown, one))}</ul>` : nothing}`,
  });
}

function entryRow(actions: Actions, history: History, row: Row, i: number, rows: Row[]) {
  const { entry, step, first } = row;
  const here = entry.id === history.present.id;
  const names = [history.nameOf(entry), first ? entry.suppose : ""].filter(Boolean).join(" · ");
  return html`<li class="moment">
    <button class="list-item" aria-current=${here ? "step" : nothing} @click=${() => shut(actions, () => actions.games.jump(entry.id))}>
      ${rails(rows, i).map((kind) => html`<i class=${`way-rail ${kind}`} aria-hidden="true"></i>`)}
      <span class="grow"><b>${entry.label || words.beginning}</b><span>${names || (here ? nothing : words.stepNumber(step))}</span></span>
      ${here ? html`<span class="pill">${words.hereNow}</span>` : entry.suppose === undefined ? nothing : html`<span class="pill">${words.supposed}</span>`}
    </button></li>`;
}

/**
 * The lines to the left of a row, one per depth: "through" continues below, "elbow" leads to a branch
 * that begins here, and the last is the row's own node with its lines up and down.
 */
function rails(rows: Row[], i: number): string[] {
  const { depth, first } = rows[i];
  const level = Math.min(depth, DEEPEST);
  const kinds = [];
  for (let at = 0; at < level; at++)
    kinds.push([goesOn(rows, i, at) ? "through" : "", first && at === level - 1 ? "elbow" : ""].join(" "));
  const up = i > 0 && !first ? "up" : "";
  const down = goesOn(rows, i, depth) ? "down" : "";
  return [...kinds, ["knot", depth ? "side" : "", up, down].join(" ")];
}

/** Whether the line of that depth continues below a row, to its next entry or to a branch. */
function goesOn(rows: Row[], i: number, depth: number) {
  for (const { depth: deep, first } of rows.slice(i + 1)) {
    if (deep <= depth) return deep === depth && !first;
    if (deep === depth + 1 && first) return true;
  }
  return false;
}

function game(actions: Actions, shown: { games: Game[]; renaming: string }, one: Game) {
  if (shown.renaming === one.game) return renameForm(actions, shown, one);
  const open = one.game === actions.history()?.present.game;
  const name = one.name || actions.titleOf(one.position);
  const refresh = async () => Object.assign(shown, { games: await actions.games.list(), renaming: "" });
  const remove = async () => {
    await actions.games.remove(one.game, name);
    await refresh();
    actions.redraw();
  };
  const rename = () => {
    shown.renaming = one.game;
    actions.redraw();
  };
  return html`<li class="row">
    <button class="list-item game" aria-current=${open ? "true" : nothing} @click=${() => shut(actions, () => actions.games.open(one.game))}>
      <span class="thumb" aria-hidden="true">${actions.thumbnail(one.position)}</span>
      <span class="grow"><b>${name}</b><span>${open ? `${words.gameOpen} · ` : ""}${facts(one)}</span></span>
    </button>
    <button class="icon" aria-label=${`${words.rename}: ${name}`} title=${words.rename} @click=${rename}>✎</button>
    <button class="icon" aria-label=${`${words.remove}: ${name}`} title=${words.remove} @click=${remove}>✕</button>
  </li>`;
}

function renameForm(actions: Actions, shown: { games: Game[]; renaming: string }, one: Game) {
  const onName = async (name: string) => {
    await actions.games.rename(one.game, name);
    Object.assign(shown, { games: await actions.games.list(), renaming: "" });
    actions.redraw();
  };
  const value = one.name || actions.titleOf(one.position);
  return html`<li>${nameForm({ label: words.gameName, value, button: words.save, onName })}</li>`;
}

/** "5 steps · 26 Nov, 21:13". */
function facts({ steps, last }: Game) {
  const when = last ? dateOf(new Date(last)) : "";
  return [words.gameSteps(steps), when].filter(Boolean).join(" · ");
}

/** Date and time, the year only if it is not the current one. */
export function dateOf(date: Date) {
  const year = date.getFullYear() === new Date().getFullYear() ? {} : { year: "numeric" as const };
  return date.toLocaleString(undefined, {
    day: "numeric",
    month: "short",
    hour: "2-digit",
    minute: "2-digit",
    ...year,
  });
}

function shut(actions: Actions, run: () => unknown) {
  actions.open(null);
  run();
}
