/** Opens a fragment: the home page, a desk's stored game, or the position of a link. */

import { desks, dress } from "../desks/index.js";
import { whyNotRun } from "../engine/download.js";
import { messageOf } from "../errors.js";
import { History } from "../session/history.js";
import * as link from "../session/link.js";
import { preferenceFields } from "../session/preferences.js";
import { gamesIn } from "../session/records.js";
import { words } from "../strings.js";
import { complete, Unknown } from "../validate.js";
import type { DeskPage, Shell, State } from "./context.js";
import { focusPlace } from "./screen.js";

export class Opening {
  #state;
  #shell;
  /** Keys pressed while a desk is being loaded. */
  #under = 0;
  #going = Promise.resolve();
  #early: KeyboardEvent[] = [];
  /** Whether this visit has shown where the earlier game is. */
  #saidKept = false;

  constructor(state: State, shell: Shell) {
    this.#state = state;
    this.#shell = shell;
  }

  /** Defers a key while a desk is being loaded; returns whether it did. */
  takes(event: KeyboardEvent) {
    if (this.#under) this.#early.push(event);
    return this.#under > 0;
  }

  /** Resolves when no link is being opened. */
  async opened(): Promise<void> {
    while (this.#under) await this.#going;
  }

  /** Opens fragments one after another; keys typed meanwhile go to the opened desk. */
  go(fragment: string): Promise<void> {
    this.#under += 1;
    this.#going = this.#going
      .then(() => this.#open(fragment))
      .catch(async (problem) => {
        if (!this.#state.page) await this.#home();
        this.#shell.notice(messageOf(problem), "risk");
      })
      .finally(() => {
        this.#under -= 1;
        if (!this.#under) for (const event of this.#early.splice(0)) this.#shell.onKey(event);
      });
    return this.#going;
  }

  /**
   * Opens the fragment of a link that was followed on the page. If it shows another desk, or the home
   * page, the focus moves to its heading, which a screen reader then reads.
   */
  async follow(fragment: string) {
    const { desk } = this.#state;
    const from = document.activeElement;
    await this.go(fragment);
    if (!from?.matches('a[href^="#/"]') || this.#state.desk === desk) return;
    this.#shell.afterDrawing(() => {
      const [at, heading] = [document.activeElement, document.querySelector<HTMLElement>("#desk h1")];
      const moved = at !== from && at !== document.body && at?.id !== "desk"; // by the user meanwhile
      if (heading && !moved) focusPlace(heading, { preventScroll: true });
    });
    this.#shell.redraw();
  }

  /** A desk's page, loaded once; its `accept` checks positions and fills in defaults. */
  async pageOf(name: string): Promise<DeskPage> {
    const { pages } = this.#state;
    try {
      const { page } = await desks[name].load();
      pages[name] ??= {
        ...page,
        initial: () => page.accept(complete(name, page.initial())),
        accept: (position) => page.accept(complete(name, position)),
      };
      return pages[name];
    } catch (problem) {
      throw new Error((await whyNotRun(`desks/${name}/page.js`)) || messageOf(problem));
    }
  }

  /**
   * Opens a desk; returns whether it had a stored game.
   * @param position from a link; without it, the stored game
   * @param said the sender's advice
   */
  async desk(desk: string, position?: unknown, said: string = "") {
    const { engine, questions, gameStorage, updates, notice } = this.#shell;
    await updates.save(); // store the open game before leaving it
    const soon = this.pageOf(desk);
    const [page, kept] = await Promise.all([soon, gameStorage.open(desk, soon)]);
    if (kept.aside) notice(words.setAside(kept.aside), "risk");
    const linked = position === undefined ? undefined : page.accept(position);
    questions.clear();
    dress(desk);
    engine.prepare(desk);
    const opened = {
      history: kept.history ?? History.begin(desk, link.freeze(page.initial())),
      view: kept.view,
    };
    const differs = linked !== undefined && !link.samePosition(desk, linked, opened.history.position);
    const shown = differs ? await this.#linked(page, opened, link.freeze(linked)) : opened;
    const sender = said ? { text: said, position: shown.history.position } : null;
    Object.assign(this.#state, { desk, page, home: false, ...shown, said: sender });
    updates.changed();
    return kept.history !== null;
  }

  /** A position, a desk, or the home page. */
  async #open(fragment: string) {
    const { notice } = this.#shell;
    if (fragment === this.#state.fragment && this.#state.page) return;
    scrollTo(0, 0); // start at the top
    this.#state.newer = "";
    const desk = link.deskOf(fragment);
    const { notice: shown } = this.#state;
    if (shown && !shown.action && desk !== this.#state.desk) notice(""); // it was about the desk left
    if (!Object.hasOwn(desks, desk)) {
      if (fragment.replace(/^#?\/?/, "")) notice(`${words.badLink} ${link.whyUnknown(fragment)}`, "risk");
      await this.#home();
      if (desk) this.#seeksNewer(fragment);
      return;
    }
    try {
      const found = await link.decode(fragment);
      if (found && "name" in found) await this.#named(desk, found.name);
      else await this.desk(desk, found?.position, found?.said);
    } catch (problem) {
      const there = await this.desk(desk);
      notice([words.badLink, messageOf(problem), there ? words.lastKept : ""].join(" ").trim(), "risk");
      if (problem instanceof Unknown || problem instanceof link.LaterLink) this.#seeksNewer(fragment);
    }
  }

  /** Keeps a link that a newer build may read, to open it after an update. */
  #seeksNewer(fragment: string) {
    this.#state.newer = fragment;
    this.#shell.lookForUpdate();
  }

  /** Looks up a named position; meanwhile the desk shows its stored game. */
  async #named(desk: string, name: string) {
    const { engine, notice } = this.#shell;
    const known = (await this.pageOf(desk)).named;
    if (!known) throw new link.BadLink(link.NO_LINK);
    await this.desk(desk);
    notice(words.lookingUp(name));
    const { request, position } = known(name);
    engine.ask({ desk, ...request }, {}).promise.then(
      async ({ result }) => {
        notice("");
        if (this.#state.desk === desk) await this.go(await link.encode(desk, position(result)));
      },
      (fault) => notice(`${words.badLink} ${messageOf(fault)}`, "risk"),
    );
  }

  async #home() {
    const { questions, updates, redraw } = this.#shell;
    await updates.save();
    questions.clear();
    const none = { desk: "", page: null, history: null, view: {} };
    Object.assign(this.#state, { ...none, fragment: "#/", home: true, games: [], all: false });
    dress("");
    document.documentElement.dataset.saved = "current";
    redraw();
    for (const name of Object.keys(desks)) {
      const page = await this.pageOf(name).catch(() => null); // opening it reports the error
      if (page) await this.#list(name, page);
      redraw();
    }
  }

  /** Adds a desk's games to those of the home page. */
  async #list(desk: string, page: DeskPage) {
    const { records, aside } = await this.#shell.gameStorage.records(desk, Promise.resolve(page));
    if (aside.length) this.#shell.notice(words.setAside(aside.length), "risk");
    const games = gamesIn(records, desk).map((game) => ({ ...game, desk }));
    const others = this.#state.games.filter((one) => one.desk !== desk);
    this.#state.games = [...others, ...games].sort((a, b) => b.last - a.last);
  }

  /**
   * The game for a linked position: a new one, a stored one at that position, or the open one with a
   * step. The previously open game stays stored.
   */
  async #linked(
    page: DeskPage,
    { history, view }: { history: History<unknown>; view: object },
    position: unknown,
  ) {
    const { gameStorage, notice } = this.#shell;
    const resumed = page.resume?.(history.position, position);
    if (resumed) return { history: history.add(link.freeze(page.accept(resumed)), words.linkOpened), view };
    const games = await gameStorage.games(page.name, page);
    const same = games.find((one) => link.samePosition(page.name, one.position, position));
    await gameStorage.leave(history, view, page.lasting);
    const next = same && (await gameStorage.openGame(page.name, same.game, page));
    if (games.length && !next && !this.#saidKept) {
      this.#saidKept = true;
      notice(words.gameKept);
    }
    const lasting = preferenceFields(view, page.lasting);
    return { history: next ?? History.begin(page.name, position, words.linkOpened), view: lasting };
  }
}
