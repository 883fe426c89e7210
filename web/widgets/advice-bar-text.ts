/** The advice bar as a sentence for the live region. */

import type { Bar } from "./advice-bar.js";

/** What the bar says, for ears; "" while nothing is settled. @param before what was said, not to be said again */
export function barSpoken({ state, title, spoken, number, unit, facts = [] }: Bar, before = "") {
  if (state === "computing" || state === "waiting") return "";
  const said = spoken ?? (typeof title === "string" ? title : "");
  const about = state === "estimated" ? "≈ " : "";
  const parts = [
    said,
    number ? `${about}${number} ${unit ?? ""}`.trim() : "",
    ...facts.map((one) => one.text),
  ];
  return parts
    .filter((part) => part && !before.includes(part))
    .map((part) => part.replace(/\.$/, ""))
    .join(", ");
}

const ADVICE = new Set(["advice", "equal", "estimated", "certain", "contradiction", "finished"]);

/**
 * Return the announcement once every question is answered: the first sentence of the result, then the
 * bar. A wide screen has no bar, so there only advice is announced, without instructions.
 */
export function resultSpoken(first: string, bar: Bar | null | undefined, narrow: boolean) {
  const line = bar && (narrow || ADVICE.has(bar.state)) ? barSpoken(bar, first) : "";
  return [first && !first.endsWith(".") ? `${first}.` : first, line].filter(Boolean).join(" ");
}
