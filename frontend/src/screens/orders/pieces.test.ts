import { expect, test } from "vitest";

import { pieces } from "./pieces";

test("the pieces of a line are the line, its words of the language stand out", () => {
  const line = "ATTACK peru -> brazil UNTIL LEFT 3 // then home";
  const found = pieces(line, []);
  expect(found.map(({ text }) => text).join("")).toBe(line);
  expect(found.filter(({ kind }) => kind === "verb").map(({ text }) => text)).toEqual(["ATTACK", "UNTIL", "LEFT"]);
  expect(found.at(-1)).toEqual({ text: "// then home", kind: "remark" });
});

test("a mistake is marked where it stands", () => {
  expect(pieces("DEPLOY 3 atlantis", [{ column: 10, length: 8 }]).at(-1)).toEqual({ text: "atlantis", kind: "bad" });
});
