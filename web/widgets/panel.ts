/** Parts of a desk's panels: choices, collapsible sections, the card of contradicting clues. */

import { html, nothing } from "../vendor.js";
import type { OnInput, OnSelect, OnToggle } from "./on.js";

/** A row of toggle buttons, one of which is pressed. @param wraps separate buttons in several lines */
export function choice<K extends string>({
  label,
  options,
  value,
  onChange,
  wraps = false,
}: {
  label: string;
  options: Record<K, string> | (readonly [K, string])[];
  value: K | undefined;
  onChange: (value: K) => void;
  wraps?: boolean;
}) {
  const pairs = Array.isArray(options) ? options : Object.entries(options);
  return html`<div class=${wraps ? "buttons" : "seg"} role="group" aria-label=${label}>
    ${pairs.map(
      ([key, text]) => html`<button
        type="button"
        class=${wraps ? "soft" : nothing}
        aria-pressed=${key === value}
        @click=${() => key !== value && onChange(key as K)}
      >${text}</button>`,
    )}
  </div>`;
}

/**
 * A drop-down list.
 * @param options values with their texts; `off`: cannot be chosen
 * @param kind a further class
 */
export function select<K extends string | number>(
  options: readonly (readonly [value: K, text: unknown, off?: boolean])[],
  value: K,
  onChange: (value: K) => void,
  { label, kind = "" }: { label?: string; kind?: string } = {},
) {
  const take = (event: OnSelect) => {
    const chosen = options.find(([one]) => String(one) === event.target.value);
    if (chosen) onChange(chosen[0]);
  };
  return html`<select class="field ${kind}" aria-label=${label ?? nothing} .value=${String(value)} @change=${take}>
    ${options.map(([one, text, off = false]) => html`<option value=${one} ?selected=${one === value} ?disabled=${off}>${text}</option>`)}</select>`;
}

/** A check box. @param how an explanation @param kind a further class */
export function tick(
  label: string,
  on: boolean | undefined,
  onChange: (on: boolean) => void,
  { how, kind = "" }: { how?: string; kind?: string } = {},
) {
  const text = how ? html`<span>${label}<br><span class="quiet">${how}</span></span>` : label;
  return html`<label class="check ${kind}"><input type="checkbox" .checked=${Boolean(on)} @change=${(e: OnInput) => onChange(e.target.checked)}>${text}</label>`;
}

/**
 * A collapsible section whose content is rendered only while it is open.
 * @param toggle called when the user opens or closes it
 * @param kind a further class
 */
export function fold(
  title: string,
  open: boolean,
  toggle: (open: boolean) => void,
  body: () => unknown,
  kind = "",
) {
  return html`<details class="more ${kind}" ?open=${open} @toggle=${(e: OnToggle) => e.target.open !== open && toggle(e.target.open)}>
    <summary>${title}</summary>${open ? body() : nothing}</details>`;
}

/** A section that is open while a field of the view is set. */
export function foldFor<V extends object>(
  context: { view: V; set: (change: Partial<V>) => void },
  flag: keyof V & string,
  title: string,
  body: () => unknown,
) {
  const toggle = (open: boolean) => context.set({ [flag]: open } as Partial<V>);
  return fold(title, Boolean(context.view[flag]), toggle, body);
}

/**
 * A table that scrolls sideways if it is too wide.
 * @param classOf the class of a column; default: numbers after the first
 * @param kind a further class
 */
export function scrollTable(
  label: string,
  heads: string[],
  rows: unknown,
  {
    classOf = (i) => (i ? "n" : ""),
    kind = "",
  }: { classOf?: (column: number) => string; kind?: string } = {},
) {
  return html`<div class="scroll" role="region" tabindex="0" aria-label=${label}><table class="table ${kind}"><thead><tr>
    ${heads.map((head, i) => html`<th class=${classOf(i) || nothing} scope="col">${head}</th>`)}</tr></thead>
    <tbody>${rows}</tbody></table></div>`;
}

export interface Doubt {
  title: string;
  /** contradicting sets of clues, a sentence each */
  clashes: unknown[];
  /** `clashes` are names for a list, not sentences */
  listed?: boolean;
  /** a note per set, or null */
  notes?: (string | null)[];
  fixesTitle?: string;
  /** changes of one clue that fix it */
  fixes?: Fix[];
  /** clues whose removal fixes it */
  without?: Fix[];
}
/** a fix; without `run` it is only text */
export type Fix = { label: unknown; run?: () => void };

/** A card with contradicting clues and fixes. */
export function doubtCard({
  title,
  clashes,
  listed,
  notes = [],
  fixesTitle,
  fixes = [],
  without = [],
}: Doubt) {
  const texts = notes.filter((note) => note !== null);
  return html`<section class="note risk doubt" role="alert">
    <h2>${title}</h2>
    ${listed ? html`<ul class="clashes">${clashes.map((one) => html`<li>${one}</li>`)}</ul>` : clashes.map((one) => html`<p>${one}</p>`)}
    ${texts.map((note) => html`<p>${note}</p>`)}
    ${fixesTitle && fixes.length ? html`<h3 data-edit>${fixesTitle}</h3>` : nothing}
    ${choices(fixes, "soft")}${choices(without, "plain")}
  </section>`;
}

/** @param kind of button */
function choices(fixes: Fix[], kind: string) {
  if (!fixes.length) return nothing;
  if (!fixes[0].run) return html`<ul class="quiet">${fixes.map(({ label }) => html`<li>${label}</li>`)}</ul>`;
  return html`<ul class="repairs" data-edit>${fixes.map(
    ({ label, run }) => html`<li><button class=${kind} @click=${run}>${label}</button></li>`,
  )}</ul>`;
}
