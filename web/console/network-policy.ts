/**
 * Blocks network access from the console's Python.
 *
 * The page's content security policy forbids other sites. A worker normally has the policy in the
 * HTTP header of its script, and many hosts send none. A worker created from a blob inherits the
 * page's policy on every host. The policy allows only blob workers, so their own workers inherit it
 * too. `isBound` checks whether the browser enforces this.
 */

/**
 * The console's worker, with this page's policy. Its script is imported dynamically: static imports
 * of a worker count as workers, and the policy allows only blobs.
 */
export function boundWorker() {
  const script = JSON.stringify(new URL("./worker.js", import.meta.url).href);
  const text = `import(${script}).catch((problem) => setTimeout(() => { throw problem; }));`;
  const address = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
  return new Worker(address, { type: "module" });
}

/** Whether this worker has a policy like the page's, which forbids code from strings. */
export function isBound() {
  try {
    new Function("");
    return false;
  } catch {
    return true;
  }
}

/** Makes `fetch` to other sites fail with a clear message and removes other network interfaces; also a fallback where the policy is not enforced. */
export function stayHome() {
  const here = self as any; // any: its interfaces are deleted by name
  const fetched = here.fetch.bind(here);
  here.fetch = (resource: RequestInfo | URL, options: RequestInit | undefined) => {
    const address = new URL(resource instanceof Request ? resource.url : resource, import.meta.url);
    if (address.origin === new URL(import.meta.url).origin) return fetched(resource, options);
    return Promise.reject(new TypeError(`The console blocks requests to other sites (${address.origin}).`));
  };
  for (const way of ["XMLHttpRequest", "WebSocket", "WebTransport", "EventSource"]) delete here[way];
}
