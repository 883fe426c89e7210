/** Dialogs: the table as text, what is known of one stand, the mission's cards. */

import { html, nothing } from "../../vendor.js";
import { dialogIn, textDialog } from "../../widgets/dialog.js";
import type { OnInput } from "../../widgets/on.js";
import { choice, select } from "../../widgets/panel.js";
import type { FaultFacts } from "../desk.js";
import { key, keyGroup, valueKey } from "./keys.js";
import type { Context, Position } from "./model.js";
import {
  completePosition,
  LIMIT_CARDS,
  MAX_AIR,
  NUMBERS,
  newestPosterior,
  playersOf,
  valuesOf,
  withStand,
} from "./model.js";
import { nameOf, playerName, valueName, words } from "./strings.js";
import { toggle } from "./turn.js";
import type { StatedFact } from "./turn-order.js";
import { addFact } from "./turn-order.js";

/** The table in the players' shorthand, to be copied or replaced. @param given text instead of the table's */
export async function tableTextDialog(context: Context, given?: string) {
  const { position } = context;
  let text = given;
  let fault = "";
  try {
    text ??= (await context.ask({ want: "shorthand", position }).promise).text.join("\n");
  } catch (problem) {
    return context.notify((problem as FaultFacts).message);
  }
  const onTake = async (typed: string) => {
    text = typed;
    try {
      const found = await context.ask({ want: "shorthand", position, options: { text } }).promise;
      context.open(null);
      context.commit(completePosition(found.position), words.named.text);
    } catch (problem) {
      const { message, where } = problem as FaultFacts;
      fault = `${message} (${where})`;
      context.open(body);
    }
  };
  const body = () =>
    textDialog(context, {
      title: words.textTitle,
      text: text ?? "",
      button: words.take,
      onTake,
      wide: true,
      above: html`<p class="quiet">${words.textHow}</p>`,
      between: fault ? html`<p class="note risk" role="alert">${fault}</p>` : nothing,
    });
  context.open(body);
}

/** The name of a stand, and values that it has or lacks. */
export function factsDialog(context: Context, i: number) {
  let { position } = context;
  const name = nameOf(position, i);
  const rename = (event: OnInput) => {
    position = withStand(position, i, { ...position.stands[i], name: event.target.value.trim() });
    context.commit(position, words.nameLabel);
    context.open(body);
  };
  const set = (value: string, kind: StatedFact["kind"]) => {
    const fact = { kind, value };
    const label = kind === "none" ? words.factTitle(name) : words.said(name, fact);
    addFact({ ...context, position }, [i], fact, label);
    context.open(null);
  };
  const row = (value: string) => {
    const known = position.stands[i].facts.find((fact) => fact.value === value);
    const label = valueName(value);
    return html`<div class="fact-row"><b>${label}</b>${choice({ label, options: words.factKinds, value: known?.kind ?? "none", onChange: (kind: StatedFact["kind"]) => set(value, kind) })}</div>`;
  };
  const body = () =>
    dialogIn(context, {
      title: words.factTitle(name),
      body: html`<label>${words.nameLabel}<input class="field" maxlength="24" .value=${position.stands[i].name} @change=${rename}></label>
        <p class="quiet">${words.factHow}</p>
        <div class="fact-list">${valuesOf(position).map(row)}</div>`,
    });
  context.open(body);
}

/** The open cards of a mission, which change what may be named. */
export function cardsDialog(context: Context) {
  let { position } = context;
  const { rules = [] } = newestPosterior(context.replies) ?? {};
  const put = (change: Partial<Position>) => {
    position = { ...position, ...change };
    context.commit(position, words.named.cards);
    context.open(body);
  };
  const parts: Record<string, typeof numberCards> = {
    number_cards: numberCards,
    number_deck: deckCards,
    captain_card: captainCard,
    constraint: rules.includes("own_limits") ? ownLimits : sharedLimit,
  };
  const body = () =>
    dialogIn(context, {
      title: words.missionCardsTitle(position.mission ?? 0),
      body: html`${Object.keys(parts).map((rule) => (rules.includes(rule) ? parts[rule](position, put) : nothing))}
        ${amounts(position, put)}${lockedValues(position, put)}`,
    });
  context.open(body);
}

