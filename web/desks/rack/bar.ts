/** What the rack desk says in the advice bar: the best cut or token, and keys for how it went. */

import type { Cut, Doubt } from "../../types/rack.js";
import { html, nothing } from "../../vendor.js";
import type { Bar } from "../../widgets/advice-bar.js";
import { pendingBar } from "../../widgets/advice-bar.js";
import {
  actLabel,
  askEnd,
  bestCut,
  capital,
  checksOf,
  cutPanel,
  cutRow,
  indicatePanel,
  indicationRow,
  recorder,
  standOf,
  take,
} from "./advice-panels.js";
import { gearDialog } from "./equipment.js";
import { besideDue, entersOwn, nextToken, tokenAsks } from "./first-tokens.js";
import { isDefused, reviewAction } from "./game-end.js";
import type { Context, Place } from "./model.js";
import { cutsSoFar, isMine, nextOpen, ownerOf, seating, slotAt } from "./model.js";
import { nameOf, playerName, words } from "./strings.js";
import { needsSeat, seatButtons } from "./table-head.js";
import { actorOf, isDone, note } from "./turn.js";
import { isLost, lostFor, partnerDue, playPartners } from "./turn-order.js";

export function bar(context: Context, tab: "cut" | "indicate"): Bar {
  const { position, replies } = context;
  if (isLost(context))
    return {
      state: "input",
      title: words.bar.lost,
      facts: [{ text: words.bar.lostHow, tone: "risk" }],
      act: reviewAction(context),
    };
  const clash = replies.doubt?.stale ? null : replies.doubt?.value;
  if (clash?.contradiction) return contradiction(context, clash);
  const over = lostFor(context);
  if (over) return standstill(context, over.saved);
  const won = isDefused(position);
  if (won || isDone(position))
    return {
      state: "finished",
      title: won ? words.bar.defused : words.bar.allCut,
      facts: [{ text: words.bar.wellDone, tone: "good" }],
      act: reviewAction(context),
    };
  if (needsSeat(context))
    return {
      state: "input",
      title: words.whoAreYou,
      facts: [{ text: words.bar.stays }],
      entry: seatButtons(context),
    };
  const partner = partnerDue(context);
  if (partner !== null)
    return {
      state: "input",
      title: words.partners.turn(playerName(position, partner)),
      facts: [{ text: words.partners.how }],
      act: { label: words.partners.go, main: true, run: () => playPartners(context) },
    };
  const blank = nextOpen(position);
  if (blank) return fillIn(context, blank);
  const due = nextToken(context);
  if (due !== null && (!isMine(position, due) || entersOwn(context))) return showToken(context, due);
  const sheet = () => (tab === "cut" ? cutPanel(context) : indicatePanel(context));
  const key = tab === "cut" ? "cuts" : "indicate";
  const late = pendingBar(replies[key], {
    phase: context.phase,
    doing: tab === "cut" ? words.bar.weighingCuts : words.bar.weighingTokens,
    stop: () => context.stop(key),
    again: () => context.again(key),
  });
  const early = tab === "cut" && cutsSoFar(replies.cuts).early;
  if (late && !early) return { ...late, entry: entry(context, null), sheet };
  return { ...(tab === "cut" ? cut(context) : token(context)), sheet };
}

function cut(context: Context): Bar {
  const best = bestCut(context);
  if (!best) return noCut(context);
  const row = cutRow(context, best);
  const who = nameOf(context.position, best.stand);
  const { early } = cutsSoFar(context.replies.cuts);
  const shown = early || checksOf(context.replies).length ? 1 : 2;
  const run = recorder(context, best);
  const wins = words.winNumber(best.win);
  const works = wins && row.number && !best.certain ? [{ text: words.worksWith(best.success) }] : [];
  const others = row.facts.filter(
    ({ text }) =>
      !(wins && best.win && text === words.wins(best.win)) &&
      !(best.gain !== null && text === words.bits(best.gain)),
  );
  return {
    state: best.certain ? "certain" : "advice",
    title: best.action === "miss" ? words.sayToMiss(words.cutName(best, who)) : capital(row.spoken),
    ...(wins
      ? { number: wins, unit: words.winsUnit }
      : best.certain || !row.number
        ? {}
        : { number: row.number, unit: row.unit }),
    facts: [
      ...works,
      ...others.filter(({ tone }, i) => i < shown || tone === "risk"),
      ...(early ? [{ text: words.bar.orderSoFar }] : []),
      ...card(context),
    ],
    act: run && !context.view.at ? { label: actLabel(context, best), run } : undefined,
    entry: entry(context, best),
  };
}

/** No cut is listed: the bomb goes off, the turn is skipped, another player cuts, or no cut can work. */
function noCut(context: Context): Bar {
  const { stuck = "", stuck_steps: steps = 0, note: text = "" } = cutsSoFar(context.replies.cuts).found ?? {};
  const facts = text ? [{ text, ...(stuck === "explode" ? { tone: "risk" as const } : {}) }] : [];
  const options = { card: "skip", actor: context.position.viewer, steps };
  const run = () =>
    note(context, { want: "use", options }, {}).catch((fault) =>
      context.tell(fault.message ?? String(fault)),
    );
  return {
    state: "input",
    title: stuck === "explode" ? words.bar.explodes : text ? words.bar.stuck : words.bar.noCut,
    facts,
    act: stuck === "skip" ? { label: words.bar.skip, run } : undefined,
    entry: html`${entry(context, null)}${others(context)}`,
  };
}

