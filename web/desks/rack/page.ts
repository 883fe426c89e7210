/** The rack desk: Bomb Busters. */

import { html, nothing } from "../../vendor.js";
import { plainLines } from "../../widgets/file.js";
import { fixed, whole } from "../../widgets/numbers.js";
import { choice, doubtCard, tick } from "../../widgets/panel.js";
import { explained } from "../../widgets/term.js";
import { waiting } from "../../widgets/waiting.js";
import type { Binding, DeskPage } from "../desk.js";
import { cutPanel, indicatePanel, tokenKind, weighedStand } from "./advice-panels.js";
import { bar } from "./bar.js";
import { board, describeStands } from "./board.js";
import { tableTextDialog } from "./dialogs.js";
import { examples } from "./examples.js";
import { areTokensLaid, noMoreTokens, tokenPrompt } from "./first-tokens.js";
import { MISSION_NOTES, MISSION_TITLES } from "./mission-notes.js";
import type { Context, Desk, Place, Position, Requests, View } from "./model.js";
import {
  accept,
  anyCut,
  cutsSoFar,
  FIRST_VIEW,
  firstTable,
  hasBegun,
  heldValues,
  knowsOwnWires,
  NO_ENTRY,
  nextUnknown,
  seating,
  slotAt,
  slotFromText,
  suspectsOf,
  TOKEN_KINDS,
  viewerSees,
  withoutSecrets,
  withSeat,
  withSlot,
} from "./model.js";
import { mini, picture } from "./picture.js";
import { correctionNote, endPanel, log, review, reviewRequest } from "./review.js";
import { setSlot } from "./slot-pad.js";
import { face, nameOf, playerName, words } from "./strings.js";
import { detonator, needsSeat, seatButtons, tableMenu } from "./table-head.js";
import { takeSecondWire } from "./turn.js";
import { endOf, isDone, isOver, partnerDue, playPartners } from "./turn-order.js";

const PLAIN = ["dual", "solo", "reveal", "together"]; // cuts without equipment
const SIGNS = "(?:!(?:\\d{1,2}|[YR])|[EO]|[123]x|X|=|/|@)*";
const LINE = new RegExp(
  `^(?:[^:|]{1,24}:)? ?(?:[bBr]?${SIGNS}(?:\\?|i)?(?:[YRyr]?\\d{1,2}(?:\\.[15])?|[YRy]\\??)?${SIGNS}[ ,]){3,}`,
);

export const page: DeskPage<Desk> = {
  name: "rack",
  initial: firstTable,
  examples,
  accept,
  title: words.titleOf,
  listRequests: (position, view, past = []) => listRequests(position, { ...FIRST_VIEW, ...view }, past),
  draw: (context) => draw(withDefaults(context)),
  bar: (context) => bar(withDefaults(context), tabOf(withDefaults(context))),
  keys: (context) => keys(withDefaults(context)),
  describe,
  picture: ({ position, view, replies }, caption) => {
    const found = view.lookback ? replies.review?.value : null;
    return picture(position, caption, found?.turns.length ? found : null);
  },
  mini,
  asks: words.asks,
  shared: withoutSecrets,
  resume: withSeat,
  recognises: (text) =>
    text.length < 4000 && text.includes("?") && plainLines(text).some((line) => LINE.test(`${line} `)),
  paste(text, context) {
    if (text.length > 20_000 || !/\d/.test(text)) return false;
    tableTextDialog(context, text);
    return true;
  },
};

/** The context with a complete view; the stored one holds what differs from the defaults. */
function withDefaults(context: Context): Context {
  return { ...context, view: { ...FIRST_VIEW, ...context.view } };
}

function listRequests(position: Position, view: View, past: Context["past"]): Requests {
  const back = reviewRequest(view);
  const requests: Requests = back ? { review: back } : {};
  if (!position.stands.length) return requests;
  const bare = { ...position, sealed: null };
  requests.doubt = { want: "doubt", position: bare };
  requests.posterior = { want: "posterior", position: bare };
  if (isOver({ position, past })) return requests;
  if (tabOf({ position, view }) === "indicate") {
    if (knowsOwnWires(position)) Object.assign(requests, listTokenRequests(position, view, bare));
  } else if (heldValues(position).length) {
    const actions = view.byWin ? [...PLAIN, "miss"] : PLAIN;
    const options = {
      ...(view.gear ? { joined: true } : { actions }),
      ...(view.byWin ? { rank: "auto" as const } : {}),
    };
    requests.cuts = { want: "cuts", position: bare, options, urgency: "first" };
  }
  return requests;
}

