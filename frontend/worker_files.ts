/** The files of a built app, as its service worker keeps them. */

interface Built {
  type: "chunk" | "asset";
  fileName: string;
  name?: string | undefined;
  imports?: string[];
  viteMetadata?: { importedCss: Set<string> };
}

/** All files with a hash, and the first ones: what every page loads, and the fonts. */
export function workerFiles(bundle: readonly Built[]): { all: string[]; first: string[] } {
  const all = bundle.map((each) => each.fileName).filter((name) => name.startsWith("assets/"));
  const entry = bundle.find((each) => each.type === "chunk" && each.name === "index");
  const chunks = new Set<string>();
  const add = (chunk: Built | undefined): void => {
    if (chunk === undefined || chunks.has(chunk.fileName)) return;
    chunks.add(chunk.fileName);
    for (const style of chunk.viteMetadata?.importedCss ?? []) chunks.add(style);
    for (const name of chunk.imports ?? []) add(bundle.find((each) => each.fileName === name));
  };
  add(entry);
  return { all: all.sort(), first: [...chunks, ...all.filter((name) => name.endsWith(".woff2"))].sort() };
}
