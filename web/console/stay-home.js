/**
 * The page's policy forbids other sites; a worker is bound by it only where the host sends it as a
 * header. So that the promise holds on every host, this worker gives up the ways out.
 */
export function stayHome() {
  const here = /** @type {any} */ (self);
  const fetched = here.fetch.bind(here);
  here.fetch = (/** @type {RequestInfo | URL} */ resource, /** @type {RequestInit} */ options) => {
    const address = new URL(resource instanceof Request ? resource.url : resource, import.meta.url);
    if (address.origin === new URL(import.meta.url).origin) return fetched(resource, options);
    return Promise.reject(new TypeError(`Cluewise asks no other site: ${address.origin} is not fetched.`));
  };
  for (const way of ["XMLHttpRequest", "WebSocket", "WebTransport", "EventSource"]) delete here[way];
}
