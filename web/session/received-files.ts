/**
 * Files from the device's share sheet. The service worker (sw.js) receives them as a form and stores
 * them in a cache; the page reads and deletes them.
 */

/** @returns the shared files in order */
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
