/* What jsdom lacks and components need when they are loaded. */
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

export {}; // a module, because it waits
if (typeof document !== "undefined") {
  const { loadTexts } = await import("./texts/texts.svelte");
  await loadTexts();
}
