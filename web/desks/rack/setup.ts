/** The dialog for a new table: mission, drawn wires and cards, number of players, seat and names. */

import type { MissionOptions } from "../../types/rack.js";
import { html, nothing } from "../../vendor.js";
import { dialog } from "../../widgets/dialog.js";
import type { OnInput } from "../../widgets/on.js";
import { tick } from "../../widgets/panel.js";
import { waiting } from "../../widgets/waiting.js";
import type { FaultFacts } from "../desk.js";
import { key, keyGroup } from "./keys.js";
import { foundMissions, MISSION_NOTES, MISSION_TITLES } from "./mission-notes.js";
import type { Context, Position, Wires } from "./model.js";
import {
  BLANK,
  completePosition,
  countDealt,
  NEW_TABLE,
  NUMBERS,
  nextUnknown,
  ownerOf,
  playersOf,
  standOfPlayer,
} from "./model.js";
import { words } from "./strings.js";
import { toggle } from "./turn.js";

/** the mission, and who plays: options of `mission` and `deal` */
type Form = Required<MissionOptions>;
type Seat = Pick<Form, "players" | "seat">;
type Colour = "yellow" | "red";
/** What lies on the table of a mission, as entered. */
interface Drawn {
  /** the mission's wires; null until they are computed */
  wires: Wires | null;
  /** the numbers of drawn wires; none: drawn at random */
  yellow: string[];
  red: string[];
  /** number of open number cards, and which they are */
  many: number;
  cards: string[];
  /** the player with the captain card; null: not entered, undefined: the mission has none */
  holder: number | null | undefined;
  fault: string;
}
const NOTHING_DRAWN: Drawn = {
  wires: null,
  yellow: [],
  red: [],
  many: 0,
  cards: [],
  holder: undefined,
  fault: "",
};
const NAMES = ["Ann", "Bob", "Cleo", "Dan"];
const SPECIAL = NUMBERS.slice(0, 11); // yellow and red wires follow blue 1 to 11

