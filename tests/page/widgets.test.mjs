/** What desks share: how waiting and the advice are said, strokes, explained words, and pictures that are saved. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { openDesk } from "./desk.mjs";
import { downloads, draw } from "./template.mjs";

const { waiting } = await import("../../web/widgets/waiting.js");
const { titleText } = await import("../../web/shell/home.js");
const { barSpoken, pendingBar, resultSpoken } = await import("../../web/widgets/advice-bar.js");
const { explained } = await import("../../web/widgets/term.js");
const { swipe } = await import("../../web/widgets/dialog.js");
const { plainLines } = await import("../../web/widgets/file.js");
const { pictureButtons } = await import("../../web/widgets/file.js");

const REPLY = { state: "waiting", value: null, progress: null, fault: null, late: false, stale: false };
const PROGRESS = { done: 1, total: 4, note: "Comparing" };
const fault = (kind) => ({
  ...REPLY,
  state: "failed",
  fault: { kind, message: "It is too large.", where: "$" },
});

test("a waiting reply shows progress and a Stop button; a settled one shows nothing", () => {
  const calls = [];
  const parts = {
    phase: "ready",
    stop: () => calls.push("stop"),
    again: () => calls.push("again"),
    room: "line",
  };
  const shown = (reply, more = {}) => draw(waiting(reply, { ...parts, ...more }));
  assert.equal(shown({ ...REPLY, state: "done" }).text, "");
  assert.match(shown(REPLY, { phase: "loading" }).text, /Starting the engine/);
  const job = shown({ ...REPLY, progress: PROGRESS });
  assert.match(job.text, /^Comparing · 25 %/);
  job.role("button", "Stop").press();
  assert.equal(shown({ ...REPLY, value: 1 }).text, ""); // an older answer is in sight
  assert.match(shown({ ...REPLY, value: 1, late: true, progress: PROGRESS }).text, /25 %/);
  shown(fault("stopped")).role("button", "Try again").press();
  const refused = shown(fault("too_large"));
  assert.equal(refused.one("[role=alert]").text, "It is too large.");
  assert.equal(refused.all("button").length, 0); // to try again would not help
  assert.deepEqual(calls, ["stop", "again"]);
});

test("the bar shows what it waits for and refusals", () => {
  const said = (reply, phase = "ready") =>
    pendingBar({ phase, replies: { advise: reply }, stop() {}, again() {} }, "advise", "Comparing guesses");
  assert.equal(said({ ...REPLY, state: "done" }), null);
  assert.equal(said(REPLY, "loading").state, "waiting");
  assert.deepEqual(said(REPLY), { state: "computing", title: "" });
  const late = said({ ...REPLY, late: true, progress: PROGRESS });
  assert.deepEqual(
    [late.title, late.facts[0].text, late.act.label],
    ["Comparing guesses", "Comparing · 25 %", "Stop"],
  );
  assert.equal(said(fault("stopped")).act.label, "Try again");
  assert.deepEqual(
    [said(fault("too_large")).facts[0].text, said(fault("too_large")).act],
    ["It is too large.", undefined],
  );
});

test("an explained word links to the glossary once", () => {
  const line = draw([explained("5.7 bits to go; one answer tells 2 bits, another 3 bits")]);
  assert.equal(line.text, "5.7 bits to go; one answer tells 2 bits, another 3 bits");
  assert.deepEqual(
    line.all("button.term").map((one) => one.text),
    ["5.7 bits to go", "2 bits"],
  );
});

test("a swipe follows its direction only, and a tap that slips is none", () => {
  for (const [way, x, y, runs] of [
    ["up", 0, -40, 1],
    ["up", 0, -20, 0],
    ["up", 0, 40, 0],
    ["up", 60, -40, 0],
    ["down", 0, 40, 1],
  ]) {
    let ran = 0;
    const { start, move } = swipe(way, () => ran++);
    start({ pointerId: 1, clientX: 100, clientY: 100, isPrimary: true });
    move({ pointerId: 2, clientX: 100 + x, clientY: 100 + y });
    move({ pointerId: 1, clientX: 100 + x, clientY: 100 + y });
    assert.equal(ran, runs, `${way} ${x} ${y}`);
  }
});

test("lines of a pasted text have single spaces and a maximum length", () => {
  assert.deepEqual(plainLines(` a \t b\r\n\n${"x".repeat(3000)}\nc`), ["a b", "c"]);
});

test("chosen files are passed on once, and the same file can be chosen again", () => {
  const found = [];
  const buttons = draw(
    pictureButtons({ label: "Open", camera: "Take", onPictures: (files) => found.push(files) }),
  );
  const [input] = buttons.all("input");
  Object.defineProperty(input, "value", { writable: true, value: "a.png" });
  input.files = ["a.png"];
  input.dispatch("change");
  assert.deepEqual([found, input.value], [[["a.png"]], ""]);
});

test("the picture of a game shows its rows, that of a table its stands", async () => {
  const code = await openDesk(
    "code",
    { clues: [{ guess: "0011", exact: 1, partial: 1 }] },
    { phase: "loading" },
  );
  const rows = draw(code.desk.picture(code.context, titleText(code.desk, code.context.position)));
  assert.deepEqual([rows.all("circle").length, rows.one(".answer-text").text], [4, "1A1B"]);
  assert.equal(rows.one(".caption").text, "Mastermind, 1 row, 208 codes left");
  const rack = await openDesk("rack", undefined, { phase: "loading" });
  assert.equal(draw(rack.desk.picture(rack.context, "Mission 4")).all(".svg-tile").length, 24);
  for (const name of ["code", "rack", "scan"]) {
    const { desk } = await openDesk(name, undefined, { phase: "loading" });
    assert.equal(draw(desk.mini()).one("svg").attributes.viewBox, "0 0 120 72");
  }
});

/** A canvas that notes the texts written on it. */
function canvasOf(texts) {
  const context = new Proxy(
    { fillText: (text) => texts.push(text), measureText: (text) => ({ width: 7 * text.length }) },
    { get: (own, name) => own[name] ?? (() => {}), set: () => true },
  );
  return { getContext: () => context, toBlob: (done) => done(new Blob(["png"])) };
}

