/** The options of the rules, as forms show them, in the language of the app. */

import { api, type Answer } from "../api/client";
import { device } from "./device.svelte";

export type OptionForm = Answer<"/api/v1/options", "get">[number];

interface Words {
  readonly options: Readonly<Record<string, { readonly label: string; readonly help: string; readonly values: Readonly<Record<string, readonly [string, string]>> }>>;
  readonly groups: Readonly<Record<string, string>>;
}

/** The server's forms are English; an option that has no other words keeps them. */
export function inWords(forms: readonly OptionForm[], { options, groups }: Words): OptionForm[] {
  return forms.map((form) => {
    const words = options[form.name];
    if (words === undefined) return form;
    const values = form.values.map((each) => {
      const [label, help] = words.values[each.value] ?? [each.label, each.help];
      return { ...each, label, help };
    });
    return { ...form, label: words.label, help: words.help, group: groups[form.group] ?? form.group, values };
  });
}

/** All options. */
export async function optionForms(): Promise<readonly OptionForm[]> {
  const forms = await api.get("/api/v1/options");
  return device.choices.language === "de" ? inWords(forms, await import("../texts/de/options")) : forms;
}
