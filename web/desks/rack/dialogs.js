/** Dialogs: lay out a table, the stands as text, what is known of one stand. */
import { html, nothing } from "../../vendor.js";
import { choice } from "../../widgets/choice.js";
import { dialog } from "../../widgets/dialog.js";
import {
  BLANK,
  dealtOf,
  drawnText,
  LIMIT_CARDS,
  ownerOf,
  playersOf,
  valuesOf,
  whole,
  withStand,
} from "./model.js";
import { nameOf, valueName, words } from "./words.js";

/** @typedef {import("./model.js").Context} Context */
/** @typedef {import("./model.js").Position} Position */
/** @typedef {import("./model.js").Wires} Wires */
/** @typedef {{mission: number, players: number, seat: number, seed: number}} Form which game to lay out */
/** @typedef {{wires: Wires | null, yellow: string, red: string, fault: string}} Drawn a mission's wires, and the drawn ones as typed */

const SHELL = { close: "Close" };
const MISSIONS = 66;

/** @param {Context} context */
export function setupDialog(context) {
  const form = {
    mission: context.position.mission ?? 1,
    players: Math.max(2, Math.min(5, playersOf(context.position).length)),
    seat: Math.max(0, playersOf(context.position).indexOf(context.position.viewer ?? 0)),
    seed: Math.floor(Math.random() * 1e6),
  };
  /** @type {Drawn} */
  const drawn = { wires: null, yellow: "", red: "", fault: "" };
  const draw = () => context.open(() => body());
  const change = (/** @type {Partial<Form>} */ more) => {
    Object.assign(form, more);
    if ("mission" in more || "players" in more) {
      drawn.wires = null;
      preview();
    }
    draw();
  };
  const preview = () => {
    const asked = { ...form };
    context
      .ask({ want: "mission", position: {}, options: asked })
      .promise.then((found) => {
        if (asked.mission !== form.mission || asked.players !== form.players) return; // chosen anew meanwhile
        const { wires } = whole(found);
        const yellow = drawnText(wires, "Y");
        Object.assign(drawn, { wires, fault: "", yellow, red: drawnText(wires, "R") });
        context.redraw();
      })
      .catch((fault) => {
        drawn.fault = fault.message ?? String(fault);
        context.redraw();
      });
  };
  const layOut = () => {
    const wires = drawn.wires ? chosenWires(drawn) : null;
    if (!drawn.wires || wires) return lay(context, "mission", form, wires);
    drawn.fault = words.drawnWrong;
    return draw();
  };
  const body = () =>
    dialog({
      title: words.changeGame.replace("…", ""),
      close: SHELL.close,
      onClose: () => context.open(null),
      body: html`
        <label>${words.mission}<select class="field" @change=${(/** @type {import("../../widgets/on.js").OnSelect} */ e) => change({ mission: Number(e.target.value) })}>
          ${Array.from({ length: MISSIONS }, (_, i) => html`<option value=${i + 1} ?selected=${form.mission === i + 1}>${i + 1}</option>`)}</select></label>
        ${drawn.wires && drawnText(drawn.wires, "Y") + drawnText(drawn.wires, "R") ? drawnFields(drawn) : nothing}
        ${!drawn.wires && drawn.fault ? html`<p class="note risk" role="alert">${drawn.fault}</p>` : nothing}
        <p>${words.players}</p>${choice({ label: words.players, options: seats(2, 5), value: String(form.players), onChange: (v) => change({ players: Number(v), seat: Math.min(form.seat, Number(v) - 1) }) })}
        <p>${words.seat}</p>${choice({ label: words.seat, options: seats(1, form.players), value: String(form.seat + 1), onChange: (v) => change({ seat: Number(v) - 1 }) })}
        <div class="row wrap"><button class="main" @click=${layOut}>${words.layOut}</button>
          <button class="soft" @click=${() => lay(context, "deal", form)}>${words.dealPractice}</button></div>
        ${ownWires(context, form)}`,
    });
  draw();
  preview();
}

/** Wires that no card names. @param {Context} context @param {Form} form */
function ownWires(context, form) {
  return html`<details><summary>${words.ownWires}</summary>
    <form class="stack own-wires" @submit=${(/** @type {SubmitEvent} */ e) => ownTable(context, form, e)}>
      <label>${words.blueTo}<input class="field" name="blue" type="number" min="1" max="12" value="12"></label>
      <label>${words.yellowWires}<input class="field" name="yellow" placeholder="3 7  /  2 of 3 7 9"></label>
      <label>${words.redWires}<input class="field" name="red" placeholder="5  /  1 of 2 5"></label>
      <button class="soft">${words.layOut}</button>
    </form></details>`;
}