test("a route is saved as a picture with every scan numbered and every line of its plan", async () => {
  const spots = [[0, 0, 0], [7, 0, 0], [20, 0, 0], [3, 3, 0]]; // biome-ignore format: a list of tiles
  const desk = await openDesk("scan", { range: 3, spots }, { view: { route: true } });
  const texts = [];
  const { createElement } = document;
  document.createElement = (tag) =>
    tag === "canvas" ? canvasOf(texts) : Object.assign(createElement(tag), { style: {} });
  globalThis.getComputedStyle = () => ({ color: "rgb(1, 2, 3)" });
  globalThis.devicePixelRatio = 1;
  await desk.press("Save as a picture");
  document.createElement = createElement;
  assert.equal(downloads.at(-1).name, "route.png");
  const { pictureParts } = await import("../../web/desks/scan/route.js");
  const { lines, places } = pictureParts(desk.questions.replies.route.value);
  const plain = (text) => text.replace(/\s+/g, " ");
  for (const line of lines) assert.ok(plain(texts.join(" ")).includes(plain(line)), line);
  for (const { name } of places) assert.ok(texts.includes(name));
  assert.equal(texts[0], "Your own spots");
  for (let spot = 1; spot <= spots.length; spot++) assert.ok(texts.includes(String(spot)), `spot ${spot}`);
});

test("the bar is announced in one line when it is settled", () => {
  const bar = {
    state: "advice",
    title: {},
    spoken: "0 2 0 3",
    number: "3.36",
    unit: "bits",
    facts: [{ text: "can be the code" }],
  };
  assert.equal(barSpoken(bar), "0 2 0 3, 3.36 bits, can be the code");
  assert.equal(barSpoken({ ...bar, state: "estimated" }), "0 2 0 3, ≈ 3.36 bits, can be the code");
  assert.equal(barSpoken({ state: "contradiction", title: "Rows 1, 4 contradict" }), "Rows 1, 4 contradict");
  for (const state of ["computing", "waiting"])
    assert.equal(barSpoken({ ...bar, state }) + barSpoken({ state: "input", title: {} }), "");
});

test("a wide screen announces the advice, but no key of the bar that it does not show", () => {
  const advice = { state: "certain", title: "Open B2", facts: [{ text: "safe." }, { text: "12 codes" }] };
  const input = { state: "input", title: "Press the answer" };
  assert.equal(resultSpoken("12 codes", advice, false), "12 codes. Open B2, safe");
  assert.equal(resultSpoken("12 codes.", input, false), "12 codes.");
  assert.equal(resultSpoken("12 codes.", input, true), "12 codes. Press the answer");
  assert.equal(resultSpoken("12 codes.", null, false), "12 codes.");
});
