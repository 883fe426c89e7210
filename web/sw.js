/**
 * Cluewise without a network: every file of one build in one cache, answered from there.
 *
 * A new build is fetched beside the old one (unchanged files are copied, not fetched) and waits;
 * it takes over when the page says so or when no page is open. It never reloads anything itself.
 */

/** Each file of the site with its hash, filled in by the build. @type {Record<string, string>} */
const FILES = /* PRECACHE */ {};
const VERSION = "/* VERSION */";
// The console's own files, the guides' pictures and the contract are kept once somebody has opened them.
const ON_USE = /^(pyodide\/(python_more|micropip-|packaging-)|docs\/(pictures\/|contract\.html$)|data\/)/;
const INDEX = "precache.json"; // the list a cache was filled from; no such file is on the site
const AT_ONCE = 6;

const scope = /** @type {any} */ (self);
const base = new URL("./", scope.location.href).href;
const PREFIX = `cluewise ${base} `; // an origin may host two copies in two folders

scope.addEventListener("install", (/** @type {any} */ event) => event.waitUntil(fill()));
scope.addEventListener("activate", (/** @type {any} */ event) => event.waitUntil(takeOver()));
scope.addEventListener("fetch", (/** @type {any} */ event) => {
  const name = nameOf(event.request);
  if (name !== null) event.respondWith(answer(name, event.request));
});
scope.addEventListener("message", (/** @type {any} */ event) => {
  if (event.data === "take over") scope.skipWaiting();
});

/** The file a request is for, or null if it is none of ours. @param {Request} request */
function nameOf(request) {
  const address = request.url.replace(/[?#].*$/, "");
  if (request.method !== "GET" || !address.startsWith(base)) return null;
  const name = decodeURI(address.slice(base.length)) || "index.html";
  return name in FILES ? name : null;
}

/** @param {string} name @param {Request} request */
async function answer(name, request) {
  const cache = await caches.open(PREFIX + VERSION);
  const kept = await cache.match(base + name);
  if (kept) return kept;
  const response = await fetch(request);
  if (response.ok && ON_USE.test(name)) await cache.put(base + name, response.clone());
  return response;
}

async function fill() {
  const cache = await caches.open(PREFIX + VERSION);
  const before = await older();
  const names = Object.keys(FILES);
  const worker = async () => {
    for (let name = names.pop(); name; name = names.pop()) await add(cache, name, before);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  await cache.put(base + INDEX, new Response(JSON.stringify(FILES)));
}

/** @param {Cache} cache @param {string} name @param {{cache: Cache, files: Record<string, string>}[]} before */
async function add(cache, name, before) {
  const same = before.find((old) => old.files[name] === FILES[name]);
  const kept = await same?.cache.match(base + name);
  if (!kept && ON_USE.test(name)) return;
  const response = kept ?? (await fetch(base + name, { cache: "no-cache" }));
  if (!response.ok) throw new Error(`${name} could not be fetched: ${response.status}`);
  await cache.put(base + name, response);
}

/** The complete caches of other builds. */
async function older() {
  const found = [];
  for (const key of await caches.keys()) {
    if (!key.startsWith(PREFIX) || key === PREFIX + VERSION) continue;
    const cache = await caches.open(key);
    const index = await cache.match(base + INDEX);
    if (index) found.push({ cache, files: await index.json() });
  }
  return found;
}

async function takeOver() {
  for (const key of await caches.keys()) {
    if (key.startsWith(PREFIX) && key !== PREFIX + VERSION) await caches.delete(key);
  }
  await scope.clients.claim();
}
