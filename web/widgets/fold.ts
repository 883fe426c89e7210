/** Sections that fold; what is inside is made only while they are open. */

import { html, nothing } from "../vendor.js";
import type { OnToggle } from "./on.js";

/** @param toggle called when a person opens or closes it. @param kind a further class */
export function fold(
  title: string,
  open: boolean,
  toggle: (open: boolean) => void,
  body: () => unknown,
  kind = "",
) {
  return html`<details class="more ${kind}" ?open=${open} @toggle=${(e: OnToggle) => e.target.open !== open && toggle(e.target.open)}>
    <summary>${title}</summary>${open ? body() : nothing}</details>`;
}

/** A section that is open while a field of the view is set. */
export function foldFor<V extends object>(
  context: { view: V; set: (change: Partial<V>) => void },
  flag: keyof V & string,
  title: string,
  body: () => unknown,
) {
  const toggle = (open: boolean) => context.set({ [flag]: open } as Partial<V>);
  return fold(title, Boolean(context.view[flag]), toggle, body);
}
