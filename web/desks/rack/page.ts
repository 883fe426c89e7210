/** The rack desk: Bomb Busters. */

import type { Cuts } from "../../types/rack.js";
import { html, nothing } from "../../vendor.js";
import { plainLines } from "../../widgets/file.js";
import { fixed, whole } from "../../widgets/numbers.js";
import { choice, doubtCard, tick } from "../../widgets/panel.js";
import { explained } from "../../widgets/term.js";
import { waiting } from "../../widgets/waiting.js";
import type { Binding, DeskPage } from "../desk.js";
import { cutPanel, indicatePanel, kindOf, standOf } from "./advice-panels.js";
import { bar } from "./bar.js";
import { board, describeStands } from "./board.js";
import { factsDialog, textDialog } from "./dialogs.js";
import { examples } from "./examples.js";
import { tokensLie } from "./first-tokens.js";
import { endOf, endPanel, isOver } from "./game-end.js";
import { MISSION_NOTES, MISSION_TITLES } from "./mission-notes.js";
import type { Context, Desk, Place, Position, View, Wanted } from "./model.js";
import {
  accept,
  anyCut,
  begun,
  cutsSoFar,
  firstTable,
  held,
  nextOpen,
  ownKnown,
  ranksByWin,
  seated,
  seating,
  sees,
  slotAt,
  slotFromText,
  suspectsOf,
  TOKEN_KINDS,
  withoutSecrets,
  withSlot,
} from "./model.js";
import { mini, picture } from "./picture.js";
import { correcting, log, review, reviewWant } from "./review.js";
import { setSlot } from "./slot-pad.js";
import { nameOf, playerName, words } from "./strings.js";
import { detonator, needsSeat, seatButtons, tableMenu } from "./table-head.js";
import { isDone, takeAlong } from "./turn.js";
import { partnerDue, playPartners } from "./turn-order.js";

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
  wants,
  draw,
  bar: (context) => bar(context, tabOf(context.position, context.view)),
  keys,
  describe,
  picture: (context) => {
    const found = context.view.lookback ? context.replies.review?.value : null;
    const below = found?.turns.length ? found : null;
    return picture(context.position, words.titleOf(context.position).join(", "), below);
  },
  mini,
  asks: words.asks,
  shared: withoutSecrets,
  resume: seated,
  recognises: (text) =>
    text.length < 4000 && text.includes("?") && plainLines(text).some((line) => LINE.test(`${line} `)),
  paste(text, context) {
    if (text.length > 20_000 || !/\d/.test(text)) return false;
    textDialog(context, text);
    return true;
  },
};

function wants(position: Position, view: View, past: Context["past"] = []) {
  const wanted: Wanted = {};
  const back = reviewWant(view);
  if (back) wanted.review = { ...back, urgency: "last" };
  if (!position.stands.length) return wanted;
  const bare = { ...position, sealed: null };
  wanted.doubt = { want: "doubt", position: bare };
  wanted.posterior = { want: "posterior", position: bare };
  if (isOver({ position, past })) return wanted;
  const tab = tabOf(position, view);
  if (tab === "indicate" && ownKnown(position)) {
    const options = {
      stand: standOf(position, view),
      token: kindOf(position, view),
      model: view.model ?? "bayes",
    };
    wanted.indicate = {
      want: "indicate",
      position: bare,
      options: {
        ...options,
        ...(view.team ? { seen_by: "teammates", samples: 30 } : {}),
        ...(view.tokensByWin ? { criterion: "win" } : {}),
      },
      urgency: "first",
    };
    if (view.compare)
      for (const token of TOKEN_KINDS)
        wanted[`compare.${token}`] = {
          want: "indicate",
          position: bare,
          options: { ...options, token },
          urgency: "last",
        };
  }
  const byWin = ranksByWin(view);
  if (tab === "cut" && held(position).length)
    wanted.cuts = {
      want: "cuts",
      position: bare,
      options: {
        ...(view.gear ? { joined: true } : { actions: byWin ? [...PLAIN, "miss"] : PLAIN }),
        ...(byWin ? { rank: "auto" } : {}),
      },
      urgency: "first",
    };
  return wanted;
}

function tabOf(position: Position, view: View): "cut" | "indicate" {
  if (view.tab) return view.tab;
  return anyCut(position) ? "cut" : "indicate";
}

