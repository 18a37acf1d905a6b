import { afterEach, beforeEach, expect, it, vi } from "vitest";

import type { OptionForm } from "../../state/option_forms";
import { optionsOf, RulesForm } from "./rules_form.svelte";

const BOOK: Record<string, string> = { "setup.claim": "draft", "setup.place": "one_each_round", "cards.deck": "44" };

/** A server that knows three options, and refuses one value. */
function answer(init: RequestInit): Response {
  const { options } = JSON.parse(String(init.body)) as { options: Record<string, string> };
  const problems = options["cards.deck"] === "none" ? [{ message: "No deck.", suggestion: "Choose 44.", options: ["cards.deck"] }] : [];
  const body = {
    possible: problems.length === 0,
    problems,
    players: problems.length === 0 ? [3, 6] : [],
    options: Object.entries(BOOK).map(([name, preset]) => ({ name, preset, value: options[name] ?? preset })),
    differences: options,
  };
  return new Response(JSON.stringify(body), { headers: { "content-type": "application/json" } });
}

beforeEach(() => vi.stubGlobal("fetch", async (_: string, init: RequestInit) => answer(init)));
afterEach(() => vi.unstubAllGlobals());

async function opened(): Promise<RulesForm> {
  const form = new RulesForm();
  await vi.waitFor(() => expect(form.checked !== null && form.canBeQuick).toBe(true));
  return form;
}

it("keeps only what differs from the book", async () => {
  const form = await opened();
  form.set("setup.claim", "random");
  expect(form.changed).toEqual({ "setup.claim": "random" });
  form.set("setup.claim", "draft");
  expect(form.changed).toEqual({});
});

it("tells of an impossible choice, and resets one option", async () => {
  const form = await opened();
  form.set("setup.claim", "random");
  form.set("cards.deck", "none");
  await vi.waitFor(() => expect(form.possible).toBe(false));
  expect(form.players).toBeNull();
  form.reset("cards.deck");
  await vi.waitFor(() => expect(form.possible).toBe(true));
  expect(form.changed).toEqual({ "setup.claim": "random" });
});

it("sets the options of the quick set-up, and no others", async () => {
  const form = await opened();
  form.set("cards.deck", "42");
  form.setQuick(true);
  await vi.waitFor(() => expect(form.quick).toBe(true));
  expect(form.changed).toEqual({ "cards.deck": "42", "setup.claim": "random", "setup.place": "all_at_once" });
  form.setQuick(false);
  expect(form.changed).toEqual({ "cards.deck": "42" });
});

it("begins with the quick set-up where that is wanted, until it is switched off", async () => {
  const form = new RulesForm("classic", undefined, true);
  await vi.waitFor(() => expect(form.quick).toBe(true));
  form.setQuick(false);
  form.choose("digest");
  await vi.waitFor(() => expect(form.canBeQuick).toBe(true));
  expect(form.changed).toEqual({});
});

it("leaves options that are given as they are", async () => {
  const form = new RulesForm("classic", {}, true);
  await vi.waitFor(() => expect(form.canBeQuick).toBe(true));
  expect(form.changed).toEqual({});
});

it("hides options whose conditions are not met", async () => {
  const form = await opened();
  expect(form.applies({ only_if: ["cards.deck=44 42"] } as unknown as OptionForm)).toBe(true);
  expect(form.applies({ only_if: ["cards.deck=stars42"] } as unknown as OptionForm)).toBe(false);
});

it("reads the options of a table", () => {
  expect(optionsOf("setup.armies=2:20 3:16; setup.claim=random")).toEqual({ "setup.armies": "2:20 3:16", "setup.claim": "random" });
  expect(optionsOf("")).toEqual({});
});
