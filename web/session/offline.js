/**
 * Keeping the page usable without a network, and telling when a newer build waits.
 *
 *   hearOfUpdates((apply, elsewhere) => offer a button that calls apply());
 *   keepOffline({ onKept: () => …, onUpdate: the same });
 *
 * Nothing reloads by itself: `apply()` lets the new build take over, then reloads this page. A page
 * that was open when another one did that (`elsewhere`) goes on with all files of its own build.
 */

/** @typedef {(apply: () => void, elsewhere: boolean) => void} OnUpdate */

let mine = false; // this page itself lets a new build take over

/** @param {{onKept?: () => void, onUpdate?: OnUpdate}} handlers */
export async function keepOffline({ onKept = () => {}, onUpdate = () => {} }) {
  try {
    const workers = navigator.serviceWorker; // a sandboxed frame throws already here
    if (!workers) return; // an insecure address or a private window: the page works, online only
    const registration = await workers.register(new URL("../sw.js", import.meta.url), {
      scope: new URL("../", import.meta.url).pathname,
      updateViaCache: "none",
    });
    if (registration.waiting) offer(registration.waiting, onUpdate);
    registration.addEventListener("updatefound", () => follow(registration.installing, onUpdate));
    const { active } = await workers.ready;
    // Later visits start sooner with 4.7 MB more, which not everybody's line has to spare.
    const { connection } = /** @type {{connection?: {saveData?: boolean}}} */ (navigator);
    if (!connection?.saveData) active?.postMessage("start sooner");
    onKept();
  } catch {
    // Storage is full or forbidden, or this is a sandboxed frame: the same as having no service worker.
  }
}

/** Ask the host for a newer build now. `keepOffline` offers it when it is there; one that waits already is offered again. @param {OnUpdate} onUpdate */
export async function lookForUpdate(onUpdate) {
  try {
    const registration = await navigator.serviceWorker?.getRegistration();
    if (registration?.waiting) offer(registration.waiting, onUpdate);
    else await registration?.update();
  } catch {
    // offline, or a sandboxed frame
  }
}

/** @param {ServiceWorker | null} worker @param {OnUpdate} onUpdate */
function follow(worker, onUpdate) {
  worker?.addEventListener("statechange", () => {
    const update = navigator.serviceWorker.controller !== null;
    if (worker.state === "installed" && update) offer(worker, onUpdate);
  });
}

/** @param {ServiceWorker} worker @param {OnUpdate} onUpdate */
function offer(worker, onUpdate) {
  onUpdate(() => {
    mine = true;
    navigator.serviceWorker.addEventListener("controllerchange", () => location.reload(), { once: true });
    worker.postMessage("take over");
  }, false);
}

/** From the start on, say when another tab lets a newer build take over. @param {OnUpdate} onUpdate */
export function hearOfUpdates(onUpdate) {
  try {
    const workers = navigator.serviceWorker;
    let before = workers?.controller;
    workers?.addEventListener("controllerchange", () => {
      if (before && !mine) onUpdate(() => location.reload(), true); // the very first is no news
      before = workers.controller;
    });
  } catch {
    // a sandboxed frame has no service worker
  }
}
