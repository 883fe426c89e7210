/**
 * Messages between tabs: new records as soon as they are stored. Without BroadcastChannel, tabs read
 * storage when they are opened or shown again.
 */

/** @typedef {{tell: (entries: import("./store.js").Entry[]) => void}} Tabs */

/** @param {(entries: import("./store.js").Entry[]) => void} onNews @returns {Tabs} */
export function tabs(onNews) {
  /** @type {BroadcastChannel | null} */
  let channel = null;
  try {
    channel = new BroadcastChannel("cluewise");
    channel.onmessage = ({ data }) => {
      if (Array.isArray(data) && data.every((one) => Array.isArray(one) && typeof one[0] === "string"))
        onNews(data);
    };
  } catch {
    // not supported, or refused in a cross-origin frame
  }
  return {
    tell(entries) {
      if (entries.length) channel?.postMessage(entries);
    },
  };
}
