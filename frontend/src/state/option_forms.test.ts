import { expect, it } from "vitest";

import * as german from "../texts/de/options";
import { inWords, type OptionForm } from "./option_forms";

const form = (more: Partial<OptionForm>) => ({ name: "", label: "", group: "", help: "", values: [], ...more }) as unknown as OptionForm;

it("says label, help, group and values of an option in German", () => {
  const values = [{ value: "fixed", label: "Always 5", help: "Always 5.", implies: [] }];
  const [found] = inWords([form({ name: "cards.values", group: "Cards", label: "Sets of cards bring", values })], german);
  expect([found?.label, found?.group]).toEqual(["Kartensätze bringen", "Karten"]);
  expect(found?.values[0]?.label).toBe("Immer 5");
});

it("keeps the server's words where there are no others", () => {
  const [found] = inWords([form({ name: "new.option", label: "New" })], german);
  expect(found?.label).toBe("New");
});
