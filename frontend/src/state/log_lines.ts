/** The lines of a game's log that the page keeps. */

import type { LogLine } from "./game.svelte";

/** A log with more lines, in their order and each once; of more than `most`, the newest. */
export function withLines(log: readonly LogLine[], lines: readonly LogLine[], most: number): readonly LogLine[] {
  const last = log.at(-1)?.index ?? -1;
  const inOrder = lines.every((line, place) => line.index > (place === 0 ? last : lines[place - 1]!.index));
  if (inOrder) return lines.length === 0 ? log : [...log, ...lines].slice(-most);
  const known = new Map([...lines, ...log].map((line) => [line.index, line]));
  return [...known.values()].sort((one, other) => one.index - other.index).slice(-most);
}
