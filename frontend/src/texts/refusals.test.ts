import { expect, it } from "vitest";

import { worded } from "./refusals";

const texts = { "trade/no-set": ["Kein Satz.", "Nimm andere."] } as const;

it("words a refusal by its code, and keeps what else the server says", () => {
  const body = { code: "trade/no-set", message: "These cards are not a set.", suggestion: "", rules: ["S002-19"] };
  expect(worded(body, texts)).toEqual({ code: "trade/no-set", message: "Kein Satz.", suggestion: "Nimm andere.", rules: ["S002-19"] });
});

it("words every problem of an order text, and leaves a code without words as it is", () => {
  const problems = [{ code: "trade/no-set", message: "No." }, { code: "orders/new", message: "New." }];
  const found = worded({ code: "orders/unreadable", message: "One problem.", problems }, texts);
  expect(found).toMatchObject({ message: "One problem.", problems: [{ message: "Kein Satz." }, { message: "New." }] });
});