/** @param {Drawn} drawn */
function drawnFields(drawn) {
  const field = (
    /** @type {"yellow" | "red"} */ colour,
    /** @type {(many: string) => string} */ label,
    many = drawn.wires ? howMany(drawn.wires, colour) : "",
  ) =>
    many
      ? html`<label>${label(many)}<input class="field" inputmode="text" .value=${drawn[colour]} @input=${(
          /** @type {import("../../widgets/on.js").OnInput} */ e,
        ) => {
          drawn[colour] = e.target.value;
        }}></label>`
      : nothing;
  return html`<div class="drawn">${field("yellow", words.drawnYellow)}${field("red", words.drawnRed)}</div>
    <p class="quiet">${words.drawnHint}</p>
    ${drawn.fault ? html`<p class="note risk" role="alert">${drawn.fault}</p>` : nothing}`;
}

/** "2", "2 of 3", or nothing. @param {Wires} wires @param {"yellow" | "red"} colour */
function howMany(wires, colour) {
  const letter = colour === "yellow" ? "Y" : "R";
  const group = wires.groups.find((g) => g.of[0]?.[0] === letter);
  return group ? `${group.drawn} of ${group.of.length}` : String(wires[colour].length || "");
}

/** The mission's wires with the numbers typed in; null where they are too many or too few. @param {Drawn} drawn */
function chosenWires(drawn) {
  if (!drawn.wires) return null;
  const yellow = special(drawn.yellow, "Y");
  const red = special(drawn.red, "R");
  const groups = [yellow.group, red.group].filter((group) => group !== null);
  const wires = { ...drawn.wires, yellow: yellow.wires, red: red.wires, groups };
  const size = (/** @type {Wires} */ w) => [
    dealtOf(w),
    w.yellow.length,
    w.red.length,
    w.groups.map((g) => g.of.length),
  ];
  return String(size(wires)) === String(size(drawn.wires)) ? wires : null;
}

/** @param {number} low @param {number} high @returns {[string, string][]} */
function seats(low, high) {
  return Array.from({ length: high - low + 1 }, (_, i) => [String(low + i), String(low + i)]);
}

/** @param {Context} context @param {"mission" | "deal"} want @param {Form} form @param {Wires | null} [wires] those on the table, if they are not to be drawn */
export function lay(context, want, form, wires) {
  return context
    .ask({ want, position: {}, options: form })
    .promise.then((found) =>
      start(
        context,
        "position" in found ? found.position : wires ? { ...found, wires } : found,
        want === "deal" ? words.named.practice : words.named.newTable,
      ),
    )
    .catch((fault) => context.tell(fault.message ?? String(fault)));
}

