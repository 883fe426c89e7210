/**
 * Messages between tabs: new records as soon as they are stored. Without BroadcastChannel, tabs read
 * storage when they are opened or shown again.
 */

import type { Entry } from "./store.js";

export type Tabs = { tell: (entries: Entry[]) => void };

export function tabs(onNews: (entries: Entry[]) => void): Tabs {
  let channel: BroadcastChannel | null = null;
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