function draw(context: Context) {
  const { position, view } = context;
  if (Number.isInteger(view.facts)) queueMicrotask(() => openFacts(context));
  if (!view.tab && tokensLie(context)) queueMicrotask(() => context.set({ tab: "cut" }));
  const tab = tabOf(position, view);
  const end = endOf(context);
  return html`<div class="desk rack-desk">
    <section class="stack board-side">
      <div class="between table-head">
        <div><h1>${position.mission ? `${words.mission} ${position.mission}` : words.title}</h1>
          <p class="sub">${words.line(position)}</p></div>
        ${detonator(context)}<button class="soft" data-edit @click=${() => tableMenu(context)}>${words.table}</button></div>
      ${position.sealed ? html`<div class="note"><p>${words.practiceOpen}</p>${withPartners(context)}</div>` : nothing}
      ${needsSeat(context) ? html`<div class="note seat-note" role="group" aria-label=${words.whoAreYou}><p><b>${words.whoAreYou}</b> ${words.nothingLeaves}</p><div class="row wrap">${seatButtons(context)}</div></div>` : nothing}
      ${correcting(context)}
      ${view.along && !view.along.fails ? html`<div class="note along" role="status"><p>${words.alongWith(playerName(position, view.along.options.actor ?? 0), view.along.value)}</p><button class="plain" @click=${() => context.set({ along: null })}>${words.cancel}</button></div>` : nothing}
      ${doubt(context)}
      ${board(context)}
      ${log(context)}
      ${review(context)}
      ${position.mission ? html`<details class="more"><summary>${MISSION_TITLES[position.mission - 1]}: ${words.whatChanges}</summary><p>${MISSION_NOTES[position.mission - 1]}</p></details>` : nothing}
    </section>
    <div class="stack">
      ${end ? endPanel(context, end) : advicePanel(context, tab)}
    </div>
  </div>`;
}

/** The count of deals and the advice on cuts or tokens. */
function advicePanel(context: Context, tab: "cut" | "indicate") {
  return html`${leftLine(context)}
    ${isDone(context.position) ? nothing : choice({ label: words.turn, options: words.tabs, value: tab, onChange: (t) => context.set({ tab: t, chosen: "" }) })}
    ${tab === "cut" ? cutPanel(context) : indicatePanel(context)}`;
}

/** Whether partners take their turns in a practice game; the button plays them. */
function withPartners(context: Context) {
  const due = partnerDue(context);
  return html`${tick(words.partners.play, context.view.partners, (partners) => context.set({ partners }), words.partners)}
    ${due === null ? nothing : html`<button class="main" data-edit @click=${() => playPartners(context)}>${words.partners.go}</button>`}`;
}

function openFacts(context: Context) {
  const i = context.view.facts;
  context.set({ facts: null });
  if (i != null && context.position.stands[i]) factsDialog(context, i);
}

function doubt({ position, replies }: Context) {
  const found = replies.doubt?.value;
  if (!found?.contradiction)
    return found?.sizes && replies.posterior?.fault ? html`<p class="note warn">${found.sizes}</p>` : nothing;
  return doubtCard({
    title: words.doubtTitle,
    clashes: suspectsOf(found).map(
      (s) =>
        `${nameOf(position, s.stand)}${s.slot === null ? "" : ` ${String.fromCharCode(65 + s.slot)}`}: ${s.text}`,
    ),
    listed: true,
    notes: [words.doubtHow],
  });
}

function leftLine(context: Context) {
  const reply = context.replies.posterior;
  const found = reply?.fault ? null : reply?.value;
  if (reply?.fault) return nothing;
  if (!found) return html`<div>${waiting(reply, { phase: context.phase, room: "line" })}</div>`;
  return html`<div class=${reply?.stale ? "left-box stale" : "left-box"}><p class="left"><b>${big(found.arrangements)}</b><span>${explained(`${words.left(found.arrangements)}, ${words.bitsOpen(found.bits)}`)}</span></p></div>`;
}

/** Short of a million in full, beyond that in powers of ten. */
function big(text: string) {
  if (text.length <= 7) return whole(text);
  return html`${fixed(Number(text) / 10 ** (text.length - 1), 1)} · 10<sup>${text.length - 1}</sup>`;
}