function listTokenRequests(position: Position, view: View, bare: Position): Requests {
  const options = {
    stand: weighedStand(position, view),
    token: tokenKind(position, view),
    model: view.model,
  };
  const more = {
    ...(view.team ? { seen_by: "teammates" as const, samples: 30 } : {}),
    ...(view.tokensByWin ? { criterion: "win" as const } : {}),
  };
  const want = { want: "indicate", position: bare } as const;
  const requests: Requests = { indicate: { ...want, options: { ...options, ...more }, urgency: "first" } };
  for (const token of view.compare ? TOKEN_KINDS : [])
    requests[`compare.${token}`] = { ...want, options: { ...options, token }, urgency: "last" };
  return requests;
}

function tabOf({ position, view }: Pick<Context, "position" | "view">) {
  return view.tab ?? (anyCut(position) ? "cut" : "indicate");
}

function draw(context: Context) {
  const { position, view } = context;
  const { mission, sealed } = position;
  if (!view.tab && areTokensLaid(context)) queueMicrotask(() => context.set({ tab: "cut" }));
  const end = endOf(context);
  return html`<div class="desk rack-desk">
    <section class="stack board-side">
      <div class="between table-head">
        <div><h1>${mission ? `${words.mission} ${mission}` : words.title}</h1>
          <p class="sub">${words.line(position)}</p></div>
        ${detonator(context)}<button class="soft" data-edit @click=${() => tableMenu(context)}>${words.table}</button></div>
      ${sealed ? html`<div class="note"><p>${words.practiceOpen}</p>${partners(context)}</div>` : nothing}
      ${prompt(context)}
      ${correctionNote(context)}
      ${secondWireNote(context)}
      ${doubt(context)}
      ${board(context)}
      ${log(context)}
      ${review(context)}
      ${mission ? html`<details class="more"><summary>${MISSION_TITLES[mission - 1]}: ${words.whatChanges}</summary><p>${MISSION_NOTES[mission - 1]}</p></details>` : nothing}
    </section>
    <div class="stack">
      ${end ? endPanel(context, end) : advicePanel(context)}
    </div>
  </div>`;
}

/** On a wide screen, which has no bar: that a seat is to be taken, or whose first token comes next. */
function prompt(context: Context) {
  const note = (label: string, text: string, buttons: unknown) =>
    html`<div class="note prompt" role="group" aria-label=${label} data-edit><p><b>${label}</b> ${text}</p><div class="row wrap">${buttons}</div></div>`;
  if (needsSeat(context)) return note(words.whoAreYou, words.nothingLeaves, seatButtons(context));
  const token = tokenPrompt(context);
  return token ? note(token.title, token.how, noMoreTokens(context)) : nothing;
}

/** That a teammate's second wire is to be tapped. */
function secondWireNote(context: Context) {
  const { along } = context.view;
  if (!along || along.fails) return nothing;
  const who = playerName(context.position, along.options.actor ?? 0);
  return html`<div class="note along" role="status"><p>${words.alongWith(who, along.value)}</p>
    <button class="plain" @click=${() => context.set({ along: null })}>${words.cancel}</button></div>`;
}

/** The number of deals, and the advice on cuts or tokens. */
function advicePanel(context: Context) {
  const tab = tabOf(context);
  return html`${dealsLine(context)}
    ${isDone(context.position) ? nothing : choice({ label: words.turn, options: words.tabs, value: tab, onChange: (t) => context.set({ tab: t, chosen: "" }) })}
    ${tab === "cut" ? cutPanel(context) : indicatePanel(context)}`;
}

/** Whether partners take their turns in a practice game; the button plays them. */
function partners(context: Context) {
  const change = (on: boolean) => context.set({ partners: on });
  return html`${tick(words.partners.play, context.view.partners, change, words.partners)}
    ${partnerDue(context) === null ? nothing : html`<button class="main" data-edit @click=${() => playPartners(context)}>${words.partners.go}</button>`}`;
}

