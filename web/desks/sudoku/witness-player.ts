/** Playing a witness on the first board, step by step. */

import type { Context, Token } from "./model.js";
import { played as after, boardOf, boxOf, tokensOf, touched } from "./model.js";
import { words } from "./strings.js";

/** Milliseconds from step to step. */
export const PACE = 800;

/** The clock between two steps; one page, one player. */
let clock: ReturnType<typeof setTimeout> | undefined;

/** The verdict that is being played, if it still belongs to the boards. */
function steps(context: Context) {
  const reply = context.replies.same;
  return reply && !reply.stale && reply.value?.same ? reply.value.steps : null;
}

/** How many steps have been played. */
export function witnessFrame(context: Context) {
  const all = steps(context);
  return all && context.view.player ? Math.min(context.view.player.step, all.length) : 0;
}

export const isPlaying = (context: Context) => Boolean(context.view.player?.running);

/** What stands on board `i` while a witness is played, or null while it is itself. */
export function scene(
  context: Context,
  i: number,
): { tokens: Token[]; touched: Set<number>; caption: string } | null {
  const box = boxOf(context.position);
  const all = steps(context);
  const done = witnessFrame(context);
  if (i !== 0 || !all || done === 0) return null;
  let tokens = tokensOf(boardOf(context.position, 0));
  for (const step of all.slice(0, done)) tokens = after(step, tokens, box);
  return { tokens, touched: touched(all[done - 1], box), caption: words.at(done, all.length) };
}

export function go(context: Context, step: number, running: boolean = false) {
  const all = steps(context);
  if (!all) return;
  const to = Math.max(0, Math.min(all.length, step));
  const on = running && to < all.length;
  context.set({ player: to === 0 && !on ? null : { step: to, running: on } });
  clearTimeout(clock);
  if (on)
    clock = setTimeout(() => isPlaying(lastWitness(context)) && go(lastWitness(context), to + 1, true), PACE);
  if (to > 0) context.say(all[to - 1].text);
}

/** The newest context, for the clock. */
let latest: Context | undefined;
export function watch(context: Context) {
  latest = context;
}

/** What the desk is now, for a clock set earlier. */
export const lastWitness = (context: Context) => latest ?? context;

export function toggle(context: Context) {
  const all = steps(context);
  if (!all?.length) return;
  const done = witnessFrame(context);
  if (isPlaying(context)) go(context, done);
  else go(context, done === all.length ? 0 : done, true);
}
