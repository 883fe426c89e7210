/** Renders the glossary page from web/strings-glossary.js. */

import type { Entry } from "../strings-glossary.js";
import { glossary, glossaryWords as words } from "../strings-glossary.js";
import { html, nothing, render } from "../vendor.js";

const inOrder = Object.entries(glossary).sort(([, a], [, b]) => a.name.localeCompare(b.name, "en"));
const place = document.getElementById("terms");

if (place) {
  render(
    html`<nav aria-label="Terms"><ul class="contents">${inOrder.map(
      ([id, entry]) => html`<li><a href=${`#${id}`}>${entry.name}</a></li>`,
    )}</ul></nav>
    <dl class="terms">${inOrder.map(
      ([id, entry]) => html`<dt id=${id}>${entry.name}</dt>
      ${entry.text.map((line) => html`<dd>${line}</dd>`)}
      ${entry.everyday ? html`<dd class="everyday">${words.everyday}: ${entry.everyday}</dd>` : nothing}
      ${related(entry)}`,
    )}</dl>`,
    place,
  );
  // The browser looked for the fragment before the entries were rendered.
  const wanted = document.getElementById(decodeURIComponent(new URL(document.URL).hash.slice(1)));
  wanted?.scrollIntoView();
}

function related(entry: Entry) {
  if (!entry.also && !entry.more) return nothing;
  return html`<dd class="small">
    ${
      entry.also
        ? html`${words.also} ${entry.also.map((id, i) => html`${i ? ", " : ""}<a href=${`#${id}`}>${glossary[id].name}</a>`)}. `
        : nothing
    }
    ${entry.more ? html`<a href=${`theory.html#${entry.more}`}>${words.more}</a>` : nothing}
  </dd>`;
}
