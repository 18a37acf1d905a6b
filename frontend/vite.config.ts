/// <reference types="vitest/config" />
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";

export default defineConfig({
  plugins: [svelte()],
  // docs/check_dice.js is a program for Node as well; those lines never run in a browser.
  logLevel: "error",
  resolve: { conditions: ["browser"] }, // for the tests too: components run as in a browser
  build: {
    emptyOutDir: true,
    rolldownOptions: { checks: { pluginTimings: false }, external: [/^node:/] },
    target: "es2022",
    assetsInlineLimit: 0, // no data: addresses, which the content security policy forbids
    modulePreload: { polyfill: false },
  },
  server: { fs: { allow: [".."] }, proxy: { "/api": "http://127.0.0.1:8080" } },
  test: { environment: "jsdom", pool: "vmThreads", setupFiles: ["src/test_setup.ts"] },
});
