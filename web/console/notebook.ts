/** Reading a Jupyter notebook (nbformat 4): its cells of text and of code, in order. */

const LARGEST = 5_000_000; // characters

export interface Cell {
  kind: "text" | "code";
  source: string;
}

/**
 * The cells that are not empty, or null where the text is not a notebook.
 *
 *     cellsOf('{"nbformat": 4, "cells": [{"cell_type": "code", "source": ["6 * ", "7"]}]}')
 *     // [{ kind: "code", source: "6 * 7" }]
 */
export function cellsOf(text: string): Cell[] | null {
  let read: any; // any: whatever the file holds
  try {
    read = text.length > LARGEST ? null : JSON.parse(text);
  } catch {
    return null;
  }
  if (read?.nbformat !== 4 || !Array.isArray(read.cells)) return null;
  const cells: Cell[] = [];
  for (const cell of read.cells) {
    const source = Array.isArray(cell?.source) ? cell.source.join("") : cell?.source;
    if (typeof source !== "string" || !source.trim()) continue;
    cells.push({ kind: cell.cell_type === "code" ? "code" : "text", source: source.trimEnd() });
  }
  return cells;
}
