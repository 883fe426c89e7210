/** A table is laid out: which mission, how many play, where one sits, what is drawn, what they are called. */

import { html, nothing } from "../../vendor.js";
import { dialog } from "../../widgets/dialog.js";
import type { OnInput } from "../../widgets/on.js";
import { tick } from "../../widgets/panel.js";
import type { FaultFacts } from "../desk.js";
import { foundMissions, MISSION_NOTES, MISSION_TITLES } from "./mission-notes.js";
import { MISSIONS } from "./missions.js";
import type { Context, Position, Wires } from "./model.js";
import { BLANK, dealtOf, NUMBERS, nextOpen, ownerOf, playersOf, standOfPlayer, whole } from "./model.js";
import { words } from "./strings.js";
import { toggled } from "./turn.js";

/** which game to lay out */
export type Form = { mission: number; players: number; seat: number; seed: number };
/** how many play, and which of them one is */
type Seat = { players: number; seat: number };
/**
 * A mission's wires, the numbers of the drawn ones as chosen, and its cards: how many number cards
 * lie open, which, and who holds the captain card (undefined where none is dealt).
 */
export type Drawn = {
  wires: Wires | null;
  yellow: string[];
  red: string[];
  fault: string;
  many: number;
  cards: string[];
  holder: number | null | undefined;
};

const OTHERS = ["Ann", "Bob", "Cleo", "Dan"];
const SPECIAL = Array.from({ length: 11 }, (_, i) => String(i + 1)); // yellow and red wires lie behind 1 to 11

/** First the mission; then what was drawn and, last, one's seat, which lays it all out. */
export function setupDialog(context: Context) {
  const form = formOf(context.position);
  const names = namesOf(context.position);
  let drawn = undrawn();
  let chosen = false;
  let practice = false;
  let sought = "";
  const draw = () => context.open(() => (chosen ? table() : missions()));
  const choose = (mission: number) => {
    form.mission = mission;
    chosen = true;
    drawn = undrawn(); // a late answer for an earlier mission goes into that one's
    preview(context, form, drawn);
    draw();
  };
  const sit = (seat: Seat) => {
    Object.assign(form, seat);
    return practice ? lay(context, "deal", form, { names }) : lay(context, "mission", form, { names, drawn });
  };
  const missions = () =>
    setup(
      context,
      html`<p>${words.whichMission}</p>
        <div class="mission-keys" role="group" aria-label=${words.whichMission}>${Array.from(
          { length: MISSIONS },
          (_, i) => html`<button type="button" class="soft key" aria-label=${words.missionKey(i + 1)}
            title=${MISSION_TITLES[i]} aria-pressed=${context.position.mission === i + 1} @click=${() => choose(i + 1)}><b>${i + 1}</b></button>`,
        )}</div>
        <input class="field" type="search" aria-label=${words.findMission} placeholder=${words.findHow} .value=${sought} @input=${(
          e: OnInput,
        ) => {
          sought = e.target.value;
          draw();
        }}>
        <div class="mission-list" role="group" aria-label=${words.findMission}>${foundMissions(sought).map(
          (n) =>
            html`<button type="button" class="plain" @click=${() => choose(n)}><b>${n}</b><span>${MISSION_TITLES[n - 1]}<small>${MISSION_NOTES[n - 1]}</small></span></button>`,
        )}</div>
        ${ownWires(context, form)}`,
    );
  const table = () =>
    setup(
      context,
      html`<div class="between"><h3>${words.missionTitle(form.mission)}</h3>
          <button class="plain" @click=${() => {
            chosen = false;
            draw();
          }}>${words.otherMission}</button></div>
        <p>${MISSION_NOTES[form.mission - 1]}</p>
        ${drawn.wires && !practice ? drawnKeys(drawn, draw) : nothing}
        ${drawn.fault ? html`<p class="note risk" role="alert">${drawn.fault}</p>` : nothing}
        <p>${words.seat}</p>${seatKeys(sit, !drawn.wires && !practice)}
        ${nameFields(names)}
        ${tick(words.dealPractice, practice, (on) => {
          practice = on;
          draw();
        })}`,
    );
  draw();
}

