/**
 * What the tabs of this browser tell each other: records, as soon as they are kept. A browser
 * without channels has tabs that meet in storage only, when one is opened or looked at again.
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
    // Not here, or refused in a frame of another origin.
  }
  return {
    tell(entries) {
      if (entries.length) channel?.postMessage(entries);
    },
  };
}
