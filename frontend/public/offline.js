// The offline page: in the language of the device, and back to the app as soon as the server answers.
(() => {
  const PAUSE = 5000; // milliseconds between two questions
  let language = navigator.language.toLowerCase().startsWith("de") ? "de" : "en";
  try {
    language = JSON.parse(localStorage.getItem("rubicon.device") ?? "{}").language ?? language;
  } catch {
    // a private window without storage
  }
  document.documentElement.lang = language;
  for (const section of document.querySelectorAll("section")) section.hidden = section.lang !== language;

  async function askServer() {
    try {
      const answer = await fetch("/api/v1/session", { cache: "no-store" });
      if (answer.ok) location.reload();
    } catch {
      // still offline
    }
  }
  for (const button of document.querySelectorAll("button")) button.addEventListener("click", () => location.reload());
  addEventListener("online", askServer);
  setInterval(askServer, PAUSE);
})();
