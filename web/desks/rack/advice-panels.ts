/** The advice: which wire to indicate and what to cut, in ranked rows with reasons and actions. */

import type { Cut, Cuts, Indication, Indications } from "../../types/rack.js";
import { html, nothing } from "../../vendor.js";
import type { AdviceRow } from "../../widgets/advice.js";
import { advice, faded, reason } from "../../widgets/advice.js";
import { fixed, percent } from "../../widgets/numbers.js";
import { choice, tick } from "../../widgets/panel.js";
import { waitingFor } from "../../widgets/waiting.js";
import { addFirstToken, choicesSwitch, conventionSwitch } from "./first-tokens.js";
import { slotKey, valueKey } from "./keys.js";
import type { Context, Position, Slot, View } from "./model.js";
import {
  cutsSoFar,
  isMine,
  isTurned,
  knownValue,
  knowsOwnWires,
  letter,
  letters,
  NO_ENTRY,
  nextUnknown,
  standsOf,
  TOKEN_KINDS,
  valueOfWire,
} from "./model.js";
import { capital, face, nameOf, valueName, words } from "./strings.js";
import { lastStep } from "./table-head.js";
import type { Device } from "./turn.js";
import { recordCut, recordOwnSuccess } from "./turn.js";
import { isDone, lostFor } from "./turn-order.js";

const MAX_ROWS = 300;
const MAX_SIMULATED = 10; // rows of simulated cuts
const BAND_TONES = { excellent: "good", good: "fine", moderate: "warn", poor: "risk" } as const;

type Facts = AdviceRow["facts"];

const factIf = (holds: unknown, text: string, tone?: Facts[number]["tone"]): Facts =>
  holds ? [{ text, tone }] : [];

/** The kind of token to indicate. */
export const tokenKind = (position: Position, view: View) => view.token ?? position.token;

/** The own stand whose tokens are ranked. */
export function weighedStand(position: Position, view: View) {
  const own = standsOf(position, position.viewer);
  return own.find((i) => i === view.at?.[0]) ?? own[0] ?? 0;
}

/** The mission's rules that the numbers leave out, a sentence each. */
export function checksOf({ posterior }: Context["replies"]): string[] {
  return posterior?.fault ? [] : (posterior?.value?.check ?? []);
}

function checkCard({ replies }: Context) {
  const checks = checksOf(replies);
  if (!checks.length) return nothing;
  return html`<details class="note check-card" open><summary>${words.checkCard(checks.length)}</summary>
    <ul>${checks.map((line) => html`<li>${line}</li>`)}</ul></details>`;
}

const cutKey = ({ action, stand, slots, value }: Cut) => [action, stand, slots.join("."), value].join(" ");

/** The stands and slots that a cut points at. */
function targets(position: Position, { action, stand, slots, also }: Cut) {
  const others = action === "together" ? [...new Set(also.map(([i]) => i))] : [];
  return [stand, ...others].map((i) => {
    const pointed = i === stand ? slots : also.flatMap(([k, j]) => (k === i ? [j] : []));
    return html`${nameOf(position, i)}<br>${letters(pointed)} `;
  });
}

export function cutRow({ position, replies }: Pick<Context, "position" | "replies">, cut: Cut) {
  const { success, red } = cut.read?.calibrated ?? cut; // calibrated where all cut by the shared list
  const isMiss = cut.action === "miss";
  const name = words.cutName(cut, nameOf(position, cut.stand));
  const tool = words.madeWith(cut);
  return {
    key: cutKey(cut),
    question: html`<span class="quest"><span class="mini-tile">${cut.value.split("/").map(face).join("/")}</span><span class="where">${targets(position, cut)}</span></span>`,
    split: cut.certain || isMiss ? [] : [success, Math.max(0, 1 - success - red), red].filter((p) => p > 0),
    facts: [
      ...factIf(isMiss, words.missCosts),
      ...winFacts(cut, cutsSoFar(replies.cuts).early),
      ...factIf(cut.certain, words.certain, "good"),
      ...factIf(cut.action !== "dual" && !isMiss, tool),
      ...(isMiss ? [] : riskFacts(position, cut)),
      ...factIf(cut.gain !== null && !cut.certain && !cut.win, words.bits(cut.gain ?? 0)),
    ],
    number: isMiss ? "" : percent(success),
    unit: isMiss ? "" : words.works,
    spoken: `${cut.action === "solo" ? words.actions.dual : tool} ${name}`,
  };
}

