/** The advice bar as a sentence for those who hear the page. */

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
