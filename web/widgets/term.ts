/**
 * Glossary terms: `term("bits", "3.36 bits")` is a button that opens the glossary's entry. Works by
 * touch and keyboard, also inside dialogs, independent of the page.
 */

import type { Term } from "../strings-glossary.js";
import { glossary, phrases, glossaryWords as words } from "../strings-glossary.js";
import { html, nothing, render } from "../vendor.js";
import { focusBoardIfLost } from "./dialog.js";

const THEORY = new URL("../docs/theory.html", import.meta.url).href;

/** A button with `shown` on it; without `shown`, the term's own name. @param shown text or a template */
export function term(id: Term, shown: unknown = glossary[id].name.toLowerCase()) {
  return html`<button
    type="button" class="term" aria-haspopup="dialog" title=${words.explain(glossary[id].name)}
    @click=${(event: Event) => {
      event.stopPropagation(); // the row that holds the number has its own click
      explain(id);
    }}
  >${shown}</button>`;
}

/**
 * A sentence whose terms become buttons: `explained("5.7 bits to go")`. Each term is marked once; `seen`
 * extends that to several sentences. Templates are returned unchanged.
 */
export function explained(text: unknown, seen: Set<string> = new Set()): unknown {
  if (typeof text !== "string") return text;
  for (const [pattern, id] of phrases) {
    const found = seen.has(id) ? null : pattern.exec(text);
    if (!found) continue;
    seen.add(id);
    const [shown] = found;
    const before = explained(text.slice(0, found.index), seen);
    return [before, term(id, shown), explained(text.slice(found.index + shown.length), seen)];
  }
  return text;
}

/** Opens an entry in a <dialog>, which restores the focus when it closes. */
export function explain(id: string) {
  const dialog = document.createElement("dialog");
  dialog.className = "dialog explanation";
  dialog.addEventListener("close", () => {
    dialog.remove();
    focusBoardIfLost(); // the term may have been removed with its advice
  });
  dialog.addEventListener("keydown", (event) => event.stopPropagation()); // no desk keys from here
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  fill(dialog, id);
  document.body.append(dialog);
  dialog.showModal();
}

function fill(dialog: HTMLDialogElement, id: string) {
  const entry = glossary[id];
  dialog.setAttribute("aria-label", entry.name);
  render(
    html`<header><h2>${entry.name}</h2>
        <button type="button" class="icon" aria-label=${words.close} @click=${() => dialog.close()}>✕</button>
      </header>
      <div class="dialog-body">
        ${entry.text.map((line) => html`<p>${line}</p>`)}
        ${entry.everyday ? html`<p class="everyday"><b>${words.everyday}.</b> ${entry.everyday}</p>` : nothing}
        <p class="related">
          ${(entry.also ?? []).map(
            (other) =>
              html`<button type="button" class="plain" @click=${() => fill(dialog, other)}>${glossary[other].name}</button>`,
          )}
          ${
            entry.more
              ? html`<a class="plain" href=${`${THEORY}#${entry.more}`} target="_blank" rel="noopener">${words.more}</a>`
              : nothing
          }
        </p>
      </div>`,
    dialog,
  );
  dialog.scrollTop = 0;
}
