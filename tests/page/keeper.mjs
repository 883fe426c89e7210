/** A browser in small, for the tests of what is kept: one storage and the tabs that share it. */
import { Keeping } from "../../web/session/persistence.js";

/** A page that takes any position with a number `n`. */
export const PAGE = {
  accept(position) {
    if (!Number.isInteger(position.n)) throw new Error("This is no position.");
    return { ...position };
  },
};

export class Browser {
  constructor(kept = {}) {
    this.kept = new Map(Object.entries(structuredClone(kept)));
    this.tabs = [];
    this.full = false;
  }

  /** A tab with its own keeper; what it tells waits in `mail`, what storage refuses in `memory`, as store.js has it. */
  tab(name = `t${this.tabs.length}`) {
    const memory = new Map();
    const put = (all, entries) => {
      for (const [key, value] of structuredClone(entries))
        if (value === undefined) all.delete(key);
        else all.set(key, value);
    };
    const store = {
      under: async (first, last = `${first}\uffff`) => {
        const kept = new Map(this.kept);
        put(kept, [...memory]);
        return structuredClone([...kept].filter(([key]) => key >= first && key <= last));
      },
      write: async (entries) => {
        for (const [key, value] of structuredClone(entries)) memory.set(key, value);
        if (this.full || tab.refused) return false;
        put(this.kept, [...memory]);
        memory.clear();
        return true;
      },
      tab: () => name,
    };
    const tell = (entries) => {
      for (const other of this.tabs) if (other !== tab) other.mail.push(structuredClone(entries));
    };
    const tab = { keeping: new Keeping(store, tell), mail: [], history: null, view: {}, refused: false };
    this.tabs.push(tab);
    return tab;
  }
}

/** Numbers from a seed (mulberry32): `dice(6)` is 0 to 5. */
export function diceFrom(seed) {
  let state = seed;
  return (sides) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return (((t ^ (t >>> 14)) >>> 0) % 0x7fffffff) % sides;
  };
}
