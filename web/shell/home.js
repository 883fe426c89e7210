/** The way in: five desks, what was open last, examples, a box for anything. */
import { desks } from "../desks/index.js";
import { html, nothing } from "../vendor.js";
import { words } from "../words.js";

/** @typedef {import("../desks/desk.js").DeskPage} DeskPage */

/**
 * @param {object} parts
 * @param {Record<string, DeskPage>} parts.pages those that have been fetched so far
 * @param {string} parts.last the desk that was open last, or ""
 * @param {(text: string) => void} parts.onText
 * @param {(page: DeskPage, position: any) => void} parts.onExample
 */
export function home({ pages, last, onText, onExample }) {
  return html`<section class="home">
    <h1>${words.homeTitle}</h1>
    <p class="lead">${words.homeText}</p>
    ${Object.hasOwn(desks, last) ? html`<p><a class="soft go-on" href=${`#/${last}`}>${words.lastOpen}: ${desks[last].title}</a></p>` : nothing}
    <ul class="cards">${Object.entries(desks).map(([name, desk]) => card(name, desk, pages[name]))}</ul>
    ${anything(onText)}
    <h2>${words.examples}</h2>
    <ul class="examples">${Object.values(pages).flatMap((page) =>
      page.examples.slice(0, 4).map(
        (
          example,
        ) => html`<li><button class="list-item" data-desk=${page.name} @click=${() => onExample(page, example.position)}>
          <b>${desks[page.name].title}: ${example.title}</b><span>${example.fact}</span></button></li>`,
      ),
    )}</ul>
  </section>`;
}

/** @param {string} name @param {{title: string, game: string}} desk @param {DeskPage | undefined} page */
function card(name, desk, page) {
  return html`<li><a class="card" href=${`#/${name}`}>
    <span class="mini" aria-hidden="true">${page?.mini ? page.mini() : nothing}</span>
    <b>${desk.title}</b><span>${desk.game}</span></a></li>`;
}

/** @param {(text: string) => void} onText */
function anything(onText) {
  const take = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const box = /** @type {HTMLFormElement} */ (event.currentTarget).querySelector("textarea");
    if (box?.value.trim()) onText(box.value);
  };
  return html`<form class="anything" @submit=${take}>
    <h2>${words.pasteAnything}</h2>
    <p class="quiet">${words.pasteAnythingHow}</p>
    <textarea class="field" aria-label=${words.pasteAnything} rows="4"></textarea>
    <button class="soft">${words.open}</button>
  </form>`;
}
