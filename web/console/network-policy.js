/**
 * That nothing typed into the console leaves the browser.
 *
 * The page's policy forbids other sites, but a worker is bound by the policy that comes as a header
 * with its own script, and many hosts send none. A worker made from a blob is bound by the policy of
 * the page that made it, on every host, and so is every worker that such a worker may make, since
 * the console's policy lets it make only those. `isBound` asks the browser whether it is so here.
 */

/**
 * The console's worker, bound by this page's policy. Its script is imported once it runs: what a
 * worker imports before counts as a worker too, of which the policy allows blobs alone.
 */
export function boundWorker() {
  const script = JSON.stringify(new URL("./worker.js", import.meta.url).href);
  const text = `import(${script}).catch((problem) => setTimeout(() => { throw problem; }));`;
  const address = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
  return new Worker(address, { type: "module" });
}

/** Whether this worker is bound by a policy like the page's: it forbids to make programs of texts. */
export function isBound() {
  try {
    new Function("");
    return false;
  } catch {
    return true;
  }
}

/** Where the policy holds this is a sentence instead of a bare refusal; where it does not, the plain ways are shut. */
export function stayHome() {
  const here = /** @type {any} any: names are taken away that its type promises */ (self);
  const fetched = here.fetch.bind(here);
  here.fetch = (/** @type {RequestInfo | URL} */ resource, /** @type {RequestInit} */ options) => {
    const address = new URL(resource instanceof Request ? resource.url : resource, import.meta.url);
    if (address.origin === new URL(import.meta.url).origin) return fetched(resource, options);
    return Promise.reject(new TypeError(`Cluewise asks no other site: ${address.origin} is not fetched.`));
  };
  for (const way of ["XMLHttpRequest", "WebSocket", "WebTransport", "EventSource"]) delete here[way];
}