type Put = (change: Partial<Position>) => void;

function numberCards({ numbers }: Position, put: Put) {
  const list = numbers.length ? `: ${numbers.join(", ")}` : "";
  const keys = NUMBERS.map((n) =>
    key(n, () => put({ numbers: toggle(numbers, n, 12) }), { pressed: numbers.includes(n) }),
  );
  return keyGroup(words.numberCards, keys, { line: `${words.numberCards}${list}` });
}

/** The number cards that may still be drawn: all that are not open, until some are left out. */
function deckCards({ numbers, numbers_left }: Position, put: Put) {
  const deck = numbers_left ?? NUMBERS.filter((n) => !numbers.includes(n));
  const change = (n: string) =>
    put({ numbers_left: NUMBERS.filter((one) => deck.includes(one) !== (one === n)) });
  const keys = NUMBERS.map((n) => key(n, () => change(n), { pressed: deck.includes(n) }));
  return keyGroup(words.numberDeck, keys);
}

function captainCard(position: Position, put: Put) {
  const players = playersOf(position).map((p): [string, string] => [String(p), playerName(position, p)]);
  return html`<p>${words.captainCard}</p>${choice({
    label: words.captainCard,
    options: [["", words.noActor], ...players],
    value: String(position.captain_card ?? ""),
    onChange: (p) => put({ captain_card: p === "" ? null : Number(p) }),
  })}`;
}

/** The limit card of all; the one before it does not come again. */
function sharedLimit({ constraint: old, limits_gone }: Position, put: Put) {
  return limitSelect(words.limitCard, old, (constraint) => {
    const gone = new Set([...limits_gone, ...(old ? [old] : [])]);
    put({ constraint, limits_gone: [...gone].filter((card) => card !== constraint) });
  });
}

function ownLimits(position: Position, put: Put) {
  const { viewer, constraint, limits } = position;
  const cardOf = (player: number) => (player === viewer ? constraint : null) ?? limits[player] ?? null;
  const players = playersOf(position);
  return html`${players.map((player) =>
    limitSelect(words.limitOf(playerName(position, player)), cardOf(player), (card) =>
      put({
        limits: players.map((p) => (p === player ? card : cardOf(p))),
        constraint: player === viewer ? card : constraint,
      }),
    ),
  )}`;
}

function limitSelect(label: string, chosen: string | null, choose: (card: string | null) => void) {
  const cards = LIMIT_CARDS.map((card): [string, string] => [card, card]);
  const onChange = (card: string) => choose(card || null);
  return html`<label>${label}${select([["", words.noLimit], ...cards], chosen ?? "", onChange)}</label>`;
}

/** Robot, air and paired limit cards, where the mission has them. */
function amounts(position: Position, put: Put) {
  const { track, reserve, air, pairs } = position;
  const amount = (label: string, value: number | null, max: number, enter: (n: number) => void) => {
    const change = (e: OnInput) => {
      const n = Math.trunc(Number(e.target.value));
      if (n >= 0 && n <= max) enter(n);
    };
    if (value === null) return nothing;
    return html`<label>${label}<input class="field" type="number" min="0" max=${max} .value=${String(value)} @change=${change}></label>`;
  };
  const tank = (n: number, p: number) =>
    amount(words.airOf(playerName(position, p)), n, MAX_AIR, (left) => put({ air: air.with(p, left) }));
  const pair = ([n, letter]: [string, string]) =>
    limitSelect(words.pairOf(n), letter, (card) => card && put({ pairs: { ...pairs, [n]: card } }));
  return html`${amount(words.robot, track, 12, (space) => put({ track: space }))}
    ${amount(words.reserve, reserve, MAX_AIR, (left) => put({ reserve: left }))}
    ${air.map(tank)}${Object.entries(pairs).map(pair)}`;
}

function lockedValues(position: Position, put: Put) {
  const { locked } = position;
  const values = valuesOf(position).filter((v) => v !== "RED");
  const keys = values.map((v) =>
    valueKey(v, () => put({ locked: toggle(locked, v, 13) }), { pressed: locked.includes(v) }),
  );
  return keyGroup(words.lockedValues, keys);
}
