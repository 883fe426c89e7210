/** The home page: the visitor's games, five cards with a picture and two examples each, and a box for text and files. */

import type { DeskPage } from "../desks/desk.js";
import { desks } from "../desks/index.js";
import { words } from "../strings.js";
import { html, nothing } from "../vendor.js";
import { fileButton, pictureButtons } from "../widgets/file.js";
import type { Shell, State } from "./context.js";
import { dateOf } from "./history-panel.js";

export type Game = import("../session/records.js").Game & { desk: string };

/** Examples of a desk; the others are in its menu. The build precomputes their first answers. */
export const EXAMPLES_SHOWN = 2;

const GAMES_SHOWN = 3;

/** On narrow screens the visitor's games come first, elsewhere the cards. */
export function home(state: State, shell: Shell, narrow: boolean) {
  const cards = html`<section class="pick"><h2 class="narrow-only">${words.pickGame}</h2>
    <ul class="cards">${Object.entries(desks).map(([name, desk]) => card(name, desk, state.pages[name], shell, narrow))}</ul></section>`;
  const own = state.games.length ? goOn(state, shell) : nothing;
  return html`<section class="home">
    <div><h1>${words.homeTitle}</h1><p class="lead">${words.homeText}</p></div>
    ${narrow ? [own, cards] : [cards, own]}
    ${anything(shell)}
  </section>`;
}

function goOn(state: State, shell: Shell) {
  const { pages, games, all } = state;
  const onAll = () => {
    state.all = true;
    shell.redraw();
  };
  const more = games.length > GAMES_SHOWN && !all;
  return html`<section class="go-on">
    <div class="between"><h2>${words.goOn}</h2>${more ? html`<button class="plain" @click=${onAll}>${words.allGames}</button>` : nothing}</div>
    <ul class=${all ? "own-games all" : "own-games"}>${(all ? games : games.slice(0, GAMES_SHOWN)).map(
      (game) => {
        const page = pages[game.desk];
        const [name, fact] = page?.title(game.position) ?? ["", ""];
        return html`<li><button class="card own-game" @click=${() => shell.games.openAt(game.desk, game.game)}>
        <span class="mini" aria-hidden="true">${thumbnail(page, game.position)}</span>
        <b>${game.name || name}</b><span class="quiet">${fact || (game.last ? dateOf(new Date(game.last)) : "")}</span></button></li>`;
      },
    )}</ul></section>`;
}

/** A game's name and how far it is, as one line. */
export function titleText(page: DeskPage, position: unknown) {
  return page.title(position).filter(Boolean).join(", ");
}

/** A small drawing of a position, or of an example if it cannot be drawn. */
export function thumbnail(page: DeskPage | null | undefined, position: unknown) {
  try {
    return page?.mini?.(position) ?? nothing;
  } catch {
    return page?.mini?.() ?? nothing;
  }
}

/** A desk's card: a drawing, its question, and two example positions, or one where the window is narrow. */
function card(
  name: string,
  desk: { title: string; game: string },
  page: DeskPage | undefined,
  { transfer }: Shell,
  narrow: boolean,
) {
  return html`<li class="card"><a class="desk-door" href=${`#/${name}`}>
    <span class="mini" aria-hidden="true">${page?.mini ? page.mini() : nothing}</span>
    <span class="door-text"><b>${desk.title}</b><span class="quiet">${desk.game}</span><span class="asks">${page?.asks ?? nothing}</span></span></a>
    <ul class="examples">${(page?.examples ?? []).slice(0, narrow ? 1 : EXAMPLES_SHOWN).map(
      (
        example,
      ) => html`<li><button class="list-item" data-desk=${name} @click=${() => page && transfer.openExample(page, example.position)}>
        ${narrow ? words.tryExample(example.title) : html`<b>${example.title}</b><span>${example.fact}</span>`}</button></li>`,
    )}</ul></li>`;
}

function anything({ transfer }: Shell) {
  const take = (event: SubmitEvent) => {
    event.preventDefault();
    const box = (event.currentTarget as HTMLFormElement).querySelector("textarea");
    if (box?.value.trim()) transfer.openText(box.value);
  };
  return html`<form class="anything card" @submit=${take}>
    <h2>${words.pasteAnything}</h2>
    <textarea class="field" aria-label=${words.pasteAnything} placeholder=${words.pasteExample} rows="2"></textarea>
    <div class="row wrap">${fileButton(words.openFile, transfer.openFiles, { multiple: true })}${pictureButtons({ label: words.openPicture, camera: words.camera, onPictures: transfer.openFiles })}<button class="main">${words.open}</button></div>
  </form>`;
}