function doubt({ position, replies }: Context) {
  const found = replies.doubt?.value;
  if (!found?.contradiction)
    return found?.sizes && replies.posterior?.fault ? html`<p class="note warn">${found.sizes}</p>` : nothing;
  const clashes = suspectsOf(found).map(({ stand, slot, text }) => {
    const name = nameOf(position, stand);
    return `${slot === null ? name : words.place(name, slot)}: ${text}`;
  });
  return doubtCard({ title: words.doubtTitle, clashes, listed: true, notes: [words.doubtHow] });
}

function dealsLine(context: Context) {
  const reply = context.replies.posterior;
  if (reply?.fault) return nothing;
  if (!reply?.value) return html`<div>${waiting(reply, { phase: context.phase, room: "line" })}</div>`;
  const { arrangements, bits } = reply.value;
  const { factor, power } = scientific(arrangements);
  const count = power ? html`${factor} · 10<sup>${power}</sup>` : factor;
  const text = `${words.left(arrangements)}, ${words.bitsOpen(bits)}`;
  return html`<div class=${reply.stale ? "left-box stale" : "left-box"}><p class="left"><b>${count}</b><span>${explained(text)}</span></p></div>`;
}

/** A whole number in full, or from ten million on as a factor and a power of ten. */
function scientific(digits: string) {
  const power = digits.length - 1;
  if (digits.length <= 7) return { factor: whole(digits), power: 0 };
  return { factor: fixed(Number(digits) / 10 ** power, 1), power };
}

function describe(context: Context) {
  const { position, replies } = context;
  const end = endOf(context);
  const doubt = replies.doubt?.value;
  const posterior = replies.posterior?.fault ? null : replies.posterior?.value;
  const cuts = cutsSoFar(replies.cuts).found;
  const tokens = replies.indicate?.value;
  const lines: (string | false | null | undefined)[] = [];
  if (doubt?.contradiction) {
    const clashes = suspectsOf(doubt).map((s) => `${nameOf(position, s.stand)} ${s.text}`);
    lines.push(`${words.doubtTitle}: ${clashes.join(", ")}.`);
  } else if (posterior) {
    const { factor, power } = scientific(posterior.arrangements);
    const count = power ? `${factor} times 10 to the ${power}` : factor;
    lines.push(`${count} ${words.left(posterior.arrangements)}, ${words.bitsOpen(posterior.bits)}.`);
  }
  lines.push(`${words.line(position)}.`, ...(posterior?.check ?? []));
  lines.push(position.detonator !== null && `${words.setSteps(position.detonator)}.`);
  if (end) lines.push(`${end.title}. ${end.reason}`);
  else lines.push(position.detonator === 1 && words.lastStep, posterior?.lost);
  for (const { option, reason } of cuts?.front ?? []) {
    const cut = cuts?.options[option];
    lines.push(cut && `${words.spokenCut(cut, nameOf(position, cut.stand))}. ${reason}`);
  }
  if (!position.sealed) lines.push(...(tokens?.options ?? []).map((o) => `${words.spokenIndication(o)}.`));
  const assumed = (cuts ?? tokens)?.assumed;
  lines.push(...describeStands({ position, replies }), assumed && words.assumed(assumed));
  return lines.filter((line) => typeof line === "string" && line !== "") as string[];
}

function keys(context: Context): Binding[] {
  const { typed } = context.view;
  const letters = ["y", "r", "i", ".", "!", "e", "o", "x", "=", "/", ..."0123456789"];
  const type = (text: string) => context.set({ typed: text });
  return [
    { keys: letters, label: words.keysHint, run: ({ key }) => type(typed + typedKey(key, typed)) },
    { keys: ["Enter"], label: words.take, run: () => applyTyped(context) },
    { keys: [" "], label: words.nameIt, run: () => nameTyped(context), when: () => typed !== "" },
    { keys: ["Backspace"], label: words.erase, run: () => type(typed.slice(0, -1)) },
    { keys: ["Escape"], label: words.cancel, run: () => context.set(NO_ENTRY) },
    {
      keys: [..."abcdfghjklm"], // e and i begin what is typed
      label: words.slotKeys,
      when: () => typed === "",
      run: ({ key }) => selectSlot(context, key.toLowerCase().charCodeAt(0) - 97),
    },
    { keys: ["ArrowRight"], label: "→", run: () => moveBySlot(context, 1) },
    { keys: ["ArrowLeft"], label: "←", run: () => moveBySlot(context, -1) },
    { keys: ["ArrowDown"], label: "↓", run: () => moveByStand(context, 1) },
    { keys: ["ArrowUp"], label: "↑", run: () => moveByStand(context, -1) },
  ];
}

