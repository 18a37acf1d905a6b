import { expect, it } from "vitest";

import { endingWords } from "./ending";

it("says why a game ended, and passes on the words of whoever closed it", () => {
  expect(endingWords("no action for too long")).toBe("No one has played for a long time.");
  expect(endingWords("closed by the operator: spam")).toBe("The operator of this server has closed the table: spam");
  expect(endingWords("the game is won")).toBe("");
  expect(endingWords("something new")).toBe("something new");
});
