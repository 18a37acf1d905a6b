import { expect, it } from "vitest";

import { workerFiles } from "../../worker_files";

const chunk = (name: string, imports: string[] = [], styles: string[] = []) => ({
  type: "chunk" as const,
  name,
  fileName: `assets/${name}-1.js`,
  imports,
  viteMetadata: { importedCss: new Set(styles) },
});

it("keeps first what every page loads: the entry with all that it imports, styles and fonts", () => {
  const { all, first } = workerFiles([
    chunk("index", ["assets/parts-1.js"], ["assets/index-1.css"]),
    chunk("parts", ["assets/index-1.js"], ["assets/parts-1.css"]),
    chunk("review"),
    ...["assets/index-1.css", "assets/parts-1.css", "assets/text-1.woff2", "index.html"].map((fileName) => ({ type: "asset" as const, fileName })),
  ]);
  expect(first).toEqual(["assets/index-1.css", "assets/index-1.js", "assets/parts-1.css", "assets/parts-1.js", "assets/text-1.woff2"]);
  expect(all).toContain("assets/review-1.js");
  expect(all).not.toContain("index.html");
});
