/** The rulesets of the server, and the quick set-up that each of them allows. */

import { api, type Answer } from "../api/client";
import { texts } from "../texts/texts.svelte";

export type RulesetSummary = Answer<"/api/v1/rulesets", "get">[number];

let asked: Promise<readonly RulesetSummary[]> | null = null;

/** All rulesets; asked for again after a failure. */
export function rulesets(): Promise<readonly RulesetSummary[]> {
  if (asked === null) {
    asked = api.get("/api/v1/rulesets");
    asked.catch(() => (asked = null));
  }
  return asked;
}

/** The numbers of players under a ruleset, given its lowest and its highest. */
export function playerNumbers([low = 2, high = 6]: readonly number[]): number[] {
  return Array.from({ length: high - low + 1 }, (_, index) => low + index);
}

/** Name and line of a ruleset in the language of the app. */
export function rulesetTexts(ruleset: { name: string; label: string; description?: string }): [label: string, line: string] {
  return texts().rulesets[ruleset.name] ?? [ruleset.label, ruleset.description ?? ""];
}

/** Set-ups with few steps, the shortest first. */
const QUICK: readonly Record<string, string>[] = [
  { "setup.claim": "random", "setup.place": "all_at_once" },
  { "setup.place": "all_at_once" },
];

/** Whether territories are chosen in turn even in the quick set-up of a ruleset. */
export async function quickDrafts(ruleset: string): Promise<boolean> {
  const options = await quickOptions(ruleset);
  return "setup.place" in options && !("setup.claim" in options);
}

/** The options of the shortest set-up under which nothing else of a ruleset changes. */
export async function quickOptions(ruleset: string): Promise<Record<string, string>> {
  for (const options of QUICK) {
    const body = { ruleset, options, rulebook: false };
    const checked = await api.post("/api/v1/rulesets/check", { body });
    if (checked.possible && Object.keys(checked.differences).every((name) => name in options)) return options;
  }
  return {};
}
