import { expect, it } from "vitest";

import { attackOrder } from "./stop";

it("says each stop in the order language", () => {
  const order = (stop: Parameters<typeof attackOrder>[2]) => attackOrder("ukraine", "ural", stop);
  expect(order({ kind: "once" })).toBe("ATTACK ukraine -> ural UNTIL ROUNDS 1");
  expect(order({ kind: "left", armies: 3 })).toBe("ATTACK ukraine -> ural UNTIL LEFT 3");
  expect(order({ kind: "odds", least: 60 })).toBe("ATTACK ukraine -> ural UNTIL ODDS < 60%");
  expect(order({ kind: "end" })).toBe("ATTACK ukraine -> ural");
});
