/** Dialogs: the stands as text, what is known of one stand, the mission's cards. */
import { html, nothing } from "../../vendor.js";
import { dialogIn } from "../../widgets/dialog.js";
import type { OnInput, OnPress, OnSelect } from "../../widgets/on.js";
import { choice } from "../../widgets/panel.js";
import type { FaultFacts } from "../desk.js";
import type { Context, Fact, Position } from "./model.js";
import { LIMIT_CARDS, MOST_AIR, NUMBERS, playersOf, ruling, valuesOf, whole, withStand } from "./model.js";
import { face, nameOf, playerName, valueName, words } from "./strings.js";
import { toggled } from "./turn.js";
import { state } from "./turn-order.js";

export async function textDialog(context: Context, given?: string) {
  let text = given;
  let fault = "";
  if (text === undefined) {
    try {
      const found = await context.ask({ want: "shorthand", position: context.position }).promise;
      text = found.text.join("\n");
    } catch (problem) {
      context.tell((problem as FaultFacts).message);
      return;
    }
  }
  const take = (event: OnPress) => {
    const typed = event.target.closest("dialog")?.querySelector("textarea")?.value ?? "";
    context
      .ask({ want: "shorthand", position: context.position, options: { text: typed } })
      .promise.then((found) => {
        context.open(null);
        context.commit(whole(found.position), words.named.text);
      })
      .catch((problem) => {
        fault = `${problem.message} (${problem.where})`;
        text = typed;
        context.open(body);
      });
  };
  const body = () =>
    dialogIn(context, {
      title: words.textTitle,
      close: words.close,
      wide: true,
      body: html`<p class="quiet">${words.textHow}</p>
        <textarea class="field" spellcheck="false" aria-label=${words.textTitle} .value=${text ?? ""}></textarea>
        ${fault ? html`<p class="note risk" role="alert">${fault}</p>` : nothing}
        <button class="main" @click=${take}>${words.take}</button>`,
    });
  context.open(body);
}

/** What is said of a stand: its name, and values it has or lacks. */
export function factsDialog(context: Context, i: number) {
  let { position } = context;
  const name = nameOf(position, i);
  const rename = (event: OnInput) => {
    position = withStand(position, i, { ...position.stands[i], name: event.target.value.trim() });
    context.commit(position, words.nameLabel);
    context.open(body);
  };
  const set = (value: string, kind: Fact["kind"] | "none") => {
    const fact = { kind, value };
    state(
      { ...context, position },
      [i],
      fact,
      kind === "none" ? words.factTitle(name) : words.said(name, fact),
    );
    context.open(null); // one fact, and the table is back
  };
  const body = () => {
    const stand = position.stands[i];
    const now = (value: string) => stand.facts.find((f) => f.value === value)?.kind ?? "none";
    return dialogIn(context, {
      title: words.factTitle(name),
      close: words.close,
      body: html`<label>${words.nameLabel}<input class="field" maxlength="24" .value=${stand.name} @change=${rename}></label>
        <div class="fact-list">${valuesOf(position).map(
          (value) => html`<div class="fact-row"><b>${valueName(value)}</b>
          ${choice({
            label: valueName(value),
            options: [
              ["none", "–"],
              ["has", words.factHas],
              ["lacks", words.factLacks],
              ["one", words.factOne],
            ] as ["none" | "has" | "lacks" | "one", string][],
            value: now(value),
            onChange: (kind) => set(value, kind),
          })}</div>`,
        )}</div>`,
    });
  };
  context.open(body);
}

/** A limit card to choose. */
const limitOf = (label: string, chosen: string | null, choose: (card: string | null) => void) =>
  html`<label>${label}<select class="field" @change=${(e: OnSelect) => choose(e.target.value || null)}>
        <option value="" ?selected=${chosen === null}>${words.noLimit}</option>
        ${LIMIT_CARDS.map((l) => html`<option value=${l} ?selected=${chosen === l}>${l}</option>`)}</select></label>`;

/** A number to enter. */
const amount = (label: string, now: number, most: number, enter: (amount: number) => void) =>
  html`<label>${label}<input class="field" type="number" min="0" max=${most} .value=${String(now)}
        @change=${(e: OnInput) => {
          const value = Math.trunc(Number(e.target.value));
          if (value >= 0 && value <= most) enter(value);
        }}></label>`;