/**
 * A key as it is typed: capitals, except i, and x after a number; "?" is the shell's, so a dot stands for it,
 * except after a wire's number.
 */
function typedKey(key: string, before: string) {
  const small = key.toLowerCase();
  if (small === ".") return /(?:^|[^!\d])\d{1,2}$/.test(before) ? "." : "?"; // as printed on a tile: 3.1
  if (small === "i") return "i";
  if (small === "x") return /[123]$/.test(before) ? "x" : "X";
  return key.toUpperCase();
}

/** Select a wire by the keyboard: the focus goes to its tile, which brings it into view. */
function select(context: Context, place: Place) {
  const focus = () => document.querySelector<HTMLElement>(`[data-place="${place.join(".")}"]`)?.focus();
  context.set({ at: place, typed: "", turn: null }, focus);
}

function selectSlot(context: Context, slot: number) {
  const { position, view } = context;
  const stand = view.at?.[0] ?? seating(position)[0] ?? 0;
  if (slot < (position.stands[stand]?.slots.length ?? 0)) select(context, [stand, slot]);
}

/** Select the next slot of the stand, or the one before, in a circle. */
function moveBySlot(context: Context, step: 1 | -1) {
  const { position, view } = context;
  const [stand, slot] = view.at ?? [seating(position)[0] ?? 0, step > 0 ? -1 : 0];
  const slots = position.stands[stand]?.slots.length ?? 0;
  if (slots) select(context, [stand, (slot + step + slots) % slots]);
}

/** Select the same slot of the next stand, or the one before, in a circle. */
function moveByStand(context: Context, step: 1 | -1) {
  const { position, view } = context;
  const order = seating(position);
  const row = view.at ? order.indexOf(view.at[0]) : step > 0 ? -1 : 0;
  const stand = order[(row + step + order.length) % order.length];
  if (stand === undefined) return;
  select(context, [stand, Math.min(view.at?.[1] ?? 0, position.stands[stand].slots.length - 1)]);
}

/** Press the key of the pad with the typed value: the value named, or what a token shows. */
function nameTyped(context: Context) {
  const { typed } = context.view;
  const shown = face(typed);
  const all = document.querySelectorAll<HTMLButtonElement>(".pad-box .step .key:not(:disabled)");
  const key = [...all].find((one) => one.querySelector("b")?.textContent?.trim() === shown);
  context.set({ typed: "" });
  if (key) key.click();
  else context.notify(words.keysHint);
}

/** Enter what was typed at the selected wire, and select the next one. */
function applyTyped(context: Context) {
  const { position, view } = context;
  if (view.along && view.at && !view.typed) return takeSecondWire(context, view.at);
  const place = view.at ?? [seating(position)[0] ?? 0, 0];
  const slot = slotAt(position, place);
  const typed = slotFromText(view.typed);
  if (!slot || !typed) {
    if (view.typed) context.notify(words.keysHint);
    context.set({ typed: "" });
    return;
  }
  const isSeen = viewerSees(position, place[0], slot);
  const isOwnWire =
    isSeen && typed.state === "cut" && slot.state === "hidden" && !(slot.wire && hasBegun(position));
  const next = isOwnWire ? { ...typed, state: "hidden" as const } : typed;
  setSlot(context, place, next);
  const [stand, j] = place;
  const following: Place = [stand, (j + 1) % position.stands[stand].slots.length];
  select(context, isSeen ? (nextUnknown(withSlot(position, place, next), place) ?? place) : following);
}
