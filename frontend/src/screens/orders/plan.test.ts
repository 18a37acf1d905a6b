import { expect, test } from "vitest";

import { orderFor, orderOf, plannedArrows, plannedPlacements, withLine, withPlacement, type ExplainedOrder } from "./plan";

const orders = ["DEPLOY 3 kamchatka, 2 alaska", "ATTACK kamchatka -> alaska -> alberta UNTIL LEFT 3", "FORTIFY yakutsk -> kamchatka ALL BUT 1"].map(
  (text, index): ExplainedOrder => ({ number: index + 1, line: index + 1, column: 1, length: text.length, text, explained: [] }),
);

test("orders are numbered arrows and placements on the map", () => {
  expect(plannedArrows(orders)).toEqual([
    { from: "kamchatka", to: "alaska", kind: "attack", step: 2 },
    { from: "alaska", to: "alberta", kind: "attack", step: 2 },
    { from: "yakutsk", to: "kamchatka", kind: "move", step: 3 },
  ]);
  expect(plannedPlacements(orders)).toEqual({ kamchatka: 3, alaska: 2 });
});

test("a tap places an army more, in the order that is there", () => {
  const once = withPlacement("", "peru");
  expect(once).toBe("DEPLOY 1 peru\nEND");
  expect(withPlacement(once, "peru")).toBe("DEPLOY 2 peru\nEND");
  expect(withPlacement(once, "brazil")).toBe("DEPLOY 1 peru, 1 brazil\nEND");
});

test("a new line comes before the end", () => {
  expect(withLine("DEPLOY 1 peru\nEND", "END ATTACK")).toBe("DEPLOY 1 peru\nEND ATTACK\nEND");
  expect(withLine("DEPLOY 1 peru", "END ATTACK")).toBe("DEPLOY 1 peru\nEND ATTACK");
});

test("an arrow to an own territory moves, one from a territory that is still to be taken waits for that", () => {
  const own = (territory: string) => territory === "peru" || territory === "brazil";
  expect(orderFor("peru", "brazil", own, [])).toBe("FORTIFY peru -> brazil ALL BUT 1");
  expect(orderFor("peru", "argentina", own, [])).toMatch(/^ATTACK peru -> argentina /);
  const before = [{ from: "brazil", to: "peru", kind: "attack" as const }];
  expect(orderFor("peru", "argentina", own, before)).toMatch(/^IF WON: ATTACK peru -> argentina /);
});

test("an event belongs to the order that names its territories", () => {
  expect(orderOf({ event: "decided", action: "place alaska 2" }, orders)).toBe(1);
  expect(orderOf({ event: "rolled", source: "kamchatka", target: "alaska" }, orders)).toBe(2);
  expect(orderOf({ event: "rolled", source: "brazil", target: "peru" }, orders)).toBeNull();
  expect(orderOf({ event: "decided", action: "fortify yakutsk -> kamchatka 4" }, orders)).toBe(3);
  expect(orderOf({ event: "drew", territory: "alaska" }, orders)).toBeNull();
});