function setup(context: Context, body: unknown) {
  const title = words.changeGame.replace("…", "");
  return dialog({ title, close: words.close, onClose: () => context.open(null), body });
}

const undrawn = (): Drawn => ({
  wires: null,
  yellow: [],
  red: [],
  fault: "",
  many: 0,
  cards: [],
  holder: undefined,
});

/** The wires of the mission, to say which were drawn: for as many players as sat here, else for four. */
async function preview(context: Context, { mission, players, seed }: Form, drawn: Drawn) {
  for (const many of [players, 4]) {
    const options = { mission, players: many, seat: 0, seed };
    const found = await context.ask({ want: "mission", position: {}, options }).promise.catch(() => null);
    if (!found) continue;
    const { wires, numbers, captain_card } = whole(found);
    const cards = { many: numbers.length % 12, holder: captain_card === null ? undefined : null };
    Object.assign(drawn, { wires, ...cards });
    return context.redraw();
  }
}

/** The game as it lies on the table, to be changed. */
export function formOf(position: Position): Form {
  return {
    mission: position.mission ?? 1,
    players: Math.max(2, Math.min(5, playersOf(position).length)),
    seat: Math.max(0, playersOf(position).indexOf(position.viewer ?? 0)),
    seed: Math.floor(Math.random() * 1e6),
  };
}

/**
 * How many play and where one sits, in one tap, which lays the table: a row for each number of players.
 * @param off while the mission's wires are not known
 */
function seatKeys(sit: (seat: Seat, event: Event) => void, off: boolean = false) {
  const key = (players: number, seat: number) =>
    html`<button type="button" class="soft key" ?disabled=${off} aria-label=${words.seatKey(seat, players)}
      @click=${(event: Event) => sit({ players, seat }, event)}><b>${seat ? seat + 1 : "★"}</b></button>`;
  return html`<div class="seats">${[2, 3, 4, 5].map(
    (players) =>
      html`<div class="row" role="group" aria-label=${words.playersRow(players)}><span>${words.playersRow(players)}</span>
        ${Array.from({ length: players }, (_, seat) => key(players, seat))}</div>`,
  )}</div>`;
}

/**
 * What the others are called, clockwise from the captain; as on the table before, else as in the examples.
 */
export function namesOf(position: Position) {
  const others = playersOf(position).filter((player) => player !== position.viewer);
  const called = others.map((player) => position.stands[standOfPlayer(position, player)].name);
  return OTHERS.map((name, k) => called[k] || (called.includes(name) ? "" : name));
}

/** No one has to say them. */
function nameFields(names: string[]) {
  const put = (k: number) => (e: OnInput) => {
    names[k] = e.target.value.trim();
  };
  return html`<details class="more"><summary>${words.namesOf}</summary><div class="names">${names.map(
    (name, k) =>
      html`<input class="field" maxlength="24" aria-label=${words.nameOfOther(k)} .value=${name} @input=${put(k)}>`,
  )}</div></details>`;
}

/** The numbers of the drawn wires, each a key; one too many puts out the first. */
function drawnKeys(drawn: Drawn, draw: () => void) {
  const row = (colour: "yellow" | "red", label: (many: string) => string) => {
    const { wires } = drawn;
    const most = wires ? numbersOf(wires, colour === "yellow" ? "Y" : "R").length : 0;
    if (!wires || !most) return nothing;
    const press = (n: string) => {
      drawn[colour] = toggled(drawn[colour], n, most);
      drawn.fault = "";
      draw();
    };
    return html`<p>${label(howMany(wires, colour))}</p><div class="keys-row numbers drawn" role="group" aria-label=${label(howMany(wires, colour))}>
      ${SPECIAL.map((n) => html`<button type="button" class=${`soft key ${colour}`} aria-pressed=${drawn[colour].includes(n)} @click=${() => press(n)}><b>${n}</b></button>`)}</div>`;
  };
  return html`${row("yellow", words.drawnYellow)}${row("red", words.drawnRed)}${cardKeys(drawn, draw)}`;
}

