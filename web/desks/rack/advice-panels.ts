/** Advice next to the board: rows of cuts and tokens, which wire to show, what to cut, and why. */

import type { Cut, Cuts, Indication, Indications } from "../../types/rack.js";
import { html, nothing } from "../../vendor.js";
import { advice, faded, reason } from "../../widgets/advice.js";
import { fixed, percent } from "../../widgets/numbers.js";
import { choice, tick } from "../../widgets/panel.js";
import { waiting } from "../../widgets/waiting.js";
import { agreementSwitch, choicesSwitch, follows } from "./first-tokens.js";
import type { Context, Place, Position, Slot, View } from "./model.js";
import {
  cutsSoFar,
  isMine,
  isTurned,
  letter,
  letters,
  nextOpen,
  ownKnown,
  ranksByWin,
  seen,
  TOKEN_KINDS,
} from "./model.js";
import { face, nameOf, words } from "./strings.js";
import { lastStep } from "./table-head.js";
import type { Device } from "./turn.js";
import { isDone, record, recordSuccess } from "./turn.js";
import { laid, lostFor, put } from "./turn-order.js";

const keyOf = ({ action, stand, slots, value }: Cut) => [action, stand, slots.join("."), value].join(" ");

/** Whose stands it points at, and which slots there. */
function placesOf(position: Position, cut: Cut) {
  const also = [...new Set(cut.also.map(([i]) => i))];
  return [cut.stand, ...(cut.action === "together" ? also : [])].map((i) => {
    const slots = i === cut.stand ? cut.slots : cut.also.flatMap(([k, j]) => (k === i ? [j] : []));
    return html`${nameOf(position, i)}<br>${letters(slots)} `;
  });
}

export const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

export function cutRow({ position }: Context, cut: Cut) {
  const who = nameOf(position, cut.stand);
  const { success, red } = cut.read?.calibrated ?? cut;
  const miss = cut.action === "miss";
  return {
    key: keyOf(cut),
    question: html`<span class="quest"><span class="mini-tile">${cut.value.split("/").map(face).join("/")}</span><span class="where">${placesOf(position, cut)}</span></span>`,
    split: cut.certain || miss ? [] : [success, Math.max(0, 1 - success - red), red].filter((p) => p > 0),
    facts: [
      ...(miss ? [{ text: words.missCosts }] : []),
      ...winFacts(cut),
      ...(cut.certain ? [{ text: words.certain, tone: "good" as const }] : []),
      ...(cut.action === "dual" || miss ? [] : [{ text: words.madeWith(cut) }]),
      ...(miss ? [] : risks(position, cut)),
      ...priced(position, cut),
      ...(cut.gain === null || cut.certain || cut.win ? [] : [{ text: words.bits(cut.gain) }]),
    ],
    number: miss ? "" : percent(success),
    unit: miss ? "" : words.works,
    spoken: `${cut.action === "solo" ? words.actions.dual : words.madeWith(cut)} ${words.cutName(cut, who)}`,
  };
}

/** The chance to win, good where it equals the best one's. */
const winFacts = ({ win }: Pick<Cut, "win">): { text: string; tone?: "good" | "risk" }[] =>
  win ? [{ text: words.wins(win), tone: win.equal ? "good" : undefined }] : [];

/** A wire turned away from a teammate takes a step of the detonator even where the cut works. */
function priced(position: Position, { action, stand, slots }: Cut) {
  const slot = position.stands[stand].slots[slots[0]];
  if (action !== "dual" || !isTurned(position, slot) || isMine(position, stand)) return [];
  const text = position.detonator === 1 ? words.lastStepGoes : words.takesStep;
  return [{ text, tone: "risk" as const }];
}

/** What may go wrong: red; or that whatever fails ends the game. */
function risks({ detonator }: Position, cut: Cut) {
  const { success, red: explodes } = cut.read?.calibrated ?? cut;
  const risk = (text: string) => ({ text, tone: "risk" as const });
  const fails = 1 - success;
  const red = explodes > 0 ? risk(`✸ ${words.redRisk(explodes)}`) : { text: words.noRed };
  if (cut.certain) return [red];
  if (explodes > 0 && fails - explodes < 1e-9) return [risk(words.endsGame(fails))];
  return detonator !== null && detonator < 2 ? [red, risk(words.endsGame(fails))] : [red];
}

