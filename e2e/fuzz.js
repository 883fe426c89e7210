// Run in the page by test_fuzz.py: what is wrong with a link or a text, as lists of sentences.
async () => {
  const load = (path) => import(new URL(path, document.baseURI));
  const { desks } = await load("desks/index.js");
  const { BadLink, encode, decode } = await load("session/link.js");
  const { complete, Misfit } = await load("validate.js");
  const { html, render } = await load("vendor.js");
  const pages = {};
  for (const [name, desk] of Object.entries(desks)) pages[name] = (await desk.load()).page;

  /** A desk's hands, with nobody behind them. */
  function contextOf(position) {
    const dialogs = [];
    const context = {
      position, view: {}, replies: {}, phase: "ready", past: [{ id: "1", label: "", position }],
      commit: (next) => { context.position = next; },
      set: (change) => { context.view = { ...context.view, ...change }; },
      ask: () => ({ promise: new Promise(() => {}), cancel() {} }),
      stop() {}, again() {}, say() {}, tell() {}, redraw() {}, follow() {},
      open: (dialog) => { if (dialog) dialogs.push(dialog); },
      dialogs,
    };
    return context;
  }

  function drawAll(page, context) {
    const place = document.createElement("div");
    document.body.append(place);
    try {
      page.wants(context.position, context.view);
      render(html`${page.draw(context)}`, place);
      if (place.textContent.trim().length < 20) throw new Error("nothing was drawn");
      for (const line of [page.title(context.position), ...(page.describe?.(context) ?? [])])
        if (typeof line !== "string" || /undefined|NaN|\[object/.test(line)) throw new Error(`it says ${line}`);
      page.keys(context);
      if (page.picture) render(html`${page.picture(context)}`, place);
      page.fresh?.(context.position);
      page.shared?.(context.position);
      for (const dialog of context.dialogs) render(html`${dialog()}`, place);
    } finally {
      place.remove();
    }
  }

  globalThis.tryLinks = async (desk, links) => {
    const page = pages[desk];
    const wrong = [];
    let drawn = 0;
    for (const given of links) {
      try {
        const link = typeof given === "string" ? given : await encode(desk, given);
        const found = await decode(link);
        if (!found || found.desk !== desk) continue;
        let position;
        try {
          position = page.accept(complete(desk, found.position));
        } catch (problem) {
          if (![Error, Misfit].includes(problem.constructor) || !/[.?]$/.test(problem.message)) throw problem;
          continue;
        }
        drawAll(page, contextOf(position));
        await encode(desk, position);
        drawn += 1;
      } catch (problem) {
        if (!(problem instanceof BadLink)) wrong.push(`${problem.stack}\n${JSON.stringify(given)}`);
      }
    }
    return { drawn, wrong: wrong.slice(0, 3) };
  };

  globalThis.tryTexts = async (desk, texts) => {
    const wrong = [];
    let tried = 0;
    for (const text of texts) {
      try {
        for (const page of Object.values(pages)) page.recognises?.(text);
        const context = contextOf(pages[desk].initial());
        pages[desk].paste?.(text, context);
        drawAll(pages[desk], context);
        tried += 1;
      } catch (problem) {
        wrong.push(`${problem.stack}\n${JSON.stringify(text)}`);
      }
    }
    return { tried, wrong: wrong.slice(0, 3) };
  };

  /** What is kept as it may be found: read with the desk's own page, every moment drawn, its view too. */
  globalThis.tryKept = async (desk, browsers) => {
    const { Keeping } = await load("session/persistence.js");
    const wrong = [];
    let moments = 0;
    let aside = 0;
    for (const entries of browsers) {
      try {
        const kept = new Map(entries);
        const store = {
          under: async (first, last = `${first}\uffff`) => [...kept].filter(([key]) => key >= first && key <= last),
          write: async (changes) => {
            for (const [key, value] of changes) value === undefined ? kept.delete(key) : kept.set(key, value);
            return true;
          },
          tab: () => "t",
        };
        const accepts = { accept: (position) => pages[desk].accept(complete(desk, position)) };
        const opened = await new Keeping(store, () => {}).open(desk, Promise.resolve(accepts));
        aside += opened.aside;
        for (const one of opened.history?.tree.values() ?? []) {
          drawAll(pages[desk], contextOf(one.position));
          moments += 1;
        }
      } catch (problem) {
        wrong.push(`${problem.stack}\n${JSON.stringify(entries).slice(0, 2000)}`);
      }
    }
    return { moments, aside, wrong: wrong.slice(0, 3) };
  };

  const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

  /** Open a link as the address bar would, and let its answers come. */
  globalThis.visit = async (desk, given) => {
    location.hash = typeof given === "string" ? given.replace(/^[^#]*/, "") : await encode(desk, given);
    await pause(200);
  };

  /** Paste a text as a person would. */
  globalThis.bring = async (text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", text);
    document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
    await pause(150);
  };

  /** Why the page is blank or broken, or nothing. */
  globalThis.blank = () => {
    const desk = document.getElementById("desk");
    if (desk.textContent.trim().length < 20) return "the desk is empty";
    const broken = /could not be drawn|undefined|NaN|\[object/.exec(document.body.innerText);
    return broken ? `it says ${broken[0]}` : "";
  };
}
