/** The theory page: relations of guesses, comparisons of guesses and games, filters, strategies. */

import type { Compared, Relation, Relations, SameState, SameStep } from "../../types/code.js";
import { html, nothing } from "../../vendor.js";
import { whole } from "../../widgets/numbers.js";
import type { OnInput } from "../../widgets/on.js";
import { foldFor } from "../../widgets/panel.js";
import { waiting, waitingFor } from "../../widgets/waiting.js";
import { codesOf, signOf, signsOf, spelled } from "./colour-names.js";
import type { Context, Position, Requests } from "./model.js";
import { answerText, GAMES, legalGuess, rulesOf, SYMBOLS, sameRules } from "./model.js";
import { pegs, pins } from "./picture.js";
import { checkStrategyPanel, strategyPanel } from "./strategies.js";
import { words } from "./strings.js";

const CHAPTERS = new URL("../../docs/theory.html", import.meta.url).href;
const MAX_SHOWN = 60; // members of a class, and permutations
const RACERS = ["first", "minmax", "entropy", "maxparts"] as const;
const EXAMPLE = "7450"; // the book's example

type Name = Relation["name"];

/** Requests of relations and of the race. @param bare the position without notes */
export function relationRequests(
  { position, view }: Pick<Context, "position" | "view">,
  bare: object,
): Requests {
  if (!view.theory) return {};
  const requests: Requests = {
    relations: {
      want: "relations",
      position: bare,
      options: {
        top: MAX_SHOWN,
        relation: view.relation ?? "join",
        ...(view.compare ? { guesses: view.compare } : {}),
        ...(view.member ? { of: view.member } : {}),
      },
      urgency: "last",
    },
  };
  const rules = raceRules(position, view.race ?? "");
  if (view.race && rules)
    for (const criterion of RACERS)
      requests[`race_${criterion}`] = {
        want: "strategy",
        position: { rules, clues: [] },
        options: { criterion, secret: view.race },
        urgency: "last",
      };
  return requests;
}

/** The rules of this game or of Bulls & Cows, whichever the code is legal in first; else undefined. */
function raceRules(position: Position, code: string) {
  return [rulesOf(position), GAMES.p4c10n].find((rules) => legalGuess({ ...rules, blanks: false }, code));
}

export function theoryPage(context: Context) {
  const reply = context.replies.relations;
  const found = reply?.value;
  return html`<div class="desk code-desk theory">
    <section class="stack">
      <div class="between"><h1>${words.theoryOpen}</h1>
        <button class="soft" @click=${() => context.set({ theory: false })}>${words.theoryBack}</button></div>
      <p class="quiet">${words.theoryText}</p>
      ${rows(context)}
      ${waitingFor(context, "relations")}
      ${found ? html`<div class=${reply?.stale ? "stale" : ""}>${relationsTable(context, found)}</div>` : nothing}
      ${questions()}
    </section>
    <div class="stack">
      ${compare(context, found)}
      ${members(context, found)}
      ${found ? filters(context, found) : nothing}
      ${race(context)}
      ${folds(context)}
    </div>
  </div>`;
}

/** The folds below the relations: another game, whole strategies. */
function folds(context: Context) {
  return html`<section class="card more-box">
    ${foldFor(context, "others", words.otherTitle, () => otherGamePanel(context))}${strategyPanel(context)}${foldFor(context, "checks", words.checkTitle, () => checkStrategyPanel(context))}
  </section>`;
}

/** The rows so far. */
function rows({ position }: Context) {
  const { pegs: count } = rulesOf(position);
  const signs = signsOf(position);
  const clues = position.clues.filter((clue) => !clue.ignored);
  return clues.length
    ? html`<ul class="walk">${clues.map(
        (clue) =>
          html`<li class="row wrap">${pegs(clue.guess, signs)}${pins(clue, count)}<span class="code">${spelled(clue.guess, signs)} ${answerText(clue)}</span></li>`,
      )}</ul>`
    : nothing;
}

/** The relations that directly contain one (of equal ones the first), and those equal to it. */
function nextRelations(one: Relation, all: Relation[]) {
  const above = (name: Name) => all.find((o) => o.name === name)?.inside ?? [];
  const equal = one.inside.filter((name) => above(name).includes(one.name));
  const wider = one.inside.filter((name) => !equal.includes(name));
  const first = wider.filter((name, i) => !wider.slice(0, i).some((other) => above(name).includes(other)));
  const direct = first.filter(
    (name) => !first.some((other) => other !== name && above(other).includes(name)),
  );
  return { equal, direct };
}

