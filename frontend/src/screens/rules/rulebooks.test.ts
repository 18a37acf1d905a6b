import { expect, it } from "vitest";

import { anchor, containing, marked, optionsOf, type Chapter } from "./rulebooks";

const CHAPTERS: Chapter[] = [
  { title: "Aim", blocks: [{ kind: "text", texts: [{ text: "Conquer the **world**.", sources: [{ id: "A-61", outside: false }] }], rows: [] }] },
  {
    title: "The board",
    blocks: [
      { kind: "list", texts: [{ text: "Asia: 12 territories", sources: [] }], rows: [] },
      { kind: "table", texts: [], rows: [["Africa", "borders"], ["Egypt", "Libya"]] },
    ],
  },
];

it("reads the options of a table", () => {
  expect(optionsOf("setup.place=all_at_once; cards.values=4,6,8")).toEqual({ "setup.place": "all_at_once", "cards.values": "4,6,8" });
  expect(optionsOf("")).toEqual({});
});

it("keeps the blocks that have the words, by text, rule or cell", () => {
  const found = (words: string) => containing(CHAPTERS, words).map((chapter) => [chapter.title, chapter.blocks.length]);
  expect(found("")).toEqual([["Aim", 1], ["The board", 2]]);
  expect(found("THE WORLD")).toEqual([["Aim", 1]]);
  expect(found("a-61")).toEqual([["Aim", 1]]);
  expect(found("egypt")).toEqual([["The board", 1]]);
  expect(found("the board")).toEqual([["The board", 2]]);
  expect(found("nowhere")).toEqual([]);
});

it("marks the words where they stand", () => {
  expect(marked("Dice beat dice.", "dice")).toEqual(["", "Dice", " beat ", "dice", "."]);
  expect(marked("No words.", " ")).toEqual(["No words."]);
});

it("makes addresses of titles", () => {
  expect(anchor("The board")).toBe("the-board");
});
