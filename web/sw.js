/**
 * The service worker: serves all files of a build from one cache, so that the page works offline.
 *
 * A new build is downloaded next to the old one (unchanged files are copied; each file is compared with
 * its hash) and waits until a page activates it or no page is open. Pages that are open keep their build,
 * as do their workers, until they are reloaded, so that files of two builds never mix. It never reloads a
 * page.
 *
 * Any app of an origin can delete all caches, so IndexedDB holds a second copy, by hash, of each file that
 * a start needs; a file missing from the cache is restored from there.
 */

/** Each file of the site with its hash, filled in by the build. @type {Record<string, string>} */
const FILES = /* PRECACHE */ {};
const VERSION = "/* VERSION */";
// The snapshot of Python's memory and the complete Pyodide are cached after a page's start, on its request.
const AFTER_START = /^pyodide\/(snapshot-|pyodide\.asm\.bin$)/;
// numpy, the console, the table of grid numbers, pictures of guides, and the longer documentation pages are
// cached when they are first opened.
const ON_USE =
  /^(pyodide\/(snapshot-|pyodide\.asm\.bin$|cluewise-(\d|pictures)|python_console|micropip-|packaging-|numpy-)|docs\/(pictures\/|dev-|search\.json$|((contract|api)(-\w+)?|theory|limits|licences)\.html$)|data\/|console(\.html$|\/)|engine\/(boot|snapshot)\.js$)/;
// A build without the reduced Pyodide uses the complete one from the first visit.
const isOnUse = (/** @type {string} */ name) =>
  ON_USE.test(name) && (name !== "pyodide/pyodide.asm.bin" || Object.hasOwn(FILES, "pyodide/runtime.bin"));
const MODULE = /^pyodide\/(runtime|pyodide\.asm)\.bin$/;
const INDEX = "precache.json"; // the list of a cache's files; not a file of the site
const AT_ONCE = 6;

const scope = /** @type {any} */ (self);
const base = new URL("./", scope.location.href).href;
const PREFIX = `cluewise ${base} `; // an origin may host two copies in two folders
const PAGES = `${PREFIX}pages`; // a cache: the build of each page
const PAGE = "pages/";
const SHARED = `${PREFIX}shared`; // files from the device's share sheet, until the page takes them
const MOST_SHARED = 24;

