/** The advice bar of a narrow screen: the best cut or token, or what to enter next, and keys for the result. */

import type { Cut, Doubt } from "../../types/rack.js";
import { html, nothing } from "../../vendor.js";
import type { Bar } from "../../widgets/advice-bar.js";
import { pendingBar } from "../../widgets/advice-bar.js";
import {
  askResult,
  bestCut,
  checksOf,
  cutPanel,
  cutRow,
  indicate,
  indicatePanel,
  indicationRow,
  recorder,
  recordLabel,
  weighedStand,
} from "./advice-panels.js";
import { gearDialog } from "./equipment.js";
import { noMoreTokens, tokenNextToStand, tokenPrompt } from "./first-tokens.js";
import type { Context, Place } from "./model.js";
import { cutsSoFar, isMine, NO_ENTRY, nextUnknown, ownerOf, seating, slotAt } from "./model.js";
import { reviewAction } from "./review.js";
import { capital, nameOf, playerName, words } from "./strings.js";
import { needsSeat, seatButtons } from "./table-head.js";
import { actorOf, addTurn, notifyFault } from "./turn.js";
import { isDefused, isDone, isLost, lostFor, partnerDue, playPartners } from "./turn-order.js";

export function bar(context: Context, tab: "cut" | "indicate"): Bar {
  const due = endBar(context) ?? entryBar(context);
  if (due) return due;
  const isCut = tab === "cut";
  const sheet = () => (isCut ? cutPanel(context) : indicatePanel(context));
  const verb = isCut ? "cuts" : "indicate";
  const pending = pendingBar(context, verb, isCut ? words.bar.weighingCuts : words.bar.weighingTokens);
  if (pending && !(isCut && cutsSoFar(context.replies.cuts).early))
    return { ...pending, entry: resultButtons(context), sheet };
  return { ...(isCut ? cutBar(context) : tokenBar(context)), sheet };
}

const input = (title: string, text: string, more: Omit<Partial<Bar>, "title" | "facts"> = {}): Bar => ({
  state: "input",
  title,
  facts: text ? [{ text }] : [],
  ...more,
});

/** The end of the game, or a contradiction; null while it goes on. */
function endBar(context: Context): Bar | null {
  const { position, replies } = context;
  const act = reviewAction(context);
  if (isLost(context))
    return { state: "input", title: words.bar.lost, facts: [{ text: words.bar.lostHow, tone: "risk" }], act };
  const doubt = replies.doubt?.value;
  if (doubt?.contradiction) return contradictionBar(context, doubt);
  const stuck = lostFor(context);
  if (stuck)
    return {
      state: "input",
      title: stuck.saved ? words.bar.noPlayer : words.bar.missionLost,
      facts: [{ text: stuck.saved ? words.bar.unless : words.bar.noPlayer, tone: "risk" }],
      ...(stuck.saved ? { entry: otherMoves(context) } : { act }),
    };
  const isWon = isDefused(position);
  if (!isWon && !isDone(position)) return null;
  const title = isWon ? words.bar.defused : words.bar.allCut;
  return { state: "finished", title, facts: [{ text: words.bar.wellDone, tone: "good" }], act };
}

function contradictionBar(context: Context, doubt: Doubt): Bar {
  const [first] = doubt.smallest.flat();
  const place: Place | null = first ? [first.stand, first.slot ?? 0] : null;
  return {
    state: "contradiction",
    title: words.doubtTitle,
    facts: first ? [{ text: `${nameOf(context.position, first.stand)}: ${first.text}` }] : [],
    act:
      place && slotAt(context.position, place)
        ? { label: words.bar.look, run: () => open(context, place) }
        : undefined,
  };
}

/** What is to be entered before there is advice: a seat, partners' turns, wires, first tokens. */
function entryBar(context: Context): Bar | null {
  const { position, view } = context;
  if (needsSeat(context)) return input(words.whoAreYou, words.bar.stays, { entry: seatButtons(context) });
  const partner = partnerDue(context);
  if (partner !== null)
    return input(words.partners.turn(playerName(position, partner.actor)), words.partners.untilYou, {
      act: { label: words.partners.go, main: true, run: () => playPartners(context) },
    });
  const blank = nextUnknown(position);
  if (blank) {
    const mine = isMine(position, blank[0]);
    const title = mine ? words.bar.yourWires : words.bar.turnedOf(nameOf(position, blank[0]));
    return input(title, mine ? words.bar.fromLeft : words.bar.turned, {
      act: view.at ? undefined : { label: words.bar.enter, main: true, run: () => open(context, blank) },
    });
  }
  const token = tokenPrompt(context);
  if (!token) return null;
  const { slots } = position.stands[token.due];
  const first = Math.max(
    0,
    slots.findIndex(({ state }) => state === "hidden"),
  );
  const buttons = html`<button class="soft" @click=${() => open(context, [token.due, first])}>${words.bar.token}</button>
    ${noMoreTokens(context)}`;
  const hasPad = view.at || tokenNextToStand(context) !== null;
  return input(token.title, token.how, { entry: hasPad ? undefined : buttons });
}