function relationsTable(context: Context, found: Relations) {
  const names = (list: Name[]) => list.map((name) => words.relationNames[name]).join(", ");
  return html`<p class="quiet">${words.relationsText(found.guesses, found.remaining)}</p>
    <table class="table relations"><thead><tr>${words.relationsHead.map(
      (head, i) => html`<th scope="col" class=${i === 1 ? "n" : ""}>${head}</th>`,
    )}</tr></thead>
    <tbody>${found.relations.map((one) => {
      const { equal, direct } = nextRelations(one, found.relations);
      return html`<tr><th scope="row"><button class="plain" aria-pressed=${(context.view.relation ?? "join") === one.name}
          @click=${() => context.set({ relation: one.name })}>${words.relationNames[one.name]}</button>
          <span class="quiet">${words.relationTexts[one.name]}</span></th>
        <td class="n">${one.classes == null ? words.relationOver : whole(one.classes)}</td>
        <td>${names(direct)}${equal.length ? html` <span class="quiet">${words.relationSame(names(equal))}</span>` : nothing}</td></tr>`;
    })}</tbody></table>`;
}

function compare(context: Context, found: Relations | null | undefined) {
  const rules = rulesOf(context.position);
  const two = context.view.compareText ?? ["", ""];
  const ready = two.every((text) => text.trim());
  const read = codesOf(two, context.position);
  const change = (i: number) => (e: OnInput) =>
    context.set({ compareText: two.with(i, e.target.value) as [string, string], compare: null });
  const fault = context.replies.relations?.fault;
  return html`<section class="card stack"><h2>${words.compare}</h2>
    <form class="row wrap" @submit=${(e: Event) => {
      e.preventDefault();
      if (ready) context.set({ compare: read ? (read.codes as [string, string]) : two });
    }}>
      ${[0, 1].map(
        (
          i,
        ) => html`<input class="field short code" aria-label=${`${words.compare} ${i + 1}`} maxlength="100" size=${Math.max(rules.pegs, two[i].length)}
        placeholder=${SYMBOLS.slice(i, i + rules.pegs)} .value=${two[i]} @input=${change(i)}>`,
      )}
      <button class="soft" ?disabled=${!ready}>${words.compareGo}</button>
    </form>
    ${fault && context.view.compare ? html`<p class="note warn" role="alert">${fault.message}</p>` : nothing}
    ${found?.pair && context.view.compare ? verdict(found.pair, read?.signs ?? signsOf(context.position)) : nothing}</section>`;
}

function verdict(pair: Compared, signs: string[]) {
  const [a, b] = pair.guesses.map((guess) => spelled(guess, signs));
  const { first, steps, cells = [], totals, spatial } = pair;
  const open = pair.open.map((name) => words.relationNames[name]).join(", ");
  return html`<div class="stack" data-part="pair">
    <p>${first ? words.compareFirst(a, b, words.relationNames[first]) : words.compareNone(a, b)}${open ? ` ${words.compareOpen(open)}` : ""}</p>
    ${
      steps.length
        ? html`<ol class="walk">${steps.map(
            (step, i) =>
              html`<li class="row wrap">${pegs(i ? steps[i - 1].guess : pair.guesses[0], signs)}<span aria-hidden="true">→</span>${pegs(step.guess, signs)}
            <span>${step.by === "colour" ? words.compareBy.colour : `${words.compareBy[step.by]}: ${permutationText(step, signs)}`}</span></li>`,
          )}</ol>`
        : nothing
    }
    ${
      cells.length
        ? html`<p class="quiet">${words.compareCells}</p><ul class="walk">${cells.map(
            (cell) =>
              html`<li class="row wrap"><span class="code">${cell.answers[0]} ~ ${cell.answers[1]}</span><span>${words.compareCell(cell.remaining, cell.state)}</span></li>`,
          )}</ul>`
        : nothing
    }
    ${totals ? html`<p>${words.compareTotals(totals)}</p>` : nothing}
    ${pair.open.includes("spatial") ? nothing : html`<p>${words.compareSpatial(Boolean(spatial), Boolean(pair.exchanged))} ${spatial ? permutationText(spatial, signs) : nothing}</p>`}
  </div>`;
}