/** The chance to win, good where it equals the best one's. */
const winFacts = ({ win }: Pick<Cut, "win">, running = false): Facts =>
  win ? factIf(true, words.wins(win, running), win.equal ? "good" : undefined) : [];

/** What may go wrong: red, the end of the game, a step that even a successful cut takes. */
function riskFacts(position: Position, { action, stand, slots, certain, ...cut }: Cut): Facts {
  const { success, red } = cut.read?.calibrated ?? cut;
  const { detonator } = position;
  const fails = certain ? 0 : 1 - success;
  const isRedOnly = red > 0 && fails > 0 && fails - red < 1e-9;
  const endsGame = isRedOnly || (fails > 0 && detonator !== null && detonator < 2);
  const takesStep =
    action === "dual" &&
    isTurned(position, position.stands[stand].slots[slots[0]]) &&
    !isMine(position, stand);
  return [
    ...factIf(red > 0 && !isRedOnly, `✸ ${words.redRisk(red)}`, "risk"),
    ...factIf(red <= 0, words.noRed),
    ...factIf(endsGame, words.endsGame(fails), "risk"),
    ...factIf(takesStep, detonator === 1 ? words.lastStepGoes : words.takesStep, "risk"),
  ];
}

export function indicatePanel(context: Context) {
  const { position, view, replies } = context;
  const head = (text: string) =>
    html`<div><h2 class="head">${words.indicateTitle}</h2><p class="sub">${text}</p></div>`;
  if (!knowsOwnWires(position))
    return html`<div>${head(nextUnknown(position) ? words.fillIn : words.turnedAway)}
      ${checkCard(context)}<p class="quiet keys-hint">${words.keysHint}</p></div>`;
  const found = replies.indicate?.value;
  const isQuiz = position.sealed && !view.scores;
  return html`<section class="stack advice-box">
    ${head(words.indicateLine)}
    <div class="row wrap">
      ${choice({ label: words.kindLabel, options: words.kinds, value: tokenKind(position, view), onChange: (token) => context.set({ token, chosen: "" }) })}
      ${choice({ label: words.rankLabel, options: words.tokenRanks, value: view.tokensByWin ? "win" : "information", onChange: (by) => context.set({ tokensByWin: by === "win", chosen: "" }) })}
      ${choice({ label: words.modelLabel, options: words.models, value: view.model, onChange: (model) => context.set({ model, chosen: "" }) })}
    </div>
    <p class="quiet">${words.modelText[view.model]}</p>
    ${checkCard(context)}
    ${isQuiz ? quizQuestion(context) : nothing}
    ${waitingFor(context, "indicate", isQuiz ? {} : { room: "list" })}
    ${isQuiz ? nothing : found ? indications(context, found) : faded(replies.indicate, words.indicateTitle)}
  </section>`;
}

function indications(context: Context, found: Indications) {
  const { position, view } = context;
  const { options, note, model } = found;
  const chosen = options.find((o) => tokenKey(o) === view.chosen) ?? options[0];
  const isPartlyDrawn = position.wires.groups.some((g) => g.drawn < g.of.length);
  return html`
    ${position.sealed ? quizScore(context, found) : nothing}
    ${note ? html`<p class="note">${note}</p>` : nothing}
    ${model === "published" && isPartlyDrawn ? html`<p class="note">${words.xOfY}</p>` : nothing}
    ${advice({ rows: options.map(indicationRow), chosen: chosen ? tokenKey(chosen) : "", onChoose: (chosen) => context.set({ chosen }), label: words.indicateTitle, detail: chosen ? whyIndicate(context, found, chosen) : null })}
    ${tick(words.seenBy, view.team, (team) => context.set({ team }))}
    ${view.team ? html`<p class="quiet">${words.seenByNote}</p>` : nothing}
    ${conventionSwitch(context)}
    <button class="plain" @click=${() => context.set({ compare: !view.compare })}>${view.compare ? words.compareHide : words.compare}</button>
    ${view.compare ? comparison(context) : nothing}
    ${bitsTable(found)}`;
}