function token(context: Context): Bar {
  const { position, view, replies } = context;
  const found = replies.indicate?.value;
  const best = found?.options[0];
  if (!best || (position.sealed && !view.scores)) {
    const facts = found?.note ? [{ text: found.note }] : [];
    return { state: "input", title: words.indicateTitle, facts, entry: entry(context, null) };
  }
  const row = indicationRow(best);
  const stand = standOf(position, view);
  return {
    state: "advice",
    title: best.says || best.slot === null ? capital(row.spoken) : words.bar.showAt(best.wire, best.slot),
    plain: row.spoken,
    number: row.number,
    unit: row.unit,
    facts: [...row.facts.slice(0, 1), ...card(context)],
    act:
      view.at || best.says
        ? undefined
        : {
            label: words.tabs.indicate,
            run: () => take(context, stand, best),
          },
    entry: entry(context, null),
  };
}

/** That rules of the mission are not in the numbers; the whole advice names them. */
function card({ replies }: Context) {
  return checksOf(replies).length ? [{ text: words.seeCard, tone: "warn" as const }] : [];
}

/** A teammate lays the next first token. @param due her stand */
function showToken(context: Context, due: number): Bar {
  const { position } = context;
  const { slots } = position.stands[due];
  const first = Math.max(
    0,
    slots.findIndex((slot) => slot.state === "hidden"),
  );
  return {
    state: "input",
    title: words.bar.tokenOf(nameOf(position, due)),
    facts: [{ text: tokenAsks(context, due) }],
    entry:
      context.view.at || besideDue(context) !== null
        ? undefined
        : html`<button class="soft" @click=${() => open(context, [due, first])}>${words.bar.token}</button>
        <button class="plain" @click=${() => context.set({ noTokens: true })}>${words.noTokens}</button>`,
  };
}

/** How the advised cut went otherwise, and a turn of somebody else; the pad is the entry while it is open. */
function entry(context: Context, best?: Cut | null) {
  const { position } = context;
  if (context.view.at || context.view.along) return undefined;
  const fails = best && !best.certain && !position.sealed && best.action === "dual";
  return html`${fails ? html`<button class="bar-act other" @click=${() => askEnd(context, best, best.slots[0])}>${words.recordNo}</button>` : nothing}
    <button class="soft" @click=${() => open(context, firstOpen(context))}>${turnOf(context)}</button>`;
}

/** Other moves, such as cards, where no cut can be made; else they are in the table's menu. */
function others(context: Context) {
  if (context.position.sealed) return nothing;
  return html`<button class="soft" @click=${() => gearDialog(context)}>${words.gear.open}</button>`;
}

/** No one can cut any more. @param saved whether a card may still help */
function standstill(context: Context, saved: boolean): Bar {
  const text = saved ? words.bar.unless : words.bar.noPlayer;
  return {
    state: "input",
    title: saved ? words.bar.noPlayer : words.bar.missionLost,
    facts: [{ text, tone: "risk" }],
    act: saved ? undefined : reviewAction(context),
    entry: saved ? others(context) : undefined,
  };
}

/** Whose turn is noted next, where it is another's. */
function turnOf(context: Context) {
  const { position } = context;
  const next = actorOf(context);
  if (position.sealed || next === null || next === position.viewer) return words.bar.otherTurn;
  return words.bar.turnOf(playerName(position, next));
}

/** A wire that the viewer sees is still to be given. @param blank its place */
function fillIn(context: Context, blank: Place): Bar {
  const { position, view } = context;
  const mine = isMine(position, blank[0]);
  return {
    state: "input",
    title: mine ? words.bar.yourWires : words.bar.turnedOf(nameOf(position, blank[0])),
    facts: [{ text: mine ? words.bar.fromLeft : words.bar.turned }],
    act: view.at ? undefined : { label: words.bar.enter, main: true, run: () => open(context, blank) },
  };
}

/** The first wire of a teammate that is still hidden, not one of hers whose turn it is. */
function firstOpen(context: Context): Place {
  const { position } = context;
  const acts = actorOf(context);
  for (const i of seating(position)) {
    if (isMine(position, i) || ownerOf(position, i) === acts) continue;
    const j = position.stands[i].slots.findIndex((s) => s.state === "hidden");
    if (j >= 0) return [i, j];
  }
  return [0, 0];
}

function open(context: Context, place: Place) {
  context.set({ at: place, typed: "", turn: null });
}

function contradiction(context: Context, clash: Doubt): Bar {
  const { position } = context;
  const [first] = clash.smallest.flat();
  const at = (first && [first.stand, first.slot ?? 0]) as Place;
  return {
    state: "contradiction",
    title: words.doubtTitle,
    facts: first ? [{ text: `${nameOf(position, first.stand)}: ${first.text}` }] : [],
    act: at && slotAt(position, at) ? { label: words.bar.look, run: () => open(context, at) } : undefined,
  };
}
