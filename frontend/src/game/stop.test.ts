import { expect, test } from "vitest";

import { attackOrder, fittingStop } from "./stop";

test("an attack says where it stops, and leaves the armies that move in open", () => {
  expect(attackOrder("ural", "china", { kind: "left", armies: 3 })).toBe("ATTACK ural -> china UNTIL LEFT 3 ADVANCE ASK");
  expect(attackOrder("ural", "china", { kind: "odds", least: 60 })).toBe("ATTACK ural -> china UNTIL ODDS < 60% ADVANCE ASK");
  expect(attackOrder("ural", "china", { kind: "once" })).toBe("ATTACK ural -> china UNTIL ROUNDS 1 ADVANCE ASK");
  expect(attackOrder("ural", "china", { kind: "end" })).toBe("ATTACK ural -> china ADVANCE ASK");
});

test("a stop leaves room for one roll", () => {
  expect(fittingStop({ kind: "left", armies: 3 }, 9)).toEqual({ kind: "left", armies: 3 });
  expect(fittingStop({ kind: "left", armies: 3 }, 3)).toEqual({ kind: "left", armies: 2 });
  expect(fittingStop({ kind: "left", armies: 3 }, 2)).toEqual({ kind: "left", armies: 1 });
  expect(fittingStop({ kind: "end" }, 2)).toEqual({ kind: "end" });
});