/** The open number cards in their order, and who holds the captain card, where the mission has them. */
function cardKeys(drawn: Drawn, draw: () => void) {
  const key = (face: string, pressed: boolean, run: () => void) =>
    html`<button type="button" class="soft key" aria-pressed=${pressed} @click=${() => {
      run();
      draw();
    }}><b>${face}</b></button>`;
  const turn = (n: string) => () => {
    drawn.cards = toggled(drawn.cards, n, drawn.many);
  };
  const hold = (p: number) => () => {
    drawn.holder = drawn.holder === p ? null : p;
  };
  const asked = words.drawnCards(drawn.many, drawn.cards);
  return html`${drawn.many ? html`<p>${asked}</p><div class="keys-row numbers drawn" role="group" aria-label=${words.numberCards}>${NUMBERS.map((n) => key(n, drawn.cards.includes(n), turn(n)))}</div>` : nothing}
    ${drawn.holder === undefined ? nothing : html`<p>${words.holderCard}</p><div class="keys-row" role="group" aria-label=${words.captainCard}>${[0, 1, 2, 3, 4].map((p) => key(p ? String(p + 1) : "★", drawn.holder === p, hold(p)))}</div>`}`;
}

/** The numbers of the yellow or red wires, in play or drawn. */
function numbersOf(wires: Wires, letter: "Y" | "R") {
  const group = wires.groups.find((g) => g.of[0]?.[0] === letter);
  return (group?.of ?? (letter === "Y" ? wires.yellow : wires.red)).map((wire) => wire.slice(1));
}

/** "2", "2 of 3", or nothing. */
function howMany(wires: Wires, colour: "yellow" | "red") {
  const letter = colour === "yellow" ? "Y" : "R";
  const group = wires.groups.find((g) => g.of[0]?.[0] === letter);
  return group ? `${group.drawn} of ${group.of.length}` : String(wires[colour].length || "");
}

/** The mission's wires with the numbers chosen, as drawn where none was; null where some are missing. */
function chosenWires({ wires, yellow, red }: Drawn) {
  if (!wires || !(yellow.length || red.length)) return wires;
  const named = (letter: "Y" | "R") =>
    [...(letter === "Y" ? yellow : red)].sort((a, b) => Number(a) - Number(b)).map((n) => `${letter}${n}`);
  const right = (letter: "Y" | "R") => named(letter).length === numbersOf(wires, letter).length;
  if (!right("Y") || !right("R")) return null;
  const grouped = (letter: "Y" | "R") => wires.groups.some((g) => g.of[0]?.[0] === letter);
  return {
    ...wires,
    yellow: grouped("Y") ? [] : named("Y"),
    red: grouped("R") ? [] : named("R"),
    groups: wires.groups.map((g) => ({ ...g, of: named(g.of[0]?.[0] === "Y" ? "Y" : "R") })),
  };
}

/** What is to be pressed. */
function drawnWrong(wires: Wires) {
  return words.drawnWrong(numbersOf(wires, "Y").length, numbersOf(wires, "R").length);
}

/** Wires that no card names. */
function ownWires(context: Context, form: Form) {
  return html`<details class="more"><summary>${words.ownWires}</summary>
    <form class="stack own-wires" @submit=${(e: SubmitEvent) => {
      e.preventDefault();
      ownTable(context, form, formAt(e));
    }}>
      <label>${words.blueTo}<input class="field" name="blue" type="number" min="1" max="12" value="12"></label>
      <label>${words.yellowWires}<input class="field" name="yellow" placeholder="3 7  /  2 of 3 7 9"></label>
      <label>${words.redWires}<input class="field" name="red" placeholder="5  /  1 of 2 5"></label>
      <p>${words.seat}</p>${seatKeys((seat, event) => ownTable(context, seat, formAt(event)))}
    </form></details>`;
}

