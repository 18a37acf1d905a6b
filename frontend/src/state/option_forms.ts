/** The options of the rules as a form shows them, in the language of the person. */

import { api, type Answer } from "../api/client";
import german from "../texts/de/options.json?url"; // data, not script: few people need it
import { device, type Language } from "./device.svelte";

export type OptionForm = Answer<"/api/v1/options", "get">[number];
type Named = readonly [label: string, help: string];

/** The words of the options in a language that the server does not speak. */
export interface OptionTexts {
  readonly groups: Readonly<Record<string, string>>;
  readonly options: Readonly<Record<string, readonly [label: string, help: string, values: Readonly<Record<string, Named>>]>>;
}

/** All options; the server words them in English. */
export async function optionForms(language: Language = device.choices.language): Promise<readonly OptionForm[]> {
  const asked = api.get("/api/v1/options");
  if (language === "en") return asked;
  const [forms, texts] = await Promise.all([asked, germanTexts()]);
  return forms.map((form) => inWords(form, texts));
}

let known: Promise<OptionTexts> | null = null;

/** Loaded once; asked for again after a failure. */
function germanTexts(): Promise<OptionTexts> {
  if (known === null) {
    known = fetch(german).then((answer) => answer.json() as Promise<OptionTexts>);
    known.catch(() => (known = null));
  }
  return known;
}

/** An option with other words; what has none keeps those of the server. */
export function inWords(form: OptionForm, texts: OptionTexts): OptionForm {
  const [label, help, values] = texts.options[form.name] ?? [form.label, form.help, {}];
  return {
    ...form,
    label,
    help,
    group: texts.groups[form.group] ?? form.group,
    values: form.values.map((each) => {
      const [label, help] = values[each.value] ?? [each.label, each.help];
      return { ...each, label, help };
    }),
  };
}