const MOST_ROWS = 300;
const MOST_PLAYED = 10; // the best of those that were played out
const TONES = { excellent: "good", good: "fine", moderate: "warn", poor: "risk" } as const;

export function kindOf(position: Position, view: View) {
  return view.token ?? position.token ?? "standard";
}

/** The own stand that is weighed. */
export function standOf(position: Position, view: View) {
  const own = position.stands.flatMap((s, i: number) => ((s.owner ?? i) === position.viewer ? [i] : []));
  return own.find((i) => i === view.at?.[0]) ?? own.find((i) => i === view.weigh) ?? own[0] ?? 0;
}

/** What the mission does beyond the numbers. */
function checkCard({ replies }: Context) {
  const check = checksOf(replies);
  return check.length
    ? html`<details class="note check-card" open><summary>${words.checkCard(check.length)}</summary>
    <ul>${check.map((line) => html`<li>${line}</li>`)}</ul></details>`
    : nothing;
}

/** Why no cut is asked for. */
function unasked(context: Context) {
  const { position } = context;
  const over = lostFor(context);
  if (over) return over.text;
  return isDone(position) ? words.allCut : nextOpen(position) ? words.ownUnknown : words.noCuts;
}

/** Rules that are not in the numbers, sentence by sentence. */
export function checksOf({ posterior }: Context["replies"]): string[] {
  return posterior?.fault ? [] : (posterior?.value?.check ?? []);
}

export function indicatePanel(context: Context) {
  const { position, view, replies } = context;
  if (!ownKnown(position))
    return html`<div><h2 class="head">${words.indicateTitle}</h2><p class="sub">${nextOpen(position) ? words.fillIn : words.turnedAway}</p>
      ${checkCard(context)}<p class="quiet keys-hint">${words.keysHint}</p></div>`;
  const reply = replies.indicate;
  const found = reply?.value;
  const quiz = position.sealed && !view.scores;
  const chosen = found?.options.find((o) => tokenKey(o) === view.chosen) ?? found?.options[0];
  return html`<section class="stack advice-box">
    <div class="between"><div><h2 class="head">${words.indicateTitle}</h2><p class="sub">${words.indicateLine}</p></div></div>
    <div class="row wrap">
      ${choice({ label: words.kindLabel, options: words.kinds, value: kindOf(position, view), onChange: (token) => context.set({ token, chosen: "" }) })}
      ${choice({ label: words.rankLabel, options: words.tokenRanks, value: view.tokensByWin ? "win" : "information", onChange: (by) => context.set({ tokensByWin: by === "win", chosen: "" }) })}
      ${choice({ label: words.modelLabel, options: words.models, value: view.model ?? "bayes", onChange: (model) => context.set({ model, chosen: "" }) })}
    </div>
    <p class="quiet">${words.modelText[(view.model ?? "bayes") as "bayes"]}</p>
    ${checkCard(context)}
    ${quiz ? question(context) : nothing}
    ${waiting(reply, { phase: context.phase, stop: () => context.stop("indicate"), again: () => context.again("indicate"), ...(quiz ? {} : { room: "list" }) })}
    ${
      quiz
        ? nothing
        : found
          ? html`
      ${position.sealed ? score(context, found) : nothing}
      ${found.note ? html`<p class="note">${found.note}</p>` : nothing}
      ${found.model === "published" && position.wires.groups.some((g) => g.drawn < g.of.length) ? html`<p class="note">${words.xOfY}</p>` : nothing}
      ${advice({ rows: found.options.map(indicationRow), chosen: chosen ? tokenKey(chosen) : "", onChoose: (key) => context.set({ chosen: key }), label: words.indicateTitle, detail: chosen ? whyShown(context, found, chosen) : null })}
      ${tick(words.seenBy, view.team, (team) => context.set({ team }))}
      ${view.team ? html`<p class="quiet">${words.seenByNote}</p>` : nothing}
      ${agreementSwitch(context)}
      <button class="plain" @click=${() => context.set({ compare: !view.compare })}>${view.compare ? words.compareHide : words.compare}</button>
      ${view.compare ? comparison(context) : nothing}
      ${reading(found)}`
          : faded(reply, words.indicateTitle)
    }
  </section>`;
}

