import { expect, test } from "vitest";

import { inWords, type OptionForm } from "./option_forms";

const form = {
  name: "attack.truce",
  label: "Truce at the start",
  group: "Attack and occupation",
  help: "A truce.",
  values: [
    { value: "0", label: "0", help: "There is no truce.", implies: [] },
    { value: "3", label: "3", help: "Three rounds.", implies: [] },
  ],
} as unknown as OptionForm;

test("an option gets the words that are there, and keeps its own where none are", () => {
  const words = inWords(form, { groups: { "Attack and occupation": "Angriff" }, options: { "attack.truce": ["Waffenruhe", "Ruhe.", { "0": ["0", "Keine."] }] } });
  expect([words.label, words.help, words.group]).toEqual(["Waffenruhe", "Ruhe.", "Angriff"]);
  expect(words.values.map((each) => each.help)).toEqual(["Keine.", "Three rounds."]);
  expect(inWords(form, { groups: {}, options: {} })).toEqual(form);
});
