import { expect, it } from "vitest";

import { de } from "./de/catalogue";
import { en } from "./en/catalogue";

/** Every text with its place; a function is a text with gaps. */
function places(value: unknown, path = ""): string[] {
  if (typeof value !== "object" || value === null) return [`${path} ${typeof value}`];
  return Object.entries(value).flatMap(([name, inside]) => places(inside, `${path}.${name}`));
}

it("has every text in German", () => {
  expect(places(de)).toEqual(places(en));
});
