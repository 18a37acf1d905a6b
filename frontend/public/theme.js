// Before the first paint: the theme that the person chose on this device, or else the system's.
(() => {
  let chosen = null;
  try {
    chosen = JSON.parse(localStorage.getItem("rubicon.device") ?? "{}").theme;
  } catch {
    // a private window without storage
  }
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  const theme = chosen === "dark" || chosen === "light" ? chosen : dark ? "dark" : "light";
  document.documentElement.dataset.theme = theme;
})();