function members(context: Context, found: Relations | null | undefined) {
  const { position, view } = context;
  const signs = signsOf(position);
  const text = view.memberText ?? "";
  const list = view.member ? found?.members : null;
  return html`<section class="card stack"><h2>${words.members}</h2>
    <form class="row wrap" @submit=${(e: Event) => {
      e.preventDefault();
      if (text.trim()) context.set({ member: codesOf([text], position)?.codes[0] ?? text });
    }}>
      <input class="field short code" aria-label=${words.members} maxlength="100" placeholder=${SYMBOLS.slice(0, rulesOf(position).pegs)} .value=${text}
        @input=${(e: OnInput) => context.set({ memberText: e.target.value, member: null })}>
      <button class="soft" ?disabled=${!text.trim()}>${words.membersGo}</button>
    </form>
    ${
      list?.count != null
        ? html`<p>${words.membersSaid(spelled(list.guess, signs), words.relationNames[list.relation], list.count)}</p>
        <ul class="codes" data-part="members">${list.codes.map((code) => html`<li class="code">${spelled(code, signs)}</li>`)}</ul>
        ${list.count > list.codes.length ? html`<p class="quiet">${words.otherMore(list.count - list.codes.length)}</p>` : nothing}`
        : nothing
    }</section>`;
}

/** The table of the incremental filter: the masks after each row, and the permutations. */
function filters({ position }: Context, found: Relations) {
  const signs = signsOf(position);
  const colours = (list: number[]) => list.map((c) => signOf(SYMBOLS[c], signs)).join(" ") || "–";
  const image = (c: number | null) => (c == null ? "·" : signOf(SYMBOLS[c], signs));
  return html`<section class="card stack"><h2>${words.filterTitle}</h2><p class="quiet">${words.filterText}</p>
    <table class="table"><thead><tr>${words.filterHead.map((head, i) => html`<th scope="col" class=${i === 3 ? "n" : ""}>${head}</th>`)}</tr></thead>
    <tbody>${found.filter.map(
      (step) =>
        html`<tr><th scope="row" class="code">${step.guess ? spelled(step.guess, signs) : words.filterStart}</th>
        <td>${colours(step.free)}</td><td>${colours(step.excluded)}</td><td class="n">${whole(step.eligible)}</td></tr>`,
    )}</tbody></table>
    <p class="quiet">${words.filterNow}</p>
    <ul class="codes" data-part="permutations">${found.permutations.map(
      (one) =>
        html`<li class="code">${one.pegs.map((peg) => peg + 1).join("")} ${one.colours.map(image).join("")}</li>`,
    )}</ul></section>`;
}

/** Four strategies that find one code, in columns. */
function race(context: Context) {
  const { position, view } = context;
  const text = view.raceText ?? EXAMPLE;
  const rules = raceRules(position, view.race ?? "");
  return html`<section class="card stack"><h2>${words.raceTitle}</h2><p class="quiet">${words.raceText}</p>
    <form class="row wrap" @submit=${(e: Event) => {
      e.preventDefault();
      context.set({ race: codesOf([text], position)?.codes[0] ?? text.trim(), raceText: text });
    }}>
      <input class="field short code" aria-label=${words.raceCode} maxlength="100" .value=${text}
        @input=${(e: OnInput) => context.set({ raceText: e.target.value, race: "" })}>
      <button class="soft">${words.raceGo}</button>
    </form>
    ${view.race && !rules ? html`<p class="note warn" role="alert">${words.raceBad(view.race)}</p>` : nothing}
    ${
      view.race && rules
        ? html`<div class="race" data-part="race">${RACERS.map((criterion) => {
            const reply = context.replies[`race_${criterion}`];
            const turns = reply?.value?.game ?? [];
            return html`<div><b>${words.strategies[criterion]}</b>${waiting(reply, { phase: context.phase })}
            <ol>${turns.map((turn) => html`<li><span class="code">${turn.guess} ${turn.answer}</span> <span class="quiet">${whole(turn.left)}</span></li>`)}</ol>
            ${turns.length ? html`<p class="quiet">${words.raceSaid(turns.length)}</p>` : nothing}</div>`;
          })}</div>`
        : nothing
    }</section>`;
}

