/* What jsdom lacks and components need when they are loaded. */
import { afterAll, vi } from "vitest";

// A language that a test has chosen may still be on its way when the test is over.
afterAll(() => vi.dynamicImportSettled());

globalThis.matchMedia ??= ((query: string) => ({
  matches: false,
  media: query,
  onchange: null,
  addEventListener: () => {},
  removeEventListener: () => {},
  addListener: () => {},
  removeListener: () => {},
  dispatchEvent: () => false,
})) as typeof matchMedia;
globalThis.ResizeObserver ??= class {
  observe() {}
  unobserve() {}
  disconnect() {}
};

if (typeof document !== "undefined") {
  const { loadTexts } = await import("./texts/texts.svelte");
  await loadTexts();
}
