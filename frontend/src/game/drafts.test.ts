import { expect, it } from "vitest";

import { keepDraft, keptDraft } from "./drafts";

function store(): Storage {
  const kept = new Map<string, string>();
  return {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => void kept.set(name, value),
    removeItem: (name: string) => void kept.delete(name),
    get length() {
      return kept.size;
    },
  } as unknown as Storage;
}

const draft = { decision: 7, placed: { alaska: 2 }, written: "" };

it("is there again for the same decision of the same seat only", () => {
  const device = store();
  keepDraft(device, "game", "red", draft);
  expect(keptDraft(device, "game", "red", 7)).toEqual(draft);
  expect(keptDraft(device, "game", "red", 8)).toBeNull();
  expect(keptDraft(device, "game", "blue", 7)).toBeNull();
});

it("is forgotten once it is empty", () => {
  const device = store();
  keepDraft(device, "game", "red", draft);
  keepDraft(device, "game", "red", { ...draft, placed: {} });
  expect(device.length).toBe(0);
});

it("does without a device that keeps nothing", () => {
  const broken = {
    getItem: () => {
      throw new Error("no storage");
    },
  } as unknown as Storage;
  expect(keptDraft(broken, "game", "red", 7)).toBeNull();
});
