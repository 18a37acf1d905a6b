/** How a table is played, in words: what its panel shows. */

import { api } from "../../api/client";
import { duration } from "../../parts/durations";
import type { TableView } from "../../state/lobby.svelte";
import { optionForms } from "../../state/option_forms";
import { rulesets, rulesetTexts } from "../../state/rulesets.svelte";
import { texts } from "../../texts/texts.svelte";
import { optionsOf } from "../new/rules_form.svelte";

/** What a line is about, and what it says. */
export type RulesRow = readonly [term: string, lines: readonly string[]];

/** The name of the ruleset of a table. */
export const rulesetOf = (table: TableView): string => table.ruleset.split(" ")[0] ?? "";

/** The rows of a table's rules; asks the server for what the table does not name. */
export async function rulesRows(table: TableView): Promise<readonly RulesRow[]> {
  const [all, options, settings] = await Promise.all([rulesets(), changedOptions(table.options), allSettings(table.settings)]);
  const { lobby, newGame } = texts();
  const ruleset = all.find((each) => each.name === rulesetOf(table));
  const rows: RulesRow[] = [];
  if (ruleset) rows.push([rulesetTexts(ruleset)[0], [rulesetTexts(ruleset)[1]]]);
  if (options.length > 0) rows.push([lobby.changed, options]);
  const dice = String(settings.dice);
  rows.push([lobby.time, [timeOf(settings)]], [newGame.dice, [newGame.diceHints[dice] ?? dice]]);
  return rows;
}

/** A table names only the settings that are not the default. */
async function allSettings(named: Record<string, unknown>): Promise<Record<string, unknown>> {
  const known = await api.get("/api/v1/settings");
  return { ...Object.fromEntries(known.map((each) => [each.name, each.defaults.none])), ...named };
}

/** The changed options by their labels, as far as the server names them. */
async function changedOptions(options: string | null): Promise<readonly string[]> {
  if (!options) return [];
  const forms = new Map((await optionForms()).map((form) => [form.name, form]));
  return Object.entries(optionsOf(options)).map(([name, value]) => {
    const form = forms.get(name);
    return `${form?.label ?? name}: ${form?.values.find((each) => each.value === value)?.label || value}`;
  });
}

function timeOf({ clock, decision_time, bank }: Record<string, unknown>): string {
  const text = texts().newGame;
  return clock === "none" ? text.noClock : text.withClock(duration(Number(decision_time)), duration(Number(bank)));
}