/** What makes it this token and no other. */
const tokenKey = (o: Indication) => `${o.slot ?? ""} ${o.says ?? ""}`.trim();

/** Where a token lies: a slot, or next to the stand. */
const spot = ({ slot }: Indication) => (slot === null ? "–" : letter(slot));

export function indicationRow(o: Indication) {
  return {
    key: tokenKey(o),
    question: html`<span class="quest"><span class="faint">${spot(o)}</span><span class="mini-tile">${o.wire.replace(/^Y/, "◆")}</span></span>`,
    split: o.gain > 0 ? [o.resolved, 1 - o.resolved] : [],
    facts: [
      ...(o.says ? [{ text: words.tokenSays(o.says) }] : []),
      ...winFacts(o),
      { text: words.settled(o.resolved) },
      ...(o.band ? [{ text: words.bands[o.band], tone: TONES[o.band] }] : []),
      ...(o.error ? [{ text: words.plusMinus(o.error) }] : []),
    ],
    number: fixed(o.gain),
    unit: "bits",
    spoken: `${spot(o)}, ${o.says ? words.tokenSays(o.says) : o.wire}`,
  };
}

function whyShown(context: Context, found: Indications, o: Indication) {
  const stand = context.replies.indicate?.request.options?.stand ?? 0;
  return reason({
    title: o.says ? `${spot(o)}: ${words.tokenSays(o.says)}` : `${spot(o)}: ${o.wire}`,
    sentences: [
      o.reason,
      html`<span class="settle"><i .style=${`width:${Math.max(0, Math.min(100, 100 * o.resolved))}%`}></i></span>`,
      `${words.settled(o.resolved)} of ${fixed(found.baseline, 1)} bits.`,
    ],
    assumed: words.assumed(found.assumed),
    action: o.says ? undefined : { label: words.practiceTake, run: () => take(context, stand, o) },
  });
}

/** Put the token on the table. */
export function take(context: Context, stand: number, o: Indication) {
  const { position } = context;
  const at = o.slot ?? 0; // a true token lies on a wire
  const slot = position.stands[stand].slots[at];
  const kind = kindOf(position, context.view);
  const same = position.stands[stand].slots.filter(
    (s) => s.wire && (s.wire === o.wire || (s.wire[0] === "Y" && o.wire[0] === "Y")),
  ).length;
  const token = kind === "parity" ? (Number(o.wire) % 2 ? "odd" : "even") : `x${same}`;
  const next: Slot =
    kind === "standard" ? { ...slot, state: "info" } : { ...slot, tokens: [...slot.tokens, token] };
  const label = words.named.set(
    `${nameOf(position, stand)} ${letter(at)}`,
    kind === "standard" ? o.wire : words.tokenName(token),
  );
  const place: Place = [stand, at];
  const step = { position: laid(position, place, next, follows(context)), label };
  put(context, { ...step, turn: { want: "token", place } }, { tab: "cut", at: null, chosen: "" });
}

function question(context: Context) {
  return html`<div class="note"><p>${words.practiceQuestion}</p>
    <button class="main" @click=${() => context.set({ scores: true, picked: null, at: null })}>${words.practiceShow}</button></div>`;
}

function score({ view }: Context, found: Indications) {
  const mine = found.options.find((o) => o.slot === view.picked);
  const best = found.options[0];
  if (!mine || !best) return nothing;
  const text =
    mine.gain >= best.gain
      ? words.practiceBest(spot(mine))
      : words.practiceScore(spot(mine), Math.max(0, mine.gain / best.gain), spot(best));
  return html`<p class="note">${text}</p>`;
}

function comparison({ replies, position, view }: Context) {
  const found = TOKEN_KINDS.map((kind) => replies[`compare.${kind}`]?.value);
  const slots = position.stands[standOf(position, view)].slots;
  const gain = (r: Indications | null | undefined, j: number) => r?.options.find((o) => o.slot === j);
  return html`<div class="card"><table class="table compare">
    <thead><tr><th>${words.slotColumn}</th>${TOKEN_KINDS.map((k) => html`<th>${words.kinds[k]}</th>`)}</tr></thead>
    <tbody>${slots.map(
      (slot, j: number) =>
        html`<tr><td>${letter(j)} <b>${slot.wire ?? "?"}</b></td>${found.map((r) => {
          const o = gain(r, j);
          const top = o && o.gain === r?.options[0].gain;
          return html`<td class=${top ? "most" : ""}>${o ? fixed(o.gain) : "–"}</td>`;
        })}</tr>`,
    )}</tbody></table>
    ${found.map((r) => (r?.note ? html`<p class="quiet">${r.note}</p>` : nothing))}
    ${words.comparePoints.map((p) => html`<p class="quiet">${p}</p>`)}</div>`;
}