const tokenKey = ({ slot, says }: Indication) => `${slot ?? ""} ${says ?? ""}`.trim();

/** The letter of the slot; a dash for a token next to the stand. */
const slotName = ({ slot }: Indication) => (slot === null ? "–" : letter(slot));

const tokenName = ({ says, wire }: Indication) => (says ? words.tokenSays(says) : valueName(wire));

export function indicationRow(o: Indication) {
  return {
    key: tokenKey(o),
    question: html`<span class="quest"><span class="faint">${slotName(o)}</span><span class="mini-tile">${face(o.wire)}</span></span>`,
    split: o.gain > 0 ? [o.resolved, 1 - o.resolved] : [],
    facts: [
      ...(o.says ? [{ text: words.tokenSays(o.says) }] : []),
      ...winFacts(o),
      { text: words.settled(o.resolved) },
      ...(o.band ? [{ text: words.bands[o.band], tone: BAND_TONES[o.band] }] : []),
      ...factIf(o.error, words.plusMinus(o.error ?? 0)),
    ],
    number: fixed(o.gain),
    unit: "bits",
    spoken: `${slotName(o)}, ${tokenName(o)}`,
  };
}

function whyIndicate(context: Context, found: Indications, o: Indication) {
  const stand = context.replies.indicate?.request.options?.stand ?? 0;
  const share = Math.max(0, Math.min(100, 100 * o.resolved));
  return reason({
    title: `${slotName(o)}: ${tokenName(o)}`,
    sentences: [
      o.reason,
      html`<span class="settle"><i .style=${`width:${share}%`}></i></span>`,
      `${words.settled(o.resolved)} of ${fixed(found.baseline, 1)} bits.`,
    ],
    assumed: words.assumed(found.assumed),
    action: o.says ? undefined : { label: words.practiceTake, run: () => indicate(context, stand, o) },
  });
}

/** Lay the viewer's first token as advised. */
export function indicate(context: Context, stand: number, { slot, wire }: Indication) {
  const { position, view } = context;
  const at = slot ?? 0; // a true token lies on a wire
  const { slots } = position.stands[stand];
  const kind = tokenKind(position, view);
  const equal = slots.filter((one) => one.wire && valueOfWire(one.wire) === valueOfWire(wire)).length;
  const token = kind === "parity" ? (Number(wire) % 2 ? "odd" : "even") : `x${equal}`;
  const next: Slot =
    kind === "standard"
      ? { ...slots[at], state: "info" }
      : { ...slots[at], tokens: [...slots[at].tokens, token] };
  const what = kind === "standard" ? valueName(wire) : words.tokenName(token);
  addFirstToken(context, [stand, at], next, what, { tab: "cut", chosen: "" });
}

function quizQuestion(context: Context) {
  const show = () => context.set({ scores: true, picked: null, at: null });
  return html`<div class="note"><p>${words.practiceQuestion}</p>
    <button class="main" @click=${show}>${words.practiceShow}</button></div>`;
}

/** How good the player's choice is, compared with the best one. */
function quizScore({ view }: Context, { options }: Indications) {
  const picked = options.find((o) => o.slot === view.picked);
  const [best] = options;
  if (!picked || !best) return nothing;
  const share = Math.max(0, picked.gain / best.gain);
  const isBest = picked.gain >= best.gain;
  const name = slotName(picked);
  return html`<p class="note">${isBest ? words.practiceBest(name) : words.practiceScore(name, share, slotName(best))}</p>`;
}

/** The gains of the three kinds of tokens, slot by slot. */
function comparison({ replies, position, view }: Context) {
  const all = TOKEN_KINDS.map((kind) => replies[`compare.${kind}`]?.value);
  const cell = (found: Indications | null | undefined, j: number) => {
    const option = found?.options.find((o) => o.slot === j);
    const isBest = option && option.gain === found?.options[0].gain;
    return html`<td class=${isBest ? "most" : ""}>${option ? fixed(option.gain) : "–"}</td>`;
  };
  return html`<div class="card"><table class="table compare">
    <thead><tr><th>${words.slotColumn}</th>${TOKEN_KINDS.map((kind) => html`<th>${words.kinds[kind]}</th>`)}</tr></thead>
    <tbody>${position.stands[weighedStand(position, view)].slots.map(
      ({ wire }, j) =>
        html`<tr><td>${letter(j)} <b>${wire ? valueName(wire) : "?"}</b></td>${all.map((found) => cell(found, j))}</tr>`,
    )}</tbody></table>
    ${[...all.map((found) => found?.note), ...words.comparePoints].map((text) => (text ? html`<p class="quiet">${text}</p>` : nothing))}</div>`;
}

