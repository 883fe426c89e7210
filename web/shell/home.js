/** The home page: the visitor's games, five cards with a picture and two examples each, and a box for text and files. */
import { desks } from "../desks/index.js";
import { words } from "../strings.js";
import { html, nothing } from "../vendor.js";
import { fileButton, pictureButtons } from "../widgets/file.js";
import { dateOf } from "./history-panel.js";

/** @typedef {import("../desks/desk.js").DeskPage} DeskPage */
/** @typedef {import("../session/games.js").Game & {desk: string}} Game */

/** Examples of a desk; the others are in its menu. The build precomputes their first answers. */
export const EXAMPLES_SHOWN = 2;

const GAMES_SHOWN = 3;

/**
 * @typedef {object} Parts
 * @property {Record<string, DeskPage>} pages the pages loaded so far
 * @property {Game[]} games of all desks, the newest first
 * @property {boolean} all list them all
 * @property {boolean} narrow
 * @property {() => void} onAll
 * @property {(game: Game) => void} onGame
 * @property {(text: string) => void} onText
 * @property {(page: DeskPage, position: unknown) => void} onExample
 * @property {(files: File[]) => void} onFiles
 */

/** On narrow screens the visitor's games come first, elsewhere the cards. @param {Parts} parts */
export function home(parts) {
  const { pages, games, narrow, onExample } = parts;
  const cards = html`<section class="pick"><h2 class="narrow-only">${words.pickGame}</h2>
    <ul class="cards">${Object.entries(desks).map(([name, desk]) => card(name, desk, pages[name], onExample))}</ul></section>`;
  const own = games.length ? goOn(parts) : nothing;
  return html`<section class="home">
    <div><h1>${words.homeTitle}</h1><p class="lead">${words.homeText}</p></div>
    ${narrow ? [own, cards] : [cards, own]}
    ${anything(parts)}
  </section>`;
}

/** @param {Parts} parts */
function goOn({ pages, games, all, onAll, onGame }) {
  const more = games.length > GAMES_SHOWN && !all;
  return html`<section class="go-on">
    <div class="between"><h2>${words.goOn}</h2>${more ? html`<button class="plain" @click=${onAll}>${words.allGames}</button>` : nothing}</div>
    <ul class=${all ? "own-games all" : "own-games"}>${(all ? games : games.slice(0, GAMES_SHOWN)).map(
      (game) => {
        const page = pages[game.desk];
        return html`<li><button class="card own-game" @click=${() => onGame(game)}>
        <span class="mini" aria-hidden="true">${thumbnail(page, game.position)}</span>
        <b>${game.name || page?.title(game.position)}</b><span class="quiet">${game.last ? dateOf(new Date(game.last)) : ""}</span></button></li>`;
      },
    )}</ul></section>`;
}

/** A small drawing of a position, or of an example if it cannot be drawn. @param {DeskPage | null | undefined} page @param {unknown} position */
export function thumbnail(page, position) {
  try {
    return page?.mini?.(position) ?? nothing;
  } catch {
    return page?.mini?.() ?? nothing;
  }
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

/** @param {Parts} parts */
function anything({ onText, onFiles }) {
  const take = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const box = /** @type {HTMLFormElement} */ (event.currentTarget).querySelector("textarea");
    if (box?.value.trim()) onText(box.value);
  };
  return html`<form class="anything card" @submit=${take}>
    <h2>${words.pasteAnything}</h2>
    <textarea class="field" aria-label=${words.pasteAnything} placeholder=${words.pasteExample} rows="2"></textarea>
    <div class="row wrap">${fileButton(words.openFile, onFiles)}${pictureButtons({ label: words.openPicture, camera: words.camera, onPictures: onFiles })}<button class="main">${words.open}</button></div>
  </form>`;
}
