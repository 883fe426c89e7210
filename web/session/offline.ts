/**
 * Keeps the page usable offline and reports newer builds.
 *
 *   watchUpdates((apply, elsewhere) => offer a button that calls apply());
 *   keepOffline(the same);
 *
 * The page never reloads by itself: `apply()` activates the new build and reloads. A page that was
 * open when another tab did that (`elsewhere`) keeps all files of its own build.
 */

type OnUpdate = (apply: () => void, elsewhere: boolean) => void;

let mine = false; // this page activates a new build

export async function keepOffline(onUpdate: OnUpdate) {
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
    const { connection } = navigator as { connection?: { saveData?: boolean } };
    if (!connection?.saveData) active?.postMessage("start sooner");
  } catch {
    // storage full or forbidden, or a sandboxed frame: no service worker
  }
}

/** Checks for a newer build now. `keepOffline` offers it once downloaded; a waiting one is offered again. */
export async function lookForUpdate(onUpdate: OnUpdate) {
  try {
    const registration = await navigator.serviceWorker?.getRegistration();
    if (registration?.waiting) offer(registration.waiting, onUpdate);
    else await registration?.update();
  } catch {
    // offline, or a sandboxed frame
  }
}

function follow(worker: ServiceWorker | null, onUpdate: OnUpdate) {
  worker?.addEventListener("statechange", () => {
    const update = navigator.serviceWorker.controller !== null;
    if (worker.state === "installed" && update) offer(worker, onUpdate);
  });
}

function offer(worker: ServiceWorker, onUpdate: OnUpdate) {
  onUpdate(async () => {
    mine = true;
    navigator.serviceWorker.addEventListener("controllerchange", () => location.reload(), { once: true });
    await stopDownloads(navigator.serviceWorker.controller);
    worker.postMessage("take over");
  }, false);
}

/**
 * A new worker is activated once the active one has no work left. Chromium ends an active worker that
 * is running at once, but waits half a minute for one that is only being started: hence the answer.
 */
async function stopDownloads(active: ServiceWorker | null) {
  const { port1, port2 } = new MessageChannel();
  let late = 0;
  const stopped = new Promise((resolve) => {
    port1.onmessage = resolve;
    late = setTimeout(resolve, 5000); // an older build does not answer
  });
  active?.postMessage("stop downloads", [port2]);
  await stopped;
  clearTimeout(late);
  port1.close();
}

/** Reports when another tab activates a newer build. */
export function watchUpdates(onUpdate: OnUpdate) {
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

/**
 * Files from the device's share sheet, in order: the service worker received them as a form and keeps
 * them in a cache, from which they are taken.
 */
export async function takeReceived(): Promise<File[]> {
  const base = new URL("../", import.meta.url).href;
  const name = `cluewise ${base} shared`; // the name in sw.js
  try {
    if (!(await caches.has(name))) return [];
    const cache = await caches.open(name);
    const kept = await Promise.all((await cache.keys()).map((request) => cache.match(request)));
    await caches.delete(name);
    return Promise.all(kept.flatMap((one) => (one ? [fileOf(one)] : [])));
  } catch {
    return []; // no caches, so no files either
  }
}

async function fileOf(response: Response) {
  const data = await response.blob();
  const name = decodeURIComponent(response.headers.get("x-name") ?? "");
  return new File([data], name || "shared", { type: data.type });
}