/** @param more the wires on the table, if they are not to be drawn; what the players are called */
export async function lay(
  context: Context,
  want: "mission" | "deal",
  form: Form,
  { drawn, names = [] }: { drawn?: Drawn; names?: string[] } = {},
) {
  try {
    const found = await context.ask({ want, position: {}, options: form }).promise;
    const table = whole("position" in found ? found.position : found);
    const wires = drawn ? chosenWires({ ...drawn, wires: table.wires }) : table.wires;
    if (!wires) throw new Error(drawnWrong(table.wires));
    const cards = drawn && {
      numbers: drawn.many ? drawn.cards : table.numbers,
      captain_card: drawn.holder ?? null,
    };
    const laid = { ...table, ...cards, wires };
    const others = playersOf(laid).filter((player) => player !== laid.viewer);
    const nameAt = (i: number) => names[others.indexOf(ownerOf(laid, i))];
    const stands = laid.stands.map((stand, i) => ({ ...stand, name: nameAt(i) || stand.name }));
    start(context, { ...laid, stands }, want === "deal" ? words.named.practice : words.named.newTable);
  } catch (fault) {
    const { message } = fault as FaultFacts;
    if (!drawn) return context.tell(message);
    drawn.fault = message;
    context.redraw();
  }
}

function start(context: Context, position: unknown, label: string) {
  context.open(null);
  const table = whole(position);
  context.commit(table, label, {
    turn: { want: "table" },
    view: {
      at: table.sealed ? null : nextOpen(table),
      noTokens: false,
      correcting: null,
      lookback: null,
      tab: undefined,
      scores: false,
      picked: null,
      chosen: "",
      actor: null,
      token: null,
      along: null,
      turn: null,
    },
  });
}

/** The form that an event came from. */
function formAt({ target }: Event) {
  return (target as Element).closest("form") as HTMLFormElement;
}

function ownTable(context: Context, form: Seat, fields: HTMLFormElement) {
  const data = new FormData(fields);
  const yellow = special(String(data.get("yellow") ?? ""), "Y");
  const red = special(String(data.get("red") ?? ""), "R");
  const groups = [yellow.group, red.group].filter((group) => group !== null);
  const wires: Wires = {
    blue: [1, Number(data.get("blue")) || 12],
    yellow: yellow.wires,
    red: red.wires,
    aside: 0,
    groups,
  };
  const count = dealtOf(wires);
  const owners =
    { 2: [0, 0, 1, 1], 3: [0, 0, 1, 2] }[form.players as 2] ??
    Array.from({ length: form.players }, (_, i) => i);
  const stands = owners.map((owner, i) => ({
    name: "",
    owner: owner === i ? null : owner,
    facts: [],
    slots: Array.from(
      { length: Math.floor(count / owners.length) + (i < count % owners.length ? 1 : 0) },
      () => BLANK,
    ),
  }));
  start(context, { desk: "rack", v: 1, viewer: form.seat, wires, stands }, words.named.newTable);
}

/** "3 7" are two wires; "2 of 3 7 9" is a group. */
function special(text: string, letter: string) {
  const match = /^\s*(\d)\s*of\s+(.*)$/i.exec(text);
  const numbers = [...new Set((match ? match[2] : text).match(/\d+/g) ?? [])]
    .map(Number)
    .filter((n) => n >= 1 && n <= 11)
    .sort((a, b) => a - b);
  const wires = numbers.map((n) => `${letter}${n}`);
  return match && wires.length
    ? { wires: [], group: { of: wires, drawn: Math.min(Number(match[1]), wires.length) } }
    : { wires, group: null };
}
