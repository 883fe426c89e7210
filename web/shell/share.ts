/** The Share dialog: link, text, QR code, Python, embedding. */
import { embedded, pythonOf } from "../session/link.js";
import { words } from "../strings.js";
import { encodeQr, html, nothing, svg } from "../vendor.js";
import { dialogIn } from "../widgets/dialog.js";
import { copyText } from "../widgets/file.js";
import type { OnInput, OnPress } from "../widgets/on.js";
import { choice } from "../widgets/panel.js";
import type { Actions } from "./header.js";

const QR_LIMIT = 2300; // characters; longer QR codes are too fine for a phone

/**
 * links with the clues,
 *   without them, and with the player's secrets (null if the desk has none); text for a chat;
 *   pictures
 */
export type Shared = {
  address: string;
  fresh: string | null;
  secret: string | null;
  title: string;
  chat: string;
  pictures: () => Promise<File[]>;
  kind: "mine" | "fresh" | "secret";
};

export function shareDialog(link: Shared, actions: Actions): unknown {
  const address = (link.kind === "mine" ? null : link[link.kind]) ?? link.address;
  const onChange = (kind: Shared["kind"]) => actions.open(() => shareDialog({ ...link, kind }, actions));
  const kinds = (...options: [Shared["kind"], string][]) =>
    choice({ label: words.share, options, value: link.kind, onChange });
  const shut = (run: () => void) => () => {
    actions.open(null);
    run();
  };
  return dialogIn(actions, {
    title: words.share,
    body: html`
      ${link.fresh ? kinds(["mine", words.shareMine], ["fresh", words.shareFresh]) : nothing}
      ${link.secret ? kinds(["mine", words.shareOpen], ["secret", words.shareSecret]) : nothing}
      <p>${words.shareWhy}</p>
      <input class="field code" readonly aria-label=${words.share} .value=${address}
        @focus=${(event: OnInput) => event.target.select()}>
      <div class="buttons">
        ${"share" in navigator ? html`<button class="main" @click=${() => send(link, address, actions)}>${words.send}</button>` : nothing}
        <button class=${"share" in navigator ? "soft" : "main"} @click=${(event: OnPress) => copy(address, event, actions.notice)}>${words.copyLink}</button>
        <button class="soft" @click=${(event: OnPress) => copy(chatOf(link, address), event, actions.notice, words.chatCopied)}>${words.copyChat}</button>
        ${[
          [words.picture, actions.transfer.savePicture],
          [words.print, () => print()],
          [words.textView, actions.toggleText],
        ].map(
          ([label, run]) => html`<button class="soft" @click=${shut(run as () => void)}>${label}</button>`,
        )}
      </div>
      ${address.length <= QR_LIMIT ? square(address) : html`<p class="quiet">${words.qrTooLong}</p>`}
      <p class="quiet">${words.linkLength(address.length)}</p>
      <details><summary>${words.python}</summary>
        <p class="quiet">${words.pythonHow}</p>
        <textarea class="field code" rows="6" wrap="off" readonly aria-label=${words.python} .value=${pythonOf(address)}
          @focus=${(event: OnInput) => event.target.select()}></textarea>
        <div class="buttons"><button class="soft" @click=${(event: OnPress) => copy(pythonOf(address), event, actions.notice, words.pythonCopied)}>${words.copyPython}</button>
        <a class="soft" href=${`console.html${new URL(address).hash}`} target="_blank" rel="noopener">${words.openConsole}</a></div>
      </details>
      <details><summary>${words.embed}</summary>
        <p class="quiet">${words.embedHow}</p>
        <textarea class="field code" rows="4" readonly aria-label=${words.embed} .value=${frameOf(link, address)}
          @focus=${(event: OnInput) => event.target.select()}></textarea>
        <button class="soft" @click=${(event: OnPress) => copy(frameOf(link, address), event, actions.notice, words.embedCopied)}>${words.copyEmbed}</button>
      </details>`,
  });
}

/** The text for a chat: title, the desk's text, link. */
function chatOf({ chat, title, kind }: Shared, address: string) {
  return `${kind === "mine" ? chat : `${title}. ${words.name}`}\n${address}`;
}

/** The HTML of a frame with a read-only board. */
function frameOf({ title }: Shared, address: string) {
  const safe = (text: string) =>
    text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
  return `<iframe src="${safe(embedded(address))}" title="${safe(title)}" width="420" height="640" loading="lazy"></iframe>`;
}

/** Opens the device's share sheet, with the board's picture if it accepts files. */
async function send(link: Shared, address: string, actions: Actions) {
  const text = chatOf(link, "").trim();
  const files = link.kind === "mine" ? (await link.pictures().catch(() => [])).slice(-1) : [];
  const whole = { title: link.title, text, url: address };
  const withPicture = { ...whole, files };
  const data = files.length && navigator.canShare?.(withPicture) ? withPicture : whole;
  try {
    await navigator.share(data);
    actions.open(null);
  } catch (problem) {
    const gone = problem instanceof Error && problem.name === "AbortError"; // cancelled by the user
    if (!gone) actions.notice(words.notSent);
  }
}

function square(text: string) {
  const { data, size } = encodeQr(text, { ecc: "L", border: 3 });
  const dark = data.flatMap((line, y) => line.flatMap((on, x) => (on ? [`M${x} ${y}h1v1h-1z`] : [])));
  return html`<svg class="qr" viewBox=${`0 0 ${size} ${size}`} role="img" aria-label=${words.qr} shape-rendering="crispEdges">
    ${svg`<rect width=${size} height=${size} fill="#fff"></rect><path d=${dark.join("")} fill="#000"></path>`}
  </svg>`;
}

async function copy(text: string, event: OnPress, notice: Actions["notice"], done: string = words.copied) {
  const box = event.target.closest("dialog");
  const copied = await copyText(text);
  if (copied) box?.close();
  else box?.querySelector("input")?.select();
  notice(copied ? done : words.copyByHand);
}