function reading({ bands }: Indications) {
  return html`<details class="card reading"><summary>${words.reading}</summary>
    ${bands?.length ? html`<p>${words.bandsFrom(bands)}</p>` : nothing}
    <table class="table"><tbody>${words.readingRows.map(([a, b]) => html`<tr><td><b>${a}</b></td><td>${b}</td></tr>`)}</tbody></table>
    <p class="quiet">${words.readingText}</p></details>`;
}

export function cutPanel(context: Context) {
  const { position, view, replies } = context;
  const reply = replies.cuts;
  const { found } = cutsSoFar(reply);
  const options = (found?.options ?? []) as Cut[];
  const front = (found?.front ?? []) as { option: number; reason: string }[];
  const why = new Map(front.map((f) => [f.option, f.reason]));
  const useful = options.flatMap((cut, i) => (cut.action === "miss" && !cut.win?.equal ? [] : [i]));
  const played = useful.filter((i) => options[i].win);
  const byWin = ranksByWin(view);
  if (isDone(position)) return html`<p class="note">${unasked(context)}</p>`;
  const advised = front.map((f) => f.option);
  const missed = advised.filter((i) => options[i].action === "miss");
  const short = byWin && played.length ? [...new Set([...played.slice(0, MOST_PLAYED), ...missed])] : advised;
  const rows = view.every ? useful.slice(0, MOST_ROWS) : short;
  const chosen = rows.find((i) => keyOf(options[i]) === view.chosen) ?? rows[0];
  return html`<section class="stack advice-box">
    <div class="between"><div><h2 class="head">${words.cutTitle}</h2><p class="sub">${byWin && played.length ? words.cutLineByWin : position.choices ? words.cutLineAgreed : words.cutLine}</p></div></div>
    ${position.choices && !played.length ? nothing : choice({ label: words.rankLabel, options: words.ranks, value: byWin ? "win" : "success", onChange: (by) => context.set({ byWin: by === "win", chosen: "" }) })}
    ${checkCard(context)}
    ${lastStep(position)}
    ${found?.note ? html`<p class="note">${found.note}</p>` : nothing}
    ${position.stands.length && !reply ? html`<p class="note">${unasked(context)}</p>` : nothing}
    ${waiting(reply?.fault?.kind === "contradiction" ? undefined : reply, { phase: context.phase, stop: () => context.stop("cuts"), again: () => context.again("cuts"), room: "list" })}
    ${found && !options.length && (lostFor(context) || !found.note) ? html`<p class="note">${lostFor(context)?.text ?? words.noCuts}</p>` : nothing}
    ${
      found && rows.length
        ? html`${advice({ rows: rows.map((i) => cutRow(context, options[i])), chosen: chosen === undefined ? "" : keyOf(options[chosen]), onChoose: (key) => context.set({ chosen: key }), label: words.cutTitle, detail: chosen === undefined ? null : whyCut(context, options[chosen], why.get(chosen) ?? "", found) })}
      ${view.every && options.length > MOST_ROWS ? html`<p class="quiet">${words.firstCuts(MOST_ROWS)}</p>` : nothing}
      <div class="row wrap">${options.length > front.length ? html`<button class="plain" @click=${() => context.set({ every: !view.every })}>${view.every ? words.fewer : words.allCuts(options.length)}</button>` : nothing}</div>`
        : faded(reply, words.cutTitle)
    }
    ${tick(words.detectors, view.gear, (gear) => context.set({ gear }), { how: words.withDetectors })}
    ${choicesSwitch(context)}
    ${agreementSwitch(context)}
  </section>`;
}

