/// <reference types="vitest/config" />
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig, type Plugin } from "vite";

import { gamePage } from "./game_page.ts";
import { workerFiles } from "./worker_files.ts";

const WORKER = "service_worker"; // its address is fixed: that of a worker must not change

/** Tells the service worker the files of this version, so that its own content changes with them. */
const filesOfWorker = (): Plugin => ({
  name: "files-of-the-service-worker",
  generateBundle(_, bundle) {
    const worker = Object.values(bundle).find((each) => each.type === "chunk" && each.name === WORKER);
    if (worker?.type !== "chunk" || !worker.code.includes("__APP_FILES__")) throw new Error("There is no service worker to tell the files to.");
    if (worker.imports.length > 0) throw new Error("The service worker shares a module with the app: it must be one file.");
    const files = JSON.stringify(workerFiles(Object.values(bundle)));
    worker.code = worker.code.replaceAll("__APP_FILES__", `(${files})`);
  },
});

export default defineConfig({
  plugins: [svelte(), gamePage(), filesOfWorker()],
  // docs/check_dice.js is a program for Node as well; those lines never run in a browser.
  logLevel: "error",
  resolve: { conditions: ["browser"] }, // for the tests too: components run as in a browser
  build: {
    emptyOutDir: true,
    rolldownOptions: {
      checks: { pluginTimings: false },
      external: [/^node:/],
      input: { index: "index.html", [WORKER]: "src/worker/service_worker.ts" },
      output: {
        entryFileNames: ({ name }) => (name === WORKER ? "[name].js" : "assets/[name]-[hash].js"),
        // A file costs a round trip: what most screens use is one; the map; what games are shown with.
        codeSplitting: {
          groups: [
            { name: "game", test: /\/src\/(?:game\/(?!holdings|BotReasons|CardsDialog|ChatLineMenu|ChatPanel|ContinentsPanel|DiceAlarm|DiceEntry|DefendPanel|MissionPanel|ObjectivesPanel|SealedPlacement|SetupPanel|HelpDialog|SettingsDialog|TableDialog|Motions|StandingOrders|motions)|screens\/game\/)/, priority: 0 },
            { name: "map", test: /\/src\/map\//, priority: 1 },
            { name: "shared", test: /\/node_modules\/svelte\/|\/src\/(?:parts|api\/client|state\/(?:device|route|account|boards|screen|clock)|screens\/NotFound|style\/|texts\/texts)/, priority: 2 },
          ],
        },
      },
    },
    target: "es2022",
    assetsInlineLimit: 0, // no data: addresses, which the content security policy forbids
    modulePreload: { polyfill: false },
  },
  server: { fs: { allow: [".."] }, proxy: { "/api": "http://127.0.0.1:8080" } },
  test: { environment: "jsdom", pool: "vmThreads", setupFiles: ["src/test_setup.ts"] },
});
