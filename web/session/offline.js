/**
 * Keeping the page usable without a network, and telling when a newer build waits.
 *
 *   keepOffline({ onKept: () => …, onUpdate: (apply) => offer a button that calls apply() })
 *
 * Nothing reloads by itself: `apply()` lets the new build take over, then reloads this page.
 */

/** @param {{onKept?: () => void, onUpdate?: (apply: () => void) => void}} handlers */
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
    await workers.ready;
    onKept();
  } catch {
    // Storage is full or forbidden, or this is a sandboxed frame: the same as having no service worker.
  }
}

/** @param {ServiceWorker | null} worker @param {(apply: () => void) => void} onUpdate */
function follow(worker, onUpdate) {
  worker?.addEventListener("statechange", () => {
    const update = navigator.serviceWorker.controller !== null;
    if (worker.state === "installed" && update) offer(worker, onUpdate);
  });
}

/** @param {ServiceWorker} worker @param {(apply: () => void) => void} onUpdate */
function offer(worker, onUpdate) {
  onUpdate(() => {
    navigator.serviceWorker.addEventListener("controllerchange", () => location.reload(), { once: true });
    worker.postMessage("take over");
  });
}