function describe(context: Context) {
  const { position, replies } = context;
  const end = endOf(context);
  const doubt = replies.doubt?.value;
  const posterior = replies.posterior?.fault ? null : replies.posterior?.value;
  const first = doubt?.contradiction
    ? `${words.doubtTitle}: ${suspectsOf(doubt)
        .map((s) => `${nameOf(position, s.stand)} ${s.text}`)
        .join(", ")}.`
    : posterior
      ? `${big2(posterior.arrangements)} ${words.left(posterior.arrangements)}, ${words.bitsOpen(posterior.bits)}.`
      : [];
  const cuts = cutsSoFar(replies.cuts).found;
  const shown = replies.indicate?.value;
  return [
    first,
    `${words.line(position)}.`,
    posterior?.check ?? [],
    position.detonator === null ? [] : `${words.setSteps(position.detonator)}.`,
    end ? `${end.title}. ${end.reason}` : position.detonator === 1 ? words.lastStep : [],
    end ? [] : posterior?.lost || [],
    (cuts?.front ?? []).map(({ option, reason }) => {
      const cut = (cuts as Cuts).options[option];
      return `${words.spokenCut(cut, nameOf(position, cut.stand))}. ${reason}`;
    }),
    position.sealed ? [] : (shown?.options ?? []).map((o) => `${words.spokenIndication(o)}.`),
    describeStands({ position, replies }),
    cuts ? words.assumed(cuts.assumed) : shown ? words.assumed(shown.assumed) : [],
  ].flat();
}

function big2(text: string) {
  return text.length <= 7
    ? whole(text)
    : `${fixed(Number(text) / 10 ** (text.length - 1), 1)} times 10 to the ${text.length - 1}`;
}

function keys(context: Context): Binding[] {
  const { view } = context;
  const typed = view.typed ?? "";
  const letters = ["y", "r", "i", ".", "!", "e", "o", "x", "=", "/", ..."0123456789"];
  return [
    {
      keys: letters,
      label: words.keysHint,
      run: (event) => context.set({ typed: typed + typedKey(event.key, typed) }),
    },
    { keys: ["Enter"], label: words.take, run: () => applyTyped(context) },
    { keys: [" "], label: words.nameIt, run: () => nameTyped(context), when: () => typed !== "" },
    { keys: ["Backspace"], label: words.erase, run: () => context.set({ typed: typed.slice(0, -1) }) },
    {
      keys: ["Escape"],
      label: words.cancel,
      run: () => context.set({ typed: "", at: null, along: null, turn: null }),
    },
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
 * Wires and tokens are written in capitals, except i, and x after a number; ? is the shell's, so a dot stands for it, except after a wire's number.
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

/** The typed value as a key of the pad: what was named, or what a token shows. */
function nameTyped(context: Context) {
  const { typed = "" } = context.view;
  const shown = ({ Y: "◆", R: "✸" } as Record<string, string>)[typed] ?? typed;
  const all = document.querySelectorAll<HTMLButtonElement>(".pad-box .step .key:not(:disabled)");
  const key = [...all].find((one) => one.querySelector("b")?.textContent?.trim() === shown);
  context.set({ typed: "" });
  if (key) key.click();
  else context.tell(words.keysHint);
}

function applyTyped(context: Context) {
  const { position, view } = context;
  if (view.along && view.at && !view.typed) return takeAlong(context, view.at);
  const place = view.at ?? [seating(position)[0] ?? 0, 0];
  const slot = slotAt(position, place);
  const typed = slotFromText(view.typed ?? "");
  if (!slot || !typed) {
    if (view.typed) context.tell(words.keysHint);
    context.set({ typed: "" });
    return;
  }
  const mine =
    sees(position, place[0], slot) &&
    typed.state === "cut" &&
    slot.state === "hidden" &&
    !(slot.wire && begun(position));
  const next = mine ? { ...typed, state: "hidden" as const } : typed;
  setSlot(context, place, next);
  const following: Place = [place[0], (place[1] + 1) % position.stands[place[0]].slots.length];
  const isSeen = sees(position, place[0], slot);
  select(context, isSeen ? (nextOpen(withSlot(position, place, next), place) ?? place) : following);
}