const OFFLINE_PAGE = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Not available offline · Cluewise</title>
<link rel="stylesheet" href="${base}style/tokens.css"><link rel="stylesheet" href="${base}docs/docs.css"></head>
<body><main id="text"><h1>Not available offline</h1>
<p>This page is not stored on this device, and the network cannot be reached.</p>
<p><a href="${base}index.html">Open the desks</a>, which work offline, or <a href="">try again</a>.</p></main></body>
</html>`;
const OFFLINE_PICTURE = `<svg xmlns="http://www.w3.org/2000/svg" width="320" height="120" viewBox="0 0 320 120">
<rect width="320" height="120" fill="#eceae4"/><text x="160" y="66" text-anchor="middle" font-family="sans-serif" font-size="16" fill="#45433e">Picture not available offline</text></svg>`;

/** @type {Promise<Map<string, string>> | undefined} */
let noted;

scope.addEventListener("install", (/** @type {any} */ event) => event.waitUntil(fill()));
scope.addEventListener("activate", (/** @type {any} */ event) => event.waitUntil(takeOver()));
scope.addEventListener("fetch", (/** @type {any} */ event) => {
  if (event.request.method === "POST" && event.request.url === `${base}share`) {
    event.respondWith(received(event.request));
    return;
  }
  const packed = packedModule(event.request);
  if (packed) {
    event.respondWith(buildOf(event).then((build) => unpacked(packed, build)));
    return;
  }
  const name = nameOf(event.request);
  if (name === null) {
    if (hasSubstitute(event.request)) event.respondWith(fetchOrSubstitute(event.request));
    return;
  }
  event.respondWith(answer(name, event));
  if (event.request.destination === "worker") event.waitUntil(tidy()); // the page before is gone by then
});
scope.addEventListener("message", (/** @type {any} */ event) => {
  if (event.data === "take over") scope.skipWaiting();
  if (event.data === "start sooner") event.waitUntil(cacheAfterStart());
  if (event.data === "stop downloads") {
    leaving.abort();
    event.ports[0].postMessage("stopped");
  }
});

/** The site's file that a request asks for, or null. @param {Request} request */
function nameOf(request) {
  const address = request.url.replace(/[?#].*$/, "");
  if (request.method !== "GET" || !address.startsWith(base)) return null;
  const name = decodeURI(address.slice(base.length)) || "index.html";
  return Object.hasOwn(FILES, name) ? name : null;
}

/**
 * The gzipped file of the unpacked WebAssembly module that a request asks for, or null, as for a request
 * of the gzipped file itself. @param {Request} request
 */
function packedModule({ method, url }) {
  const isOurs = url.startsWith(base) && url.endsWith(".wasm");
  const name = isOurs ? url.slice(base.length).replace(/\.wasm$/, ".bin") : "";
  return method === "GET" && MODULE.test(name) && Object.hasOwn(FILES, name) ? name : null;
}

/**
 * A module, unpacked and cached, or 404. Chromium stores compiled code only for a cached response.
 * @param {string} name @param {string} build
 */
async function unpacked(name, build) {
  const cache = await caches.open(PREFIX + build);
  const address = base + name.replace(/\.bin$/, ".wasm");
  if (!(await cache.match(address))) {
    const packed = (await cache.match(base + name)) ?? (await restore(name, build, cache));
    if (!packed?.body) return new Response(null, { status: 404 });
    const bytes = await new Response(packed.body.pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
    await cache.put(address, new Response(bytes, { headers: { "content-type": "application/wasm" } }));
  }
  return (await cache.match(address)) ?? new Response(null, { status: 404 });
}

/** Caches shared files for the page, and redirects to it with the shared texts. @param {Request} request */
async function received(request) {
  const form = await request.formData();
  const words = new URLSearchParams();
  for (const name of ["title", "text", "url"]) {
    const value = form.get(name);
    if (typeof value === "string" && value) words.set(name, value);
  }
  const files = /** @type {File[]} */ (form.getAll("files").filter((one) => typeof one !== "string"));
  await caches.delete(SHARED);
  const cache = await caches.open(SHARED);
  for (const [i, file] of files.slice(0, MOST_SHARED).entries()) {
    const headers = { "content-type": file.type, "x-name": encodeURIComponent(file.name) };
    await cache.put(`${base}shared/${String(i).padStart(2, "0")}`, new Response(file, { headers }));
  }
  return Response.redirect(`${base}?${words}`, 303);
}

/** @param {string} name @param {any} event a FetchEvent */
async function answer(name, event) {
  const build = await buildOf(event);
  const cache = await caches.open(PREFIX + build);
  const kept = (await cache.match(base + name)) ?? (await restore(name, build, cache));
  if (kept) return kept;
  const response = await fetchOrSubstitute(event.request);
  if (response.ok && build === VERSION && (isOnUse(name) || (await hashOf(response.clone())) === FILES[name]))
    await cache.put(base + name, response.clone());
  return response;
}

/** Whether a page or a picture is requested, which have an offline substitute. @param {Request} request */
function hasSubstitute({ method, url, mode, destination }) {
  return method === "GET" && url.startsWith(base) && (mode === "navigate" || destination === "image");
}

/** The host's response; without a network, the substitute. @param {Request} request */
async function fetchOrSubstitute(request) {
  try {
    return await fetch(request);
  } catch (problem) {
    if (!hasSubstitute(request)) throw problem;
    const page = request.mode === "navigate";
    const headers = { "content-type": page ? "text/html; charset=utf-8" : "image/svg+xml" };
    return new Response(page ? OFFLINE_PAGE : OFFLINE_PICTURE, { headers });
  }
}

/** The build of the requesting page; a new page or worker is noted with its build. @param {any} event */
async function buildOf({ request, clientId, resultingClientId }) {
  const builds = await pages();
  const build = (request.mode !== "navigate" && builds.get(clientId)) || VERSION;
  if (resultingClientId) await note(resultingClientId, build);
  return build;
}

/** The build of each page and worker, also of those noted before this worker was suspended. @returns {Promise<Map<string, string>>} */
function pages() {
  noted ??= (async () => {
    const cache = await caches.open(PAGES);
    const entries = (await cache.keys()).map(async (request) => {
      const build = await (await cache.match(request))?.text();
      return /** @type {[string, string]} */ ([request.url.slice((base + PAGE).length), build ?? VERSION]);
    });
    return new Map(await Promise.all(entries));
  })();
  return noted;
}

/** @param {string} client @param {string} build */
async function note(client, build) {
  (await pages()).set(client, build);
  await (await caches.open(PAGES)).put(base + PAGE + client, new Response(build));
}

async function fill() {
  const cache = await caches.open(PREFIX + VERSION);
  const before = await older();
  const names = Object.keys(FILES);
  const worker = async () => {
    for (let name = names.pop(); name; name = names.pop()) await add(cache, name, before);
  };
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
  } catch (problem) {
    await caches.delete(PREFIX + VERSION); // the next visit tries again
    throw problem;
  }
  await cache.put(base + INDEX, new Response(JSON.stringify(FILES)));
  await inStore("builds", "readwrite", (store) => store.put(FILES, VERSION));
}

/** @param {Cache} cache @param {string} name @param {{cache: Cache, files: Record<string, string>}[]} before */
async function add(cache, name, before) {
  const same = before.find((old) => old.files[name] === FILES[name]);
  const kept = (await same?.cache.match(base + name)) ?? (await copyOf(FILES[name]));
  if (!kept && isOnUse(name)) return;
  const response = kept ?? (await fetched(name));
  await cache.put(base + name, response.clone());
  if (!isOnUse(name)) await keepCopy(FILES[name], response);
}

/** @param {string} name @param {AbortSignal} [signal] */
async function fetched(name, signal) {
  const response = await fetch(base + name, { cache: "no-cache", signal });
  if (!response.ok) throw new Error(`${name} could not be fetched: ${response.status}`);
  if ((await hashOf(response.clone())) !== FILES[name])
    throw new Error(`${name} is damaged or of another build`);
  return response;
}

const leaving = new AbortController(); // a newer build waits until this worker has no work left

/** Caches the snapshot and the complete Pyodide for later visits, which otherwise start from the files. */
async function cacheAfterStart() {
  const cache = await caches.open(PREFIX + VERSION);
  for (const name of Object.keys(FILES).filter((name) => AFTER_START.test(name))) {
    if (!(await cache.match(base + name))) await cache.put(base + name, await fetched(name, leaving.signal));
  }
  await unpacked(Object.keys(FILES).findLast((name) => MODULE.test(name)) ?? "", VERSION);
}

/** @param {Response} response */
async function hashOf(response) {
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", await response.arrayBuffer()));
  return Array.from(hash.subarray(0, 8), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The complete caches of other builds. */
async function older() {
  const found = [];
  for (const key of await caches.keys()) {
    if (!key.startsWith(PREFIX) || key === PREFIX + VERSION || key === PAGES) continue;
    const cache = await caches.open(key);
    const index = await cache.match(base + INDEX);
    if (index) found.push({ cache, files: await index.json() });
  }
  return found;
}

async function takeOver() {
  const builds = await pages();
  for (const { id } of await everyone()) if (!builds.has(id)) await note(id, VERSION);
  await tidy();
  await scope.clients.claim();
}

/** Deletes records of closed pages and the caches of unused builds, unless a build is waiting. */
async function tidy() {
  const [builds, there] = [await pages(), new Set((await everyone()).map(({ id }) => id))];
  const cache = await caches.open(PAGES);
  for (const client of [...builds.keys()]) {
    if (there.has(client) || !(await isGone(client))) continue;
    builds.delete(client);
    await cache.delete(base + PAGE + client);
  }
  if (scope.registration.installing || scope.registration.waiting) return;
  const used = new Set([
    PAGES,
    SHARED,
    PREFIX + VERSION,
    ...[...builds.values()].map((build) => PREFIX + build),
  ]);
  for (const key of await caches.keys()) {
    if (key.startsWith(PREFIX) && !used.has(key)) await caches.delete(key);
  }
  await tidyCopies(new Set([VERSION, ...builds.values()]));
}

/**
 * Whether a page is closed. `matchAll` omits a page that is loading, and `get` waits for it; after a second
 * it counts as present, because its load may wait for this worker's activation: a deadlock.
 * @param {string} client
 */
async function isGone(client) {
  const loading = new Promise((resolve) => setTimeout(resolve, 1000, client));
  return (await Promise.race([scope.clients.get(client), loading])) === undefined;
}

/** Every page and worker of the site. */
function everyone() {
  return scope.clients.matchAll({ includeUncontrolled: true, type: "all" });
}

/** @type {Promise<IDBDatabase> | undefined} */
let database;

/** The database of second copies: "files" by hash, "builds" with the list of each build's files. */
function copies() {
  database ??= new Promise((resolve, reject) => {
    const request = indexedDB.open(`${PREFIX}files`, 1);
    request.onupgradeneeded = () => {
      for (const name of ["files", "builds"]) request.result.createObjectStore(name);
    };
    request.onerror = () => reject(request.error);
    request.onsuccess = () => {
      const forget = () => {
        request.result.close();
        database = undefined;
      };
      request.result.onversionchange = forget; // it is about to be deleted
      request.result.onclose = forget;
      resolve(request.result);
    };
  });
  return database;
}

/**
 * The result of one request to a store of the database; undefined if the browser has no space or forbids
 * it: then there are only the caches.
 * @template T
 * @param {"files" | "builds"} name @param {IDBTransactionMode} mode
 * @param {(store: IDBObjectStore) => IDBRequest<T>} ask
 * @returns {Promise<T | undefined>}
 */
async function inStore(name, mode, ask) {
  try {
    const transaction = (await copies()).transaction(name, mode);
    const request = ask(transaction.objectStore(name));
    return await new Promise((resolve, reject) => {
      transaction.oncomplete = () => resolve(request.result);
      transaction.onabort = () => reject(transaction.error);
    });
  } catch {
    return undefined;
  }
}

/** The copy of the file with that hash, if there is one. @param {string | undefined} hash */
async function copyOf(hash) {
  const found = hash && (await inStore("files", "readonly", (store) => store.get(hash)));
  return found ? new Response(found.bytes, { headers: found.headers }) : undefined;
}

/** @param {string} hash @param {Response} response */
async function keepCopy(hash, response) {
  if (await inStore("files", "readonly", (store) => store.count(hash))) return;
  const bytes = await response.arrayBuffer();
  const headers = [...response.headers].filter(([name]) => !/^content-(encoding|length)$/.test(name));
  await inStore("files", "readwrite", (store) => store.put({ bytes, headers }, hash));
}

/** Restores a file of a build in its cache from the copy. @param {string} name @param {string} build @param {Cache} cache */
async function restore(name, build, cache) {
  const files = build === VERSION ? FILES : await inStore("builds", "readonly", (store) => store.get(build));
  const copy = await copyOf(files?.[name]);
  if (copy) await cache.put(base + name, copy.clone());
  return copy;
}

/** Deletes the copies of files that only unused builds have. @param {Set<string>} used builds */
async function tidyCopies(used) {
  const needed = new Set(Object.values(FILES));
  for (const build of (await inStore("builds", "readonly", (store) => store.getAllKeys())) ?? []) {
    const files = await inStore("builds", "readonly", (store) => store.get(build));
    if (used.has(String(build))) for (const hash of Object.values(files ?? {})) needed.add(hash);
    else await inStore("builds", "readwrite", (store) => store.delete(build));
  }
  for (const hash of (await inStore("files", "readonly", (store) => store.getAllKeys())) ?? [])
    if (!needed.has(String(hash))) await inStore("files", "readwrite", (store) => store.delete(hash));
}
