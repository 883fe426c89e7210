/** Dialogs: the stands as text, what is known of one stand, the mission's cards. */
import { html, nothing } from "../../vendor.js";
import { choice } from "../../widgets/choice.js";
import { dialog } from "../../widgets/dialog.js";
import { LIMIT_CARDS, ownerOf, playersOf, valuesOf, whole, withStand } from "./model.js";
import { nameOf, valueName, words } from "./words.js";

/** @typedef {import("./model.js").Context} Context */
/** @typedef {import("./model.js").Position} Position */

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
      close: words.close,
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
    context.open(label === words.nameLabel ? body : null); // one fact, and the table is back
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
      close: words.close,
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
      close: words.close,
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