/** Robot, air and paired limit cards, where the mission has them. */
const amounts = (
  position: Position,
  seat: (player: number) => string,
  put: (more: Partial<Position>) => void,
) =>
  html`${
    position.track === null ? nothing : amount(words.robot, position.track, 12, (track) => put({ track }))
  }${
    position.reserve === null
      ? nothing
      : amount(words.reserve, position.reserve, MOST_AIR, (reserve) => put({ reserve }))
  }${position.air.map((air, p) =>
    amount(words.airOf(seat(p)), air, MOST_AIR, (value) => put({ air: position.air.with(p, value) })),
  )}${Object.entries(position.pairs).map(([n, letter]) =>
    limitOf(words.pairOf(n), letter, (card) => card && put({ pairs: { ...position.pairs, [n]: card } })),
  )}`;

/** The number cards that may still be drawn; all that do not lie open until it is said. */
const deckKeys = (position: Position, put: (more: Partial<Position>) => void) => {
  const deck = position.numbers_left ?? NUMBERS.filter((n) => !position.numbers.includes(n));
  const press = (n: string) => {
    const numbers_left = NUMBERS.filter((one) => deck.includes(one) !== (one === n));
    put({ numbers_left });
  };
  return html`<p>${words.numberDeck}</p>
    <div class="keys-row numbers" role="group" aria-label=${words.numberDeck}>${NUMBERS.map(
      (n) =>
        html`<button class="soft key" aria-pressed=${deck.includes(n)} @click=${() => press(n)}><b>${n}</b></button>`,
    )}</div>`;
};

/** The open cards of a mission: they say what may be named now. */
export function cardsDialog(context: Context) {
  let { position } = context;
  const rules = ruling(context.replies)?.rules ?? [];
  const put = (more: Partial<Position>) => {
    position = { ...position, ...more };
    context.commit(position, words.named.cards);
    context.open(body);
  };
  const seat = (player: number) => playerName(position, player);
  const keys = (list: "numbers" | "locked", label: string, all: string[]) =>
    html`<p>${label}${list === "numbers" && position.numbers.length ? `: ${position.numbers.join(", ")}` : ""}</p>
        <div class="keys-row numbers" role="group" aria-label=${label}>${all.map(
          (v) =>
            html`<button class="soft key" aria-pressed=${position[list].includes(v)} @click=${() => put({ [list]: toggled(position[list], v, 13) })}><b>${face(v)}</b></button>`,
        )}</div>`;
  /** The limit card of all; the one before it will not come again. */
  const turnLimit = (constraint: string | null) => {
    const { constraint: old, limits_gone: gone } = position;
    const limits_gone = [...new Set([...gone, ...(old ? [old] : [])])].filter((l) => l !== constraint);
    put({ constraint, limits_gone });
  };
  const ownLimit = (p: number) =>
    (p === position.viewer ? position.constraint : null) ?? position.limits[p] ?? null;
  const putLimit = (player: number, card: string | null) => {
    const limits = playersOf(position).map((p) => (p === player ? card : ownLimit(p)));
    put({ limits, constraint: player === position.viewer ? card : position.constraint });
  };
  const body = () =>
    dialogIn(context, {
      title: words.missionCardsTitle(position.mission ?? 0),
      close: words.close,
      body: html`${rules.includes("number_cards") ? keys("numbers", words.numberCards, NUMBERS) : nothing}
        ${rules.includes("number_deck") ? deckKeys(position, put) : nothing}
        ${
          rules.includes("captain_card")
            ? html`<p>${words.captainCard}</p>${choice({
                label: words.captainCard,
                options: [
                  ["", words.noActor],
                  ...playersOf(position).map((p) => [String(p), seat(p)] as [string, string]),
                ],
                value: String(position.captain_card ?? ""),
                onChange: (v) => put({ captain_card: v === "" ? null : Number(v) }),
              })}`
            : nothing
        }
        ${
          rules.includes("constraint")
            ? rules.includes("own_limits")
              ? playersOf(position).map((p) =>
                  limitOf(words.limitOf(seat(p)), ownLimit(p), (card) => putLimit(p, card)),
                )
              : limitOf(words.limitCard, position.constraint, turnLimit)
            : nothing
        }${amounts(position, seat, put)}
        ${keys(
          "locked",
          words.lockedValues,
          valuesOf(position).filter((v) => v !== "RED"),
        )}`,
    });
  context.open(body);
}
