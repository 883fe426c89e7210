/**
 * Files that the device's share sheet hands to the installed app. They come as a form to the service
 * worker (sw.js), which lays them into a cache of their own and sends the page on; the page takes
 * them out, and nothing of them stays.
 */

/** @returns {Promise<File[]>} what was shared just now, in its order */
export async function takeReceived() {
  const base = new URL("../", import.meta.url).href;
  const name = `cluewise ${base} shared`; // as sw.js calls it
  try {
    if (!(await caches.has(name))) return [];
    const cache = await caches.open(name);
    const kept = await Promise.all((await cache.keys()).map((request) => cache.match(request)));
    await caches.delete(name);
    return Promise.all(kept.flatMap((one) => (one ? [fileOf(one)] : [])));
  } catch {
    return []; // caches are forbidden here: then nothing was laid into them either
  }
}

/** @param {Response} response */
async function fileOf(response) {
  const data = await response.blob();
  const name = decodeURIComponent(response.headers.get("x-name") ?? "");
  return new File([data], name || "shared", { type: data.type });
}
