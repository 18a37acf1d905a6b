import { expect, it, vi } from "vitest";

import type { Board } from "../state/boards.svelte";
import { MapKeys } from "./map_keys";
import type { Turn } from "./turn.svelte";

function keys(turn: Partial<Turn>) {
  const names = new Map([["ukraine", "Ukraine"], ["ural", "Ural"], ["siam", "Siam"]]);
  const controls = { focus: vi.fn(), showAll: vi.fn(), showDecision: vi.fn(), onhelp: vi.fn(), here: () => null };
  const board = { names, neighbours: new Map() } as unknown as Board;
  const map = new MapKeys({ turn: turn as Turn, board, ...controls });
  const anywhere = (key: string, target: EventTarget = document.body) => {
    const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true });
    Object.defineProperty(event, "target", { value: target });
    map.pressAnywhere(event);
    return event.defaultPrevented;
  };
  return { ...controls, anywhere, press: (key: string, territory = "ural", shiftKey = false) => map.press(new KeyboardEvent("keydown", { key, shiftKey }), territory) };
}

it("goes round what can act, both ways", () => {
  const { focus, press } = keys({ marks: { selectable: new Set(["ural", "siam"]) } });
  press("n");
  press("N", "ural", true);
  press("n", "siam");
  expect(focus.mock.calls.flat()).toEqual(["siam", "siam", "ural"]);
});

it("reads digits that follow each other as one number", () => {
  const step = vi.fn();
  const { press } = keys({ mode: "place", placed: { ural: 1 }, step });
  press("1");
  press("2");
  expect(step.mock.calls).toEqual([["ural", 0], ["ural", 11]]);
});

it("jumps to a name by letters that mean nothing else, and goes on with any letter", () => {
  const undo = vi.fn(async () => undefined);
  const { focus, press } = keys({ undo });
  press("u");
  press("r");
  expect(focus.mock.calls.flat()).toEqual(["ukraine", "ural"]);
  expect(undo).not.toHaveBeenCalled();
});

it("shows the keys, the whole map and the decision", () => {
  const { onhelp, showAll, showDecision, press } = keys({});
  press("?");
  press("m");
  press(".");
  expect([onhelp, showAll, showDecision].map((each) => each.mock.calls.length)).toEqual([1, 1, 1]);
});

it("acts on the whole page, but not in fields, and leaves Enter to what has the focus", () => {
  const undo = vi.fn(async () => undefined);
  const confirm = vi.fn(async () => undefined);
  const { anywhere, focus } = keys({ undo, confirm, source: null, target: null });
  const element = (name: string) => document.createElement(name);
  expect(anywhere("z")).toBe(true);
  expect(anywhere("z", element("button"))).toBe(true);
  expect(anywhere("z", element("input"))).toBe(false);
  expect(anywhere("z", element("textarea"))).toBe(false);
  expect(undo).toHaveBeenCalledTimes(2);
  expect(anywhere("Enter")).toBe(true);
  expect(anywhere("Enter", element("button"))).toBe(false);
  expect(confirm).toHaveBeenCalledTimes(1);
  anywhere("u"); // the beginning of a name: only the map goes there
  expect(focus).not.toHaveBeenCalled();
});
