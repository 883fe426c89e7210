/** The advice bar: the verdict with its steps, or what is missing for one. */
import { html, nothing } from "../../vendor.js";
import type { Bar } from "../../widgets/advice-bar.js";
import { pendingBar } from "../../widgets/advice-bar.js";
import { boardTools, still } from "./board-panel.js";
import { pasteDialog, rulesDialog, shapeDialog } from "./dialogs.js";
import type { Alike, Context, Unlike } from "./model.js";
import { clashes, filled } from "./model.js";
import { words } from "./strings.js";
import { playTo, verdict, witnessFrame } from "./verdict.js";

export function bar(context: Context): Bar {
  const { position } = context;
  const there = filled(position);
  const paste = { label: words.bar.paste, run: () => context.open(() => pasteDialog(context)) };
  for (const i of there) {
    const [cell] = clashes(position, i);
    if (cell !== undefined)
      return {
        state: "contradiction",
        title: words.bar.clash,
        facts: [{ text: words.bar.twice }],
        act: { label: words.bar.show, run: () => context.set({ at: { board: i, cell }, ...still }) },
      };
  }
  // Not marked as an edit, which closes the sheet: the dialog replaces it.
  const tools = context.readOnly
    ? nothing
    : html`<div class="row wrap">
      <button class="soft" @click=${() => context.open(() => rulesDialog(context))}>${words.rulesTitle}</button>
      <button class="soft" @click=${() => context.open(() => shapeDialog(context))}>${words.changeShape}</button></div>`;
  const sheet = () => [boardTools(context), tools, verdict(context)];
  if (there.length < 2) return { ...single(context, there), act: paste, sheet };
  const late = pendingBar(context, "same", words.bar.comparing);
  return late ? { ...late, sheet } : { ...compared(context), sheet };
}

function single({ replies }: Context, there: number[]): Bar {
  if (!there.length) return { state: "input", title: words.bar.empty, facts: [{ text: words.bar.type }] };
  const solved = replies[`solve${there[0]}`];
  const found = solved?.value?.solutions;
  const text = words.solutions[found as keyof typeof words.solutions];
  return {
    state: "input",
    title: words.bar.second,
    facts: [...(text ? [{ text }] : []), { text: words.bar.another }],
  };
}

/** @param context with a verdict */
function compared(context: Context): Bar {
  const found = context.replies.same?.value as Alike | Unlike;
  if (!found.same)
    return { state: "certain", title: words.verdict(found), facts: [{ text: found.because.text }] };
  const done = witnessFrame(context);
  const n = found.steps.length;
  const over = done === n;
  const facts = done
    ? [{ text: `${words.at(done, n)}: ${found.steps[done - 1].text}` }]
    : [{ text: words.bar.steps(n), tone: "good" as const }];
  return {
    state: over && n ? "finished" : "certain",
    title: words.verdict(found),
    facts,
    act: n
      ? { label: over ? words.bar.again : words.bar.next, run: () => playTo(context, over ? 0 : done + 1) }
      : undefined,
  };
}
