/** A position as Python source, for a notebook, a script or the console. */
import { DESKS } from "../types/desks.js";

const LINK = /#\/([a-z]+)\/[\w/-]+$/;

/** `pythonOf("https://example.org/#/code/1/q1…")`; "" if it is not a link to a desk. */
export function pythonOf(address: string) {
  const [fragment, name] = LINK.exec(address) ?? [];
  const desk = DESKS.find((one) => one.name === name);
  if (!desk) return "";
  return `import cluewise
from cluewise import ${desk.name}

position = cluewise.unlink("${fragment}")
${desk.name}.${desk.verb}(position)
`;
}
