/** The page of a game names at once what a game loads, and has the outline of its screen. */

import type { Plugin } from "vite";

interface Built {
  type: "chunk" | "asset";
  fileName: string;
  name?: string | undefined;
  facadeModuleId?: string | null;
  imports?: string[];
  viteMetadata?: { importedCss: Set<string> };
}

const SCREEN = "/src/screens/game/GameLoader.svelte";
const CATALOGUE = /\/src\/texts\/(\w+)\/catalogue\.ts$/;

/** Seen until the script has run: the bar, the strip of seats, the sea. Its styles are those of all screens. */
const OUTLINE = `<div class="outline" aria-hidden="true"><b>Rubicon</b><ol>${"<li><i></i></li>".repeat(4)}</ol><p></p></div>`;

/** The files that an entry imports, itself first: scripts, and styles apart. */
export function filesOf(bundle: readonly Built[], entry: Built | undefined): { scripts: string[]; styles: string[] } {
  const scripts = new Set<string>();
  const styles = new Set<string>();
  const add = (chunk: Built | undefined): void => {
    if (chunk === undefined || scripts.has(chunk.fileName)) return;
    scripts.add(chunk.fileName);
    for (const name of chunk.imports ?? []) add(bundle.find((each) => each.fileName === name));
    for (const style of chunk.viteMetadata?.importedCss ?? []) styles.add(style);
  };
  add(entry);
  return { scripts: [...scripts], styles: [...styles] };
}

/** Writes `game.html` beside the page of the other screens. */
export const gamePage = (): Plugin => ({
  name: "page-of-a-game",
  enforce: "post", // the page of the other screens is there
  generateBundle(_, bundle) {
    const page = bundle["index.html"];
    const files: Built[] = Object.values(bundle);
    const screen = files.find((each) => each.facadeModuleId?.endsWith(SCREEN));
    if (page?.type !== "asset" || screen === undefined) throw new Error(`There is no page, or no ${SCREEN}.`);
    const { scripts, styles } = filesOf(files, screen);
    const catalogues = files.flatMap((each) => {
      const language = CATALOGUE.exec(each.facadeModuleId ?? "")?.[1];
      return language === undefined ? [] : [`data-${language}="/${each.fileName}"`];
    });
    const html = String(page.source);
    const named = (name: string) => html.includes(`"/${name}"`);
    const lines = (names: string[], line: (name: string) => string) => names.filter((name) => !named(name)).map((name) => `${line(name)}\n  `).join("  ");
    const early = `<script async src="/early.js" ${catalogues.join(" ")}></script>`;
    const preloads = lines(scripts, (name) => `<link rel="modulepreload" crossorigin href="/${name}">`);
    // Behind the outline: it is painted before they are there.
    const sheets = lines(styles, (name) => `<link rel="stylesheet" crossorigin href="/${name}">`);
    const drawing = `<link rel="preload" as="fetch" crossorigin href="/api/v1/boards/world/geometry">\n  `;
    const source = html
      .replace('<script type="module"', `${early}\n    <script type="module"`)
      .replace("</head>", `  ${drawing}  ${preloads}</head>`)
      .replace('<div id="app"></div>', `<div id="app">${OUTLINE}</div>\n    ${sheets.trimEnd()}`);
    if (!source.includes(OUTLINE)) throw new Error("The page has no place for the outline of a game.");
    this.emitFile({ type: "asset", fileName: "game.html", source });
  },
});