function bitsTable({ bands }: Indications) {
  return html`<details class="card reading"><summary>${words.reading}</summary>
    ${bands?.length ? html`<p>${words.bandsFrom(bands)}</p>` : nothing}
    <table class="table"><tbody>${words.readingRows.map(([bits, text]) => html`<tr><td><b>${bits}</b></td><td>${text}</td></tr>`)}</tbody></table>
    <p class="quiet">${words.readingText}</p></details>`;
}

export function cutPanel(context: Context) {
  const { position, view, replies } = context;
  if (isDone(position)) return html`<p class="note">${lostFor(context)?.text ?? words.allCut}</p>`;
  const reply = replies.cuts;
  const { found } = cutsSoFar(reply);
  const options = found?.options ?? [];
  const isSimulated = options.some(({ win, action }) => win && (action !== "miss" || win.equal));
  const title =
    view.byWin && isSimulated ? words.cutLineByWin : position.choices ? words.cutLineAgreed : words.cutLine;
  const lost = lostFor(context)?.text;
  const isEmpty = reply ? found && !options.length && (lost || !found.note) : position.stands.length;
  const whyEmpty = lost ?? (nextUnknown(position) ? words.ownUnknown : words.noCuts);
  const isContradiction = reply?.fault?.kind === "contradiction";
  return html`<section class="stack advice-box">
    <div><h2 class="head">${words.cutTitle}</h2><p class="sub">${title}</p></div>
    ${position.choices && !isSimulated ? nothing : choice({ label: words.rankLabel, options: words.ranks, value: view.byWin ? "win" : "success", onChange: (by) => context.set({ byWin: by === "win", chosen: "" }) })}
    ${checkCard(context)}
    ${lastStep(position)}
    ${[found?.note, isEmpty ? whyEmpty : ""].map((text) => (text ? html`<p class="note">${text}</p>` : nothing))}
    ${isContradiction ? nothing : waitingFor(context, "cuts", { room: "list" })}
    ${found && options.length ? cutList(context, found) : faded(reply, words.cutTitle)}
    ${tick(words.detectors, view.gear, (gear) => context.set({ gear }), { how: words.withDetectors })}
    ${choicesSwitch(context)}
    ${conventionSwitch(context)}
  </section>`;
}

/** The rows of the list: those worth a look first, or all useful ones. */
function listedCuts({ options, front }: Cuts, view: View) {
  const useful = options.flatMap((cut, i) => (cut.action === "miss" && !cut.win?.equal ? [] : [i]));
  if (view.every) return useful.slice(0, MAX_ROWS);
  const advised = front.map(({ option }) => option);
  const simulated = useful.filter((i) => options[i].win);
  if (!view.byWin || !simulated.length) return advised;
  const misses = advised.filter((i) => options[i].action === "miss");
  return [...new Set([...simulated.slice(0, MAX_SIMULATED), ...misses])];
}

function cutList(context: Context, found: Cuts) {
  const { view } = context;
  const { options, front } = found;
  const listed = listedCuts(found, view);
  const chosen = listed.find((i) => cutKey(options[i]) === view.chosen) ?? listed[0];
  if (chosen === undefined) return nothing;
  const why = front.find(({ option }) => option === chosen)?.reason ?? "";
  const toggleAll = () => context.set({ every: !view.every });
  return html`${advice({ rows: listed.map((i) => cutRow(context, options[i])), chosen: cutKey(options[chosen]), onChoose: (chosen) => context.set({ chosen }), label: words.cutTitle, detail: whyCut(context, options[chosen], why, found) })}
    ${view.every && options.length > MAX_ROWS ? html`<p class="quiet">${words.firstCuts(MAX_ROWS)}</p>` : nothing}
    <div class="row wrap">${options.length > front.length ? html`<button class="plain" @click=${toggleAll}>${view.every ? words.fewer : words.allCuts(options.length)}</button>` : nothing}</div>`;
}

