/** The link to a position: to copy, to scan from another phone. */
import { encodeQr, html, nothing, svg } from "../vendor.js";
import { dialog } from "../widgets/dialog.js";
import { words } from "../words.js";

/** @typedef {import("./frame.js").Actions} Actions */

const QR_LIMIT = 2300; // characters; beyond it the squares are too small for a phone to read

/**
 * @param {{address: string, fresh: string | null, secret: string | null,
 *   kind: "mine" | "fresh" | "secret"}} link the address with the clues; the same puzzle without
 *   them, and with what only this player knows, where the desk has such a thing
 * @param {Actions} actions
 * @returns {unknown}
 */
export function shareDialog(link, actions) {
  const address = (link.kind === "mine" ? null : link[link.kind]) ?? link.address;
  const turn = (/** @type {"mine" | "fresh" | "secret"} */ kind) => () =>
    actions.open(() => shareDialog({ ...link, kind }, actions));
  return dialog({
    title: words.share,
    close: words.close,
    onClose: () => actions.open(null),
    body: html`
      ${
        link.fresh
          ? html`<div class="seg" role="group" aria-label=${words.share}>
          <button aria-pressed=${link.kind === "mine"} @click=${turn("mine")}>${words.shareMine}</button>
          <button aria-pressed=${link.kind === "fresh"} @click=${turn("fresh")}>${words.shareFresh}</button></div>`
          : nothing
      }
      ${
        link.secret
          ? html`<div class="seg" role="group" aria-label=${words.share}>
          <button aria-pressed=${link.kind === "mine"} @click=${turn("mine")}>${words.shareOpen}</button>
          <button aria-pressed=${link.kind === "secret"} @click=${turn("secret")}>${words.shareSecret}</button></div>`
          : nothing
      }
      <p>${words.shareWhy}</p>
      <input class="field code" readonly aria-label=${words.share} .value=${address}
        @focus=${(/** @type {any} */ event) => event.target.select()}>
      <button class="main" @click=${(/** @type {any} */ event) => copy(address, event, actions.notice)}>${words.copyLink}</button>
      ${address.length <= QR_LIMIT ? square(address) : html`<p class="quiet">${words.qrTooLong}</p>`}
      <p class="quiet">${words.linkLength(address.length)}</p>`,
  });
}

/** @param {string} text */
function square(text) {
  const { data, size } = encodeQr(text, { ecc: "L", border: 3 });
  const dark = data.flatMap((line, y) => line.flatMap((on, x) => (on ? [`M${x} ${y}h1v1h-1z`] : [])));
  return html`<svg class="qr" viewBox=${`0 0 ${size} ${size}`} role="img" aria-label=${words.qr} shape-rendering="crispEdges">
    ${svg`<rect width=${size} height=${size} fill="#fff"></rect><path d=${dark.join("")} fill="#000"></path>`}
  </svg>`;
}

/** @param {string} text @param {any} event @param {Actions["notice"]} notice */
async function copy(text, event, notice) {
  const box = event.target.closest("dialog");
  try {
    await navigator.clipboard.writeText(text);
    box?.close();
    notice(words.copied);
  } catch {
    box?.querySelector("input")?.select();
    notice(words.copyByHand);
  }
}
