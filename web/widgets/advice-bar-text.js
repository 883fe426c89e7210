/** The advice bar as a sentence for the live region. */

/** What the bar says, for ears; "" while nothing is settled. @param {import("./advice-bar.js").Bar} bar */
export function barSpoken({ state, title, spoken, number, unit, facts = [] }) {
  if (state === "computing" || state === "waiting") return "";
  const said = spoken ?? (typeof title === "string" ? title : "");
  const about = state === "estimated" ? "≈ " : "";
  const parts = [
    said,
    number ? `${about}${number} ${unit ?? ""}`.trim() : "",
    ...facts.map((one) => one.text),
  ];
  return parts.filter(Boolean).join(", ");
}

const ADVICE = new Set(["advice", "equal", "estimated", "certain", "contradiction", "finished"]);

/**
 * Return the announcement once every question is answered: the first sentence of the result, then the
 * bar. A wide screen has no bar, so there only advice is announced, without instructions.
 * @param {string} first @param {import("./advice-bar.js").Bar | null | undefined} bar @param {boolean} narrow
 */
export function resultSpoken(first, bar, narrow) {
  const line = bar && (narrow || ADVICE.has(bar.state)) ? barSpoken(bar) : "";
  return [first, line].filter(Boolean).join(" ");
}
