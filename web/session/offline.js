/**
 * Keeps the page usable offline and reports newer builds.
 *
 *   hearOfUpdates((apply, elsewhere) => offer a button that calls apply());
 *   keepOffline({ onKept: () => …, onUpdate: the same });
 *
 * The page never reloads by itself: `apply()` activates the new build and reloads. A page that was
 * open when another tab did that (`elsewhere`) keeps all files of its own build.
 */

/** @typedef {(apply: () => void, elsewhere: boolean) => void} OnUpdate */

let mine = false; // this page activates a new build

/** @param {{onKept?: () => void, onUpdate?: OnUpdate}} handlers */
export async function keepOffline({ onKept = () => {}, onUpdate = () => {} }) {
  try {
    const workers = navigator.serviceWorker; // throws in a sandboxed frame
    if (!workers) return; // insecure address or private window: online only
    const registration = await workers.register(new URL("../sw.js", import.meta.url), {
      scope: new URL("../", import.meta.url).pathname,
      updateViaCache: "none",
    });
    if (registration.waiting) offer(registration.waiting, onUpdate);
    registration.addEventListener("updatefound", () => follow(registration.installing, onUpdate));
    const { active } = await workers.ready;
    // Later visits start faster with 4.7 MB more; not with data saving on.
    const { connection } = /** @type {{connection?: {saveData?: boolean}}} */ (navigator);
    if (!connection?.saveData) active?.postMessage("start sooner");
    onKept();
  } catch {
    // storage full or forbidden, or a sandboxed frame: no service worker
  }
}

/** Checks for a newer build now. `keepOffline` offers it once downloaded; a waiting one is offered again. @param {OnUpdate} onUpdate */
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

/** Reports when another tab activates a newer build. @param {OnUpdate} onUpdate */
export function hearOfUpdates(onUpdate) {
  try {
    const workers = navigator.serviceWorker;
    let before = workers?.controller;
    workers?.addEventListener("controllerchange", () => {
      if (before && !mine) onUpdate(() => location.reload(), true); // the first activation is not an update
      before = workers.controller;
    });
  } catch {
    // a sandboxed frame has no service worker
  }
}