function questions() {
  return html`<section><h2>${words.questionsTitle}</h2><p class="quiet">${words.questionsText}</p>
    <ul>${words.questions.map(([chapter, text]) => html`<li><a href=${`${CHAPTERS}#${chapter}`}>${text}</a></li>`)}</ul></section>`;
}

const PAIRS_SHOWN = 12; // corresponding codes of two games

/** The request while another game is compared; none if its rules differ. */
export function otherGameRequests(
  { position, view }: Pick<Context, "position" | "view">,
  bare: object,
): Requests {
  const other = view.theory && view.others && view.other;
  if (!other || !sameRules(other.rules, rulesOf(position))) return {};
  return { other: { want: "equivalent", position: bare, options: { other } } };
}

function otherGamePanel(context: Context) {
  const reply = context.replies.other;
  const { otherText = "", otherBad = "" } = context.view;
  return html`<p class="quiet">${words.otherHow}</p>
    <form class="stack" @submit=${(e: Event) => {
      e.preventDefault();
      readOther(context, otherText);
    }}>
      <textarea class="field" aria-label=${words.otherRows} placeholder="0011 1A1B" .value=${otherText}
        @input=${(e: InputEvent) => context.set({ otherText: (e.target as HTMLTextAreaElement).value, other: null, otherBad: "" })}></textarea>
      <div><button class="soft" ?disabled=${!otherText.trim()}>${words.otherGo}</button></div>
    </form>
    ${otherBad ? html`<p class="note warn" role="alert">${otherBad}</p>` : nothing}
    ${context.view.other ? waiting(reply, { phase: context.phase }) : nothing}
    ${reply?.state === "done" && reply.value && context.view.other ? stateVerdict(reply.value.state, signsOf(context.position)) : nothing}`;
}

async function readOther(context: Context, text: string) {
  const rules = rulesOf(context.position);
  try {
    const position = { ...context.position, clues: [] };
    const found = await context.ask({ want: "paste", position, options: { text } }).promise;
    const bad = found.bad[0];
    const clues = found.clues.map((clue) => ({ partial: 0, ...clue }));
    context.set(
      bad ? { otherBad: words.otherBad(bad), other: null } : { otherBad: "", other: { rules, clues } },
    );
  } catch (fault) {
    context.set({ otherBad: (fault as Error).message, other: null });
  }
}

function stateVerdict(found: SameState | null, signs: string[]) {
  if (!found) return html`<p>${words.otherLarge}</p>`;
  return html`<div class="stack" data-part="same-state"><p>${words.otherSaid(found)}</p>
    ${found.kind === "symmetry" ? html`<p>${permutationText(found, signs)}</p>` : nothing}
    ${found.left ? matchingCodes(found.left, signs) : nothing}</div>`;
}

/** Codes, and those that correspond to them in the other game. */
function matchingCodes(left: [string, string][], signs: string[]) {
  return html`<ul class="walk">${left
    .slice(0, PAIRS_SHOWN)
    .map(
      ([mine, theirs]) =>
        html`<li class="row wrap">${pegs(mine, signs)}<span aria-hidden="true">→</span>${pegs(theirs, signs)}</li>`,
    )}</ul>
    ${left.length > PAIRS_SHOWN ? html`<p class="quiet">${words.otherMore(left.length - PAIRS_SHOWN)}</p>` : nothing}`;
}

/** A permutation as text: the moved pegs, the exchanged colours. */
function permutationText({ pegs: places, colours }: Pick<SameStep, "pegs" | "colours">, signs: string[]) {
  const sign = (colour: number) => signOf(SYMBOLS[colour], signs);
  const moved = (places ?? []).map((to, from) => [from, to]).filter(([from, to]) => from !== to);
  const recoloured = (colours ?? [])
    .map((to, from) => [from, to])
    .filter(([from, to]) => from !== to && to >= 0);
  const said = [
    ...(moved.length ? [`peg ${moved.map(([f, t]) => `${f + 1}→${t + 1}`).join(", ")}`] : []),
    ...(recoloured.length
      ? [`colour ${recoloured.map(([f, t]) => `${sign(f)}→${sign(t)}`).join(", ")}`]
      : []),
  ];
  return said.length ? said.join(", ") : words.asItIs;
}
