/** Orders as the map shows them, and as the map writes them. */

import type { Answer } from "../../api/client";
import type { Arrow } from "../../map/types";

export type Explanation = Answer<"/api/v1/games/{game}/orders/explain", "post">;
export type Preview = Answer<"/api/v1/games/{game}/orders/preview", "post">;
export type ExplainedOrder = Explanation["each"][number];

const PATH = /\b(ATTACK|FORTIFY|MANOEUVRE) (\w+(?: -> \w+)+)/g;
const PLACED = /(\d+) (\w+)/g;

/** The arrows of orders, with their numbers. */
export function plannedArrows(orders: readonly ExplainedOrder[]): Arrow[] {
  return orders.flatMap(({ number, text }) =>
    [...text.matchAll(PATH)].flatMap(([, verb, path]) => {
      const stops = (path ?? "").split(" -> ");
      const kind = verb === "ATTACK" ? ("attack" as const) : ("move" as const);
      return stops.slice(1).map((to, index) => ({ from: stops[index]!, to, kind, step: number }));
    }),
  );
}

/** Armies that orders place, by territory, as far as they are given as numbers. */
export function plannedPlacements(orders: readonly ExplainedOrder[]): Record<string, number> {
  const found: Record<string, number> = {};
  for (const { text } of orders) {
    if (!text.startsWith("DEPLOY ")) continue;
    for (const [, armies, territory] of text.matchAll(PLACED)) found[territory!] = (found[territory!] ?? 0) + Number(armies);
  }
  return found;
}

/** The text with one more army on a territory. */
export function withPlacement(text: string, territory: string): string {
  const lines = text.split("\n");
  const index = lines.findIndex((line) => /^\s*DEPLOY \d/.test(line));
  if (index < 0) return withLine(text, `DEPLOY 1 ${territory}`, true);
  const here = new RegExp(`(\\d+) ${territory}\\b`);
  const line = lines[index]!;
  const more = here.test(line)
    ? line.replace(here, (_, armies: string) => `${Number(armies) + 1} ${territory}`)
    : `${line.trimEnd()}, 1 ${territory}`;
  return lines.with(index, more).join("\n");
}

/** The text with another line: before its END, or as the first one. */
export function withLine(text: string, line: string, first = false): string {
  const lines = text.trim() === "" ? ["END"] : text.trimEnd().split("\n");
  const end = lines.findIndex((each) => /^\s*END\s*$/i.test(each));
  lines.splice(first ? 0 : end < 0 ? lines.length : end, 0, line);
  return lines.join("\n");
}

/** The order for an arrow that was drawn on the map, given the arrows before it. */
export function orderFor(from: string, to: string, own: (territory: string) => boolean, before: readonly Arrow[]): string {
  const taken = before.filter(({ kind }) => kind === "attack").at(-1)?.to;
  if (own(to)) return `FORTIFY ${from} -> ${to} ALL BUT 1`;
  return `${taken === from ? "IF WON: " : ""}ATTACK ${from} -> ${to} UNTIL LEFT 3 ADVANCE ALL BUT 1`;
}

const VERBS: Readonly<Record<string, string>> = { place: "DEPLOY", attack: "ATTACK", rolled: "ATTACK", fortify: "FORTIFY", trade: "TRADE" };

/** The number of the order that an event of the log comes from; null where none fits. */
export function orderOf(event: Readonly<Record<string, unknown>>, orders: readonly ExplainedOrder[]): number | null {
  const words = event.event === "decided" ? String(event.action).split(" ") : [String(event.event), String(event.source), String(event.target)];
  const verb = VERBS[words[0] ?? ""];
  if (verb === undefined) return null;
  const named = words.slice(1).filter((word) => /^[a-z]\w+$/.test(word));
  const fits = ({ text }: ExplainedOrder) => text.includes(verb) && named.every((name) => new RegExp(`\\b${name}\\b`).test(text));
  return orders.find(fits)?.number ?? null;
}