/** The cut the panel has open: the chosen one, or the first of those worth a look. */
export function bestCut({ view, replies }: Context): Cut | null {
  const { options, front } = cutsSoFar(replies.cuts).found ?? { options: [], front: [] };
  const chosen = options.find((cut: Cut) => keyOf(cut) === view.chosen);
  return chosen ?? options[front[0]?.option] ?? null;
}

/** What noting an advised cut as done takes; null where a device's end must be entered first. */
export function recorder(context: Context, cut: Cut) {
  const { sealed } = context.position;
  const alone = cut.action === "solo" || cut.action === "reveal";
  if (cut.action === "miss" && !sealed) return () => noteMiss(context, cut);
  if (!sealed && !alone && cut.action !== "dual" && cut.action !== "together") return null;
  const { action, stand, slots, value, also } = cut;
  const options = { action, stand, slots, value, also };
  return () => (sealed || alone ? record(context, options) : recordSuccess(context, options));
}

/** The key that notes an advised cut. */
export function actLabel({ position }: Context, cut: Cut) {
  if (cut.action === "miss") return words.missedIt;
  return position.sealed ? words.actions.dual : words.itWorked;
}

/** A miss on purpose is noted: what the token shows is asked unless the wire is known. */
function noteMiss(context: Context, cut: Cut) {
  const { action, stand, slots, value } = cut;
  const known =
    context.position.token === "standard" ? seen(context.position.stands[stand].slots[slots[0]]) : null;
  if (!known) return askEnd(context, cut, slots[0]);
  return record(context, { action, stand, slots, value, at: slots[0], shown: known });
}

function whyCut(context: Context, cut: Cut, why: string, found: Cuts) {
  const alone = cut.action === "solo" || cut.action === "reveal";
  const run = recorder(context, cut);
  return reason({
    title: capital(cutRow(context, cut).spoken),
    sentences: [
      why,
      cut.win?.equal ? words.winsAlike : null,
      context.position.sealed || alone || cut.action === "miss"
        ? null
        : run
          ? failure(context, cut)
          : ending(context, cut),
    ],
    assumed: words.assumed(found.assumed),
    action: run ? { label: actLabel(context, cut), run } : undefined,
  });
}

function failure(context: Context, cut: Cut) {
  if (cut.certain) return null;
  if (cut.action === "together")
    return html`<button class="soft" data-edit @click=${() => record(context, { action: cut.action, stand: cut.stand, slots: cut.slots, also: cut.also, value: cut.value, success: false })}>${words.recordNo}</button>`;
  return html`<button class="soft" data-edit @click=${() => askEnd(context, cut, cut.slots[0])}>${words.recordNo}</button>`;
}

/** How a detector or a ray ended: what was cut, or where the token lies. */
function ending(context: Context, cut: Cut) {
  const ray = cut.action === "either";
  const joined = !ray && cut.value.includes("/");
  const options = { action: cut.action, stand: cut.stand, slots: cut.slots, value: cut.value, success: true };
  const worked = (j: number) =>
    joined ? askEnd(context, cut, j, false) : record(context, { ...options, at: j });
  const keys = (buttons: unknown[]) => html`<span class="keys-row" data-edit>${buttons}</span>`;
  const key = (label: string, run: () => void) =>
    html`<button class="soft key" @click=${run}><b>${label}</b></button>`;
  return html`<span class="pad-line">${ray ? words.rayWorked : words.detectorWorked}</span>
    ${keys(
      ray
        ? cut.value.split("/").map((v) => key(face(v), () => record(context, { ...options, shown: v })))
        : cut.slots.map((j) => key(letter(j), () => worked(j))),
    )}
    ${
      cut.certain
        ? nothing
        : ray
          ? failure(context, cut)
          : html`<span class="pad-line">${words.detectorFailed}</span>${keys(cut.slots.map((j) => key(letter(j), () => askEnd(context, cut, j))))}`
    }`;
}

/** The pad asks the rest of how it ended: what the token shows, or which of two values was cut. */
export function askEnd(
  context: Context,
  { stand, slots, value, action }: Cut,
  at: number,
  failing: boolean = true,
) {
  const values = value.split("/");
  const device = action as Device;
  const turn = { device, slots, values, failing, at, ray: action !== "either" && values.length > 1 };
  context.set({ at: [stand, at], actor: context.position.viewer, turn });
}
