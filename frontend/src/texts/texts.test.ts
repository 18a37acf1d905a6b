import { expect, it } from "vitest";

const german = import.meta.glob("./de/*.ts", { eager: true });
const english = import.meta.glob("./en/*.ts", { eager: true });

/** Every text with its place; a function is a text with gaps. */
function places(value: unknown, path = ""): string[] {
  if (typeof value !== "object" || value === null) return [`${path} ${typeof value}`];
  return Object.entries(value).flatMap(([name, inside]) => places(inside, `${path}.${name}`));
}

it.each(Object.keys(english))("has every text of %s in German", (file) => {
  const translated = german[file.replace("/en/", "/de/")];
  expect(places(translated)).toEqual(places(english[file]).map((place) => place.replace(/^\.en\b/, ".de")));
});