/** The cut that the panel has open: the chosen one, or the first of those worth a look. */
export function bestCut({ view, replies }: Pick<Context, "view" | "replies">): Cut | null {
  const { options, front } = cutsSoFar(replies.cuts).found ?? { options: [], front: [] };
  return options.find((cut) => cutKey(cut) === view.chosen) ?? options[front[0]?.option] ?? null;
}

const isAlone = ({ action }: Cut) => action === "solo" || action === "reveal";

/** Records an advised cut as successful; null where the result must be entered first. */
export function recorder(context: Context, cut: Cut) {
  const { sealed } = context.position;
  const { action, stand, slots, value, also } = cut;
  if (action === "miss" && !sealed) return () => recordMiss(context, cut);
  if (!sealed && !isAlone(cut) && action !== "dual" && action !== "together") return null;
  const options = { action, stand, slots, value, also };
  return () => (sealed || isAlone(cut) ? recordCut(context, options) : recordOwnSuccess(context, options));
}

/** The label of the button that records an advised cut. */
export function recordLabel({ position }: Context, { action }: Cut) {
  if (action === "miss") return words.missedIt;
  return position.sealed ? words.tabs.cut : words.itWorked;
}

/** Record a miss on purpose; what the token shows is asked unless the wire is known. */
function recordMiss(context: Context, cut: Cut) {
  const { action, stand, slots, value } = cut;
  const { position } = context;
  const shown = position.token === "standard" ? knownValue(position.stands[stand].slots[slots[0]]) : null;
  if (!shown) return askResult(context, cut, slots[0]);
  return recordCut(context, { action, stand, slots, value, at: slots[0], shown });
}

function whyCut(context: Context, cut: Cut, why: string, found: Cuts) {
  const run = recorder(context, cut);
  const isAnswered = context.position.sealed || isAlone(cut) || cut.action === "miss";
  const result = isAnswered ? null : run ? failButton(context, cut) : resultKeys(context, cut);
  return reason({
    title: capital(cutRow(context, cut).spoken),
    sentences: [why, cut.win?.equal && cut !== found.options[0] ? words.winsAlike : null, result],
    assumed: words.assumed(found.assumed),
    action: run ? { label: recordLabel(context, cut), run } : undefined,
  });
}

function failButton(context: Context, cut: Cut) {
  if (cut.certain) return null;
  const { action, stand, slots, also, value } = cut;
  const fail = () =>
    action === "together"
      ? recordCut(context, { action, stand, slots, also, value, success: false })
      : askResult(context, cut, slots[0]);
  return html`<button class="soft" data-edit @click=${fail}>${words.recordNo}</button>`;
}

/** How a detector or a ray ended: what was cut, or where the token lies. */
function resultKeys(context: Context, cut: Cut) {
  const { action, stand, slots, value } = cut;
  const values = value.split("/");
  const options = { action, stand, slots, value, success: true };
  const row = (keys: unknown[]) => html`<span class="keys-row" data-edit>${keys}</span>`;
  if (action === "either")
    return html`<span class="pad-line">${words.rayWorked}</span>
      ${row(values.map((shown) => valueKey(shown, () => recordCut(context, { ...options, shown }))))}
      ${cut.certain ? nothing : failButton(context, cut)}`;
  const succeed = (at: number) =>
    values.length > 1 ? askResult(context, cut, at, false) : recordCut(context, { ...options, at });
  const failed = html`<span class="pad-line">${words.detectorFailed}</span>
    ${row(slots.map((j) => slotKey(j, () => askResult(context, cut, j))))}`;
  return html`<span class="pad-line">${words.detectorWorked}</span>
    ${row(slots.map((j) => slotKey(j, () => succeed(j))))}${cut.certain ? nothing : failed}`;
}

/** Open the pad for the rest of the result: what the token shows, or which of two values was cut. */
export function askResult(context: Context, cut: Cut, at: number, failing: boolean = true) {
  const { stand, slots, value, action } = cut;
  const values = value.split("/");
  const turn = {
    device: action as Device,
    slots,
    values,
    failing,
    at,
    ray: action !== "either" && values.length > 1,
  };
  context.set({ ...NO_ENTRY, at: [stand, at], actor: context.position.viewer, turn });
}