function cutBar(context: Context): Bar {
  const best = bestCut(context);
  if (!best) return noCutBar(context);
  const row = cutRow(context, best);
  const { early } = cutsSoFar(context.replies.cuts);
  const run = recorder(context, best);
  const wins = words.winNumber(best.win);
  const isMiss = best.action === "miss";
  const shownAsNumber = [
    wins && best.win ? words.wins(best.win, early) : "",
    best.gain === null ? "" : words.bits(best.gain),
  ];
  const others = row.facts.filter(({ text }) => !shownAsNumber.includes(text));
  const shown = early || checksOf(context.replies).length ? 1 : 2;
  const number = wins
    ? { number: wins, unit: words.winsUnit }
    : best.certain || isMiss
      ? {}
      : { number: row.number, unit: row.unit };
  return {
    state: best.certain ? "certain" : "advice",
    title: isMiss
      ? words.sayToMiss(words.cutName(best, nameOf(context.position, best.stand)))
      : capital(row.spoken),
    ...number,
    facts: [
      ...(wins && !isMiss && !best.certain ? [{ text: words.worksWith(best.success) }] : []),
      ...others.filter(({ tone }, i) => i < shown || tone === "risk"),
      ...(early ? [{ text: words.bar.orderSoFar }] : []),
      ...checkFacts(context),
    ],
    act: run && !context.view.at ? { label: recordLabel(context, best), run } : undefined,
    entry: resultButtons(context, best),
  };
}

/** No cut is listed: the bomb goes off, the turn is skipped, another player cuts, or no cut can work. */
function noCutBar(context: Context): Bar {
  const { stuck = "", stuck_steps: steps = 0, note: text = "" } = cutsSoFar(context.replies.cuts).found ?? {};
  const options = { card: "skip", actor: context.position.viewer, steps };
  const run = () => addTurn(context, { want: "use", options }, {}).catch(notifyFault(context));
  const explodes = stuck === "explode";
  return {
    state: "input",
    title: explodes ? words.bar.explodes : text ? words.bar.stuck : words.bar.noCut,
    facts: text ? [{ text, tone: explodes ? "risk" : undefined }] : [],
    act: stuck === "skip" ? { label: words.bar.skip, run } : undefined,
    entry: html`${resultButtons(context)}${otherMoves(context)}`,
  };
}

function tokenBar(context: Context): Bar {
  const { position, view, replies } = context;
  const found = replies.indicate?.value;
  const best = found?.options[0];
  const entry = resultButtons(context);
  if (!best || (position.sealed && !view.scores))
    return input(words.indicateTitle, found?.note ?? "", { entry });
  const row = indicationRow(best);
  const run = () => indicate(context, weighedStand(position, view), best);
  return {
    state: "advice",
    title: best.says || best.slot === null ? capital(row.spoken) : words.bar.showAt(best.wire, best.slot),
    plain: row.spoken,
    number: row.number,
    unit: row.unit,
    facts: [...row.facts.slice(0, 1), ...checkFacts(context)],
    act: view.at || best.says ? undefined : { label: words.tabs.indicate, run },
    entry,
  };
}

/** That rules of the mission are not in the numbers; the full advice names them. */
function checkFacts({ replies }: Context) {
  return checksOf(replies).length ? [{ text: words.seeCard, tone: "warn" as const }] : [];
}

/** Buttons for a failed cut and for another player's turn; none while the pad is open. */
function resultButtons(context: Context, best?: Cut) {
  const { position, view } = context;
  if (view.at || view.along) return undefined;
  const mayFail = best && !best.certain && !position.sealed && best.action === "dual";
  return html`${mayFail ? html`<button class="bar-act other" @click=${() => askResult(context, best, best.slots[0])}>${words.recordNo}</button>` : nothing}
    <button class="soft" @click=${() => open(context, firstTarget(context))}>${turnLabel(context)}</button>`;
}

/** Equipment and skipped turns, where no cut can be made; otherwise they are in the table's menu. */
function otherMoves(context: Context) {
  if (context.position.sealed) return nothing;
  return html`<button class="soft" @click=${() => gearDialog(context)}>${words.gear.open}</button>`;
}

/** Whose turn is entered next. */
function turnLabel(context: Context) {
  const { position } = context;
  const next = actorOf(context);
  if (position.sealed || next === null || next === position.viewer) return words.bar.otherTurn;
  return words.bar.turnOf(playerName(position, next));
}

/** The first hidden wire of a teammate, not of the player whose turn it is. */
function firstTarget(context: Context): Place {
  const { position } = context;
  const actor = actorOf(context);
  for (const i of seating(position)) {
    if (isMine(position, i) || ownerOf(position, i) === actor) continue;
    const j = position.stands[i].slots.findIndex(({ state }) => state === "hidden");
    if (j >= 0) return [i, j];
  }
  return [0, 0];
}

function open(context: Context, at: Place) {
  context.set({ ...NO_ENTRY, at });
}