/** First the mission; then what was drawn and, last, one's seat, which lays out the table. */
export function setupDialog(context: Context) {
  const form = formOf(context.position);
  const names = namesOf(context.position);
  let drawn: Drawn | null = null;
  let practice = false;
  let sought = "";
  const draw = () => context.open(() => (drawn ? table(drawn) : missions()));
  const choose = (mission: number) => {
    form.mission = mission;
    drawn = { ...NOTHING_DRAWN };
    preview(context, form, drawn);
    draw();
  };
  const shown = (body: unknown) =>
    dialog({ title: words.named.newTable, onClose: () => context.open(null), body });
  const missions = () =>
    shown(
      html`<p>${words.whichMission}</p>
        <div class="mission-keys" role="group" aria-label=${words.whichMission}>${MISSION_TITLES.map(
          (title, i) =>
            key(i + 1, () => choose(i + 1), {
              name: words.missionKey(i + 1),
              title,
              pressed: context.position.mission === i + 1,
            }),
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
  const table = (drawn: Drawn) => {
    const sit = (seat: Seat) =>
      practice
        ? lay(context, "deal", { ...form, ...seat }, { names })
        : lay(context, "mission", { ...form, ...seat }, { names, drawn });
    return shown(
      html`<div class="between"><h3>${words.missionTitle(form.mission)}</h3>
          <button class="plain" @click=${goBack}>${words.otherMission}</button></div>
        <p>${MISSION_NOTES[form.mission - 1]}</p>
        ${drawn.wires && !practice ? drawnKeys(drawn, draw) : nothing}
        ${drawn.wires || practice || drawn.fault ? nothing : waiting({ state: "waiting", value: null, progress: null, fault: null, late: true }, { phase: context.phase })}
        ${drawn.fault ? html`<p class="note risk" role="alert">${drawn.fault}</p>` : nothing}
        <p>${words.seat}</p>${seatKeys(sit, !drawn.wires && !practice)}
        ${nameFields(names)}
        ${tick(words.dealPractice, practice, (on) => {
          practice = on;
          draw();
        })}`,
    );
  };
  const goBack = () => {
    drawn = null;
    draw();
  };
  draw();
}

/** Compute the mission's wires and cards, for the same number of players if it can be played so. */
async function preview(context: Context, { mission, players, seed }: Form, drawn: Drawn) {
  for (const many of [players, 4]) {
    const options = { mission, players: many, seat: 0, seed };
    try {
      const found = await context.ask({ want: "mission", position: {}, options }).promise;
      const { wires, numbers, captain_card } = completePosition(found);
      const holder = captain_card === null ? undefined : null;
      Object.assign(drawn, { wires, many: numbers.length % 12, holder, fault: "" });
      break;
    } catch (fault) {
      drawn.fault = (fault as FaultFacts).message;
    }
  }
  context.redraw();
}

/** The game on the table as a form. */
export function formOf(position: Position): Form {
  const players = playersOf(position);
  return {
    mission: position.mission ?? 1,
    players: Math.max(2, Math.min(5, players.length)),
    seat: Math.max(0, players.indexOf(position.viewer ?? 0)),
    seed: Math.floor(Math.random() * 1e6),
  };
}

/** The names of the others, clockwise from the captain: as on the table, else those of the examples. */
export function namesOf(position: Position) {
  const others = playersOf(position).filter((player) => player !== position.viewer);
  const used = others.map((player) => position.stands[standOfPlayer(position, player)].name);
  return NAMES.map((name, k) => used[k] || (used.includes(name) ? "" : name));
}

/** How many play and where one sits, in one tap: a row of seats for each number of players. */
function seatKeys(sit: (seat: Seat, event: Event) => void, disabled: boolean = false) {
  const seats = (players: number) =>
    Array.from({ length: players }, (_, seat) =>
      key(seat ? seat + 1 : "★", (event) => sit({ players, seat }, event), {
        name: words.seatKey(seat, players),
        disabled,
      }),
    );
  return html`<div class="seats">${[2, 3, 4, 5].map(
    (players) =>
      html`<div class="row" role="group" aria-label=${words.playersRow(players)}><span>${words.playersRow(players)}</span>${seats(players)}</div>`,
  )}</div>`;
}

function nameFields(names: string[]) {
  const set = (k: number) => (e: OnInput) => {
    names[k] = e.target.value.trim();
  };
  return html`<details class="more"><summary>${words.namesOf}</summary><div class="names">${names.map(
    (name, k) =>
      html`<input class="field" maxlength="24" aria-label=${words.nameOfOther(k)} .value=${name} @input=${set(k)}>`,
  )}</div></details>`;
}

/** The numbers of the drawn wires, the open number cards in order, and the captain card's seat. */
function drawnKeys(drawn: Drawn, draw: () => void) {
  const set = (change: Partial<Drawn>) => () => {
    Object.assign(drawn, change, { fault: "" });
    draw();
  };
  const wireKeys = (colour: Colour, label: (many: string) => string) => {
    const most = drawn.wires ? numbersOf(drawn.wires, colour).length : 0;
    if (!drawn.wires || !most) return nothing;
    const keys = SPECIAL.map((n) =>
      key(n, set({ [colour]: toggle(drawn[colour], n, most) }), {
        kind: colour,
        pressed: drawn[colour].includes(n),
      }),
    );
    return keyGroup(label(countDrawn(drawn.wires, colour)), keys);
  };
  const { many, cards, holder } = drawn;
  const cardKeys = NUMBERS.map((n) =>
    key(n, set({ cards: toggle(cards, n, many) }), { pressed: cards.includes(n) }),
  );
  const holders = [0, 1, 2, 3, 4].map((p) =>
    key(p ? p + 1 : "★", set({ holder: holder === p ? null : p }), { pressed: holder === p }),
  );
  return html`${wireKeys("yellow", words.drawnYellow)}${wireKeys("red", words.drawnRed)}
    ${many ? keyGroup(words.numberCards, cardKeys, { line: words.drawnCards(many, cards) }) : nothing}
    ${holder === undefined ? nothing : keyGroup(words.captainCard, holders, { line: words.holderCard, kind: "" })}`;
}

const initial = (colour: Colour) => (colour === "yellow" ? "Y" : "R");

const groupOf = (wires: Wires, colour: Colour) =>
  wires.groups.find((group) => group.of[0]?.[0] === initial(colour));

/** The numbers of the yellow or red wires, in play or drawn. */
function numbersOf(wires: Wires, colour: Colour) {
  return (groupOf(wires, colour)?.of ?? wires[colour]).map((wire) => wire.slice(1));
}

/** "2", "2 of 3", or nothing. */
function countDrawn(wires: Wires, colour: Colour) {
  const group = groupOf(wires, colour);
  return group ? `${group.drawn} of ${group.of.length}` : String(wires[colour].length || "");
}

/** The mission's wires with the chosen numbers, as they are where none is; null where some are missing. */
function chosenWires(drawn: Drawn, wires: Wires): Wires | null {
  if (!drawn.yellow.length && !drawn.red.length) return wires;
  const chosen = (colour: Colour) =>
    drawn[colour].toSorted((a, b) => Number(a) - Number(b)).map((n) => initial(colour) + n);
  const [yellow, red] = [chosen("yellow"), chosen("red")];
  if (yellow.length !== numbersOf(wires, "yellow").length || red.length !== numbersOf(wires, "red").length)
    return null;
  const groups = wires.groups.map((group) => ({ ...group, of: group.of[0]?.[0] === "Y" ? yellow : red }));
  return {
    ...wires,
    yellow: groupOf(wires, "yellow") ? [] : yellow,
    red: groupOf(wires, "red") ? [] : red,
    groups,
  };
}

/** Lay out a mission or deal a practice game. @param more what lies on the table, and the players' names */
export async function lay(
  context: Context,
  want: "mission" | "deal",
  form: Form,
  { drawn, names = [] }: { drawn?: Drawn; names?: string[] } = {},
) {
  try {
    const found = await context.ask({ want, position: {}, options: form }).promise;
    const table = completePosition("position" in found ? found.position : found);
    const wires = drawn ? chosenWires(drawn, table.wires) : table.wires;
    if (!wires)
      throw new Error(
        words.drawnWrong(numbersOf(table.wires, "yellow").length, numbersOf(table.wires, "red").length),
      );
    const cards = drawn && {
      numbers: drawn.many ? drawn.cards : table.numbers,
      captain_card: drawn.holder ?? null,
    };
    const others = playersOf(table).filter((player) => player !== table.viewer);
    const nameAt = (i: number) => names[others.indexOf(ownerOf(table, i))];
    const stands = table.stands.map((stand, i) => ({ ...stand, name: nameAt(i) || stand.name }));
    start(
      context,
      { ...table, ...cards, wires, stands },
      want === "deal" ? words.named.practice : words.named.newTable,
    );
  } catch (fault) {
    const { message } = fault as FaultFacts;
    if (!drawn) return context.notify(message);
    drawn.fault = message;
    context.redraw();
  }
}

function start(context: Context, position: unknown, label: string) {
  context.open(null);
  const table = completePosition(position);
  const view = { ...NEW_TABLE, at: table.sealed ? null : nextUnknown(table) };
  context.commit(table, label, { turn: { want: "table" }, view });
}

/** A table with wires of one's own choice. */
function ownWires(context: Context, form: Form) {
  const submit = (seat: Seat, target: EventTarget | null) => {
    const fields = (target as Element).closest("form") as HTMLFormElement;
    start(context, ownTable(seat, new FormData(fields)), words.named.newTable);
  };
  return html`<details class="more"><summary>${words.ownWires}</summary>
    <form class="stack own-wires" @submit=${(e: SubmitEvent) => {
      e.preventDefault();
      submit(form, e.target);
    }}>
      <label>${words.blueTo}<input class="field" name="blue" type="number" min="1" max="12" value="12"></label>
      <label>${words.yellowWires}<input class="field" name="yellow" placeholder="3 7  /  2 of 3 7 9"></label>
      <label>${words.redWires}<input class="field" name="red" placeholder="5  /  1 of 2 5"></label>
      <p>${words.seat}</p>${seatKeys((seat, event) => submit(seat, event.target))}
    </form></details>`;
}

function ownTable({ players, seat }: Seat, data: FormData) {
  const yellow = readWires(String(data.get("yellow") ?? ""), "Y");
  const red = readWires(String(data.get("red") ?? ""), "R");
  const wires: Wires = {
    blue: [1, Number(data.get("blue")) || 12],
    yellow: yellow.wires,
    red: red.wires,
    aside: 0,
    groups: [...yellow.groups, ...red.groups],
  };
  const one = Array.from({ length: players }, (_, i) => i);
  const owners = players === 2 ? [0, 0, 1, 1] : players === 3 ? [0, 0, 1, 2] : one; // two stands for some
  const count = countDealt(wires);
  const stands = owners.map((owner, i) => ({
    owner: owner === i ? null : owner,
    slots: Array.from({ length: Math.floor((count + owners.length - 1 - i) / owners.length) }, () => BLANK),
  }));
  return { viewer: seat, wires, stands };
}

/** Read "3 7", two wires, or "2 of 3 7 9", a group. */
function readWires(text: string, letter: string) {
  const match = /^\s*(\d)\s*of\s+(.*)$/i.exec(text);
  const numbers = [...new Set((match?.[2] ?? text).match(/\d+/g)?.map(Number))];
  const wires = numbers
    .filter((n) => n >= 1 && n <= 11)
    .sort((a, b) => a - b)
    .map((n) => `${letter}${n}`);
  if (!match || !wires.length) return { wires, groups: [] };
  return { wires: [], groups: [{ of: wires, drawn: Math.min(Number(match[1]), wires.length) }] };
}
