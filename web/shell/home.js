/** The home page: the last open desk, five desks with a picture and two examples each, and a paste box. */
import { desks } from "../desks/index.js";
import { words } from "../strings.js";
import { html, nothing } from "../vendor.js";
import { pictureButtons } from "../widgets/file.js";

/** @typedef {import("../desks/desk.js").DeskPage} DeskPage */

/** Examples of a desk; the others are in its menu. The build precomputes their first answers. */
export const EXAMPLES_SHOWN = 2;

/**
 * @param {object} parts
 * @param {Record<string, DeskPage>} parts.pages the pages loaded so far
 * @param {string} parts.last the desk that was open last, or ""
 * @param {(text: string) => void} parts.onText
 * @param {(page: DeskPage, position: unknown) => void} parts.onExample
 * @param {(files: File[]) => void} parts.onPictures
 */
export function home({ pages, last, onText, onExample, onPictures }) {
  return html`<section class="home">
    <h1>${words.homeTitle}</h1>
    <p class="lead">${words.homeText}</p>
    ${Object.hasOwn(desks, last) ? html`<p><a class="soft go-on" href=${`#/${last}`}>${words.lastOpen}: ${desks[last].title}</a></p>` : nothing}
    <ul class="cards">${Object.entries(desks).map(([name, desk]) => card(name, desk, pages[name], onExample))}</ul>
    ${anything(onText, onPictures)}
    <p class="home-foot"><a class="plain" href="docs/index.html">${words.guide}</a></p>
  </section>`;
}

/**
 * A desk's card: a drawing, its question, and two example positions.
 * @param {string} name @param {{title: string, game: string}} desk @param {DeskPage | undefined} page
 * @param {(page: DeskPage, position: unknown) => void} onExample
 */
function card(name, desk, page, onExample) {
  return html`<li class="card"><a class="desk-door" href=${`#/${name}`}>
    <span class="mini" aria-hidden="true">${page?.mini ? page.mini() : nothing}</span>
    <span class="door-text"><b>${desk.title}</b><span class="quiet">${desk.game}</span><span class="asks">${page?.asks ?? nothing}</span></span></a>
    <ul class="examples">${(page?.examples ?? []).slice(0, EXAMPLES_SHOWN).map(
      (
        example,
      ) => html`<li><button class="list-item" data-desk=${name} @click=${() => page && onExample(page, example.position)}>
        <b>${example.title}</b><span>${example.fact}</span></button></li>`,
    )}</ul></li>`;
}

/** @param {(text: string) => void} onText @param {(files: File[]) => void} onPictures */
function anything(onText, onPictures) {
  const take = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const box = /** @type {HTMLFormElement} */ (event.currentTarget).querySelector("textarea");
    if (box?.value.trim()) onText(box.value);
  };
  return html`<form class="anything" @submit=${take}>
    <h2>${words.pasteAnything}</h2>
    <p class="quiet">${words.pasteAnythingHow}</p>
    <textarea class="field" aria-label=${words.pasteAnything} rows="4"></textarea>
    <div class="row wrap"><button class="soft">${words.open}</button>${pictureButtons({ label: words.openPicture, camera: words.camera, onPictures })}</div>
  </form>`;
}
