/** Playing a witness on the first board, step by step. */
import { played as after, boardOf, boxOf, isBlank, sizeOf, tokensOf, touched } from "./model.js";
import { words } from "./strings.js";

/** @typedef {import("./model.js").Context} Context */
/** @typedef {import("./model.js").Token} Token */

const PACE = { slow: 1600, normal: 800, fast: 300 };

/** The clock between two steps; one page, one player. @type {ReturnType<typeof setTimeout> | undefined} */
let clock;

/** The verdict that is being played, if it still belongs to the boards. @param {Context} context */
function steps(context) {
  const reply = context.replies.same;
  return reply && !reply.stale && reply.value?.same ? reply.value.steps : null;
}

/** How many steps have been played. @param {Context} context */
export function witnessFrame(context) {
  const all = steps(context);
  return all && context.view.player ? Math.min(context.view.player.step, all.length) : 0;
}

/** @param {Context} context */
export const isPlaying = (context) => Boolean(context.view.player?.running);

/**
 * What stands on board `i` while a witness is played, or null while it is itself.
 * @param {Context} context @param {number} i
 * @returns {{tokens: Token[], touched: Set<number>, caption: string} | null}
 */
export function scene(context, i) {
  const box = boxOf(context.position);
  const all = steps(context);
  const done = witnessFrame(context);
  if (i !== 0 || !all || done === 0) return null;
  let tokens = tokensOf(boardOf(context.position, 0));
  for (const step of all.slice(0, done)) tokens = after(step, tokens, box);
  return { tokens, touched: touched(all[done - 1], box), caption: words.at(done, all.length) };
}

/** @param {Context} context @param {number} step @param {boolean} [running] */
export function go(context, step, running = false) {
  const all = steps(context);
  if (!all) return;
  const to = Math.max(0, Math.min(all.length, step));
  const on = running && to < all.length;
  context.set({ player: to === 0 && !on ? null : { step: to, running: on } });
  clearTimeout(clock);
  if (on)
    clock = setTimeout(
      () => isPlaying(lastWitness(context)) && go(lastWitness(context), to + 1, true),
      pace(context),
    );
  if (to > 0) context.say(all[to - 1].text);
}

/** The newest context, for the clock. @type {Context | undefined} */
let latest;
/** @param {Context} context */
export function watch(context) {
  latest = context;
}

/** What the desk is now, for a clock set earlier. @param {Context} context */
export const lastWitness = (context) => latest ?? context;

/** Milliseconds from step to step. @param {Context} context */
export function pace(context) {
  return PACE[/** @type {keyof typeof PACE} */ (context.view.speed)] ?? PACE.normal;
}

/** @param {Context} context */
export function toggle(context) {
  const all = steps(context);
  if (!all?.length) return;
  const done = witnessFrame(context);
  if (isPlaying(context)) go(context, done);
  else go(context, done === all.length ? 0 : done, true);
}

/** Which boards have something on them. @param {import("./model.js").Position} position */
export function filled(position) {
  return [0, 1].filter((i) => !isBlank(boardOf(position, i)));
}

/** The board that single questions are about. @param {Pick<Context, "position" | "view">} context */
export function focus(context) {
  const there = filled(context.position);
  const wanted = context.view.board ?? there[0] ?? 0;
  return there.includes(wanted) ? wanted : (there[0] ?? 0);
}

/** @param {Context} context */
export const size = (context) => sizeOf(context.position);