/** @param {Context} context @param {unknown} position @param {string} label */
function start(context, position, label) {
  context.open(null);
  context.commit(whole(position), label, {
    view: {
      at: null,
      tab: "indicate",
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

/** @param {Context} context @param {Form} form @param {SubmitEvent} event */
function ownTable(context, form, event) {
  event.preventDefault();
  const data = new FormData(/** @type {HTMLFormElement} */ (event.target));
  const yellow = special(String(data.get("yellow") ?? ""), "Y");
  const red = special(String(data.get("red") ?? ""), "R");
  const groups = [yellow.group, red.group].filter((group) => group !== null);
  /** @type {Wires} */
  const wires = {
    blue: [1, Number(data.get("blue")) || 12],
    yellow: yellow.wires,
    red: red.wires,
    aside: 0,
    groups,
  };
  const count = dealtOf(wires);
  const owners =
    { 2: [0, 0, 1, 1], 3: [0, 0, 1, 2] }[/** @type {2} */ (form.players)] ??
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

/** "3 7" are two wires; "2 of 3 7 9" is a group. @param {string} text @param {string} letter */
function special(text, letter) {
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

/** @param {Context} context @param {string} [given] */
export async function textDialog(context, given) {
  let text = given;
  let fault = "";
  if (text === undefined) {
    try {
      const found = await context.ask({ want: "shorthand", position: context.position }).promise;
      text = found.text.join("\n");
    } catch (problem) {
      context.tell(/** @type {import("../desk.js").FaultFacts} */ (problem).message);
      return;
    }
  }
  const take = (/** @type {import("../../widgets/on.js").OnPress} */ event) => {
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
    dialog({
      title: words.textTitle,
      close: SHELL.close,
      onClose: () => context.open(null),
      wide: true,
      body: html`<p class="quiet">${words.textHow}</p>
        <textarea class="field" spellcheck="false" aria-label=${words.textTitle} .value=${text ?? ""}></textarea>
        ${fault ? html`<p class="note risk" role="alert">${fault}</p>` : nothing}
        <button class="main" @click=${take}>${words.take}</button>`,
    });
  context.open(body);
}

/** What is said of a stand: its name, and values it has or lacks. @param {Context} context @param {number} i */
export function factsDialog(context, i) {
  let { position } = context;
  const name = nameOf(position, i);
  const put = (/** @type {import("./model.js").Stand} */ stand, /** @type {string} */ label) => {
    position = withStand(position, i, stand);
    context.commit(position, label);
    context.open(body);
  };
  const set = (
    /** @type {string} */ value,
    /** @type {import("./model.js").Fact["kind"] | "none"} */ kind,
  ) => {
    const stand = position.stands[i];
    const facts = stand.facts.filter((f) => f.value !== value);
    put({ ...stand, facts: kind === "none" ? facts : [...facts, { kind, value }] }, words.factTitle(name));
  };
  const body = () => {
    const stand = position.stands[i];
    const now = (/** @type {string} */ value) => stand.facts.find((f) => f.value === value)?.kind ?? "none";
    return dialog({
      title: words.factTitle(name),
      close: SHELL.close,
      onClose: () => context.open(null),
      body: html`<label>${words.nameLabel}<input class="field" maxlength="24" .value=${stand.name} @change=${(/** @type {import("../../widgets/on.js").OnInput} */ e) => put({ ...stand, name: e.target.value.trim() }, words.nameLabel)}></label>
        <div class="fact-list">${valuesOf(position).map(
          (value) => html`<div class="fact-row"><b>${valueName(value)}</b>
          ${choice({
            label: valueName(value),
            options: /** @type {["none" | "has" | "lacks" | "one", string][]} */ ([
              ["none", "–"],
              ["has", words.factHas],
              ["lacks", words.factLacks],
              ["one", words.factOne],
            ]),
            value: now(value),
            onChange: (kind) => set(value, kind),
          })}</div>`,
        )}</div>`,
    });
  };
  context.open(body);
}

/** The open cards of a mission: they say what may be named now. @param {Context} context */
export function cardsDialog(context) {
  let { position } = context;
  let fault = "";
  const put = (/** @type {Partial<Position>} */ more) => {
    position = { ...position, ...more };
    fault = "";
    context.commit(position, words.named.cards);
    context.open(body);
  };
  const numbers = (/** @type {import("../../widgets/on.js").OnInput} */ event) => {
    const typed = event.target.value.match(/\d+/g) ?? [];
    if (typed.every((/** @type {string} */ n) => Number(n) >= 1 && Number(n) <= 12))
      return put({ numbers: typed });
    fault = words.badNumbers;
    return context.open(body);
  };
  const seat = (/** @type {number} */ player) =>
    nameOf(
      position,
      position.stands.findIndex((_, /** @type {number} */ i) => ownerOf(position, i) === player),
    );
  const toggle = (/** @type {string} */ v) =>
    put({
      locked: position.locked.includes(v)
        ? position.locked.filter((/** @type {string} */ one) => one !== v)
        : [...position.locked, v],
    });
  const body = () =>
    dialog({
      title: words.missionCardsTitle(position.mission ?? 0),
      close: SHELL.close,
      onClose: () => context.open(null),
      body: html`<label>${words.numberCards}<input class="field" inputmode="numeric" .value=${position.numbers.join(" ")} @change=${numbers}></label>
        ${fault ? html`<p class="note risk" role="alert">${fault}</p>` : nothing}
        <p>${words.captainCard}</p>${choice({
          label: words.captainCard,
          options: [
            ["", words.nobody],
            ...playersOf(position).map((p) => /** @type {[string, string]} */ ([String(p), seat(p)])),
          ],
          value: String(position.captain_card ?? ""),
          onChange: (v) => put({ captain_card: v === "" ? null : Number(v) }),
        })}
        <label>${words.limitCard}<select class="field" @change=${(/** @type {import("../../widgets/on.js").OnSelect} */ e) => put({ constraint: e.target.value || null })}>
          <option value="" ?selected=${position.constraint === null}>${words.noLimit}</option>
          ${LIMIT_CARDS.map((l) => html`<option value=${l} ?selected=${position.constraint === l}>${l}</option>`)}</select></label>
        <p>${words.lockedValues}</p><div class="keys-row">${valuesOf(position)
          .filter((v) => v !== "RED")
          .map(
            (v) =>
              html`<button class="soft key" aria-pressed=${position.locked.includes(v)} @click=${() => toggle(v)}><b>${v === "YELLOW" ? "◆" : v}</b></button>`,
          )}</div>`,
    });
  context.open(body);
}
