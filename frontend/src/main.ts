import { mount } from "svelte";

import App from "./App.svelte";
import { watchAccount } from "./state/device_account";
import { loadTexts } from "./texts/texts.svelte";
import "./style/tokens.css";
import "./style/seats.css";
import "./style/app.css";
import "./style/outline.css";

watchAccount(() => location.reload());
const target = document.getElementById("app");
if (target !== null) {
  await loadTexts();
  // The outline of a game stays until the game is there (GameLoader.svelte).
  if (target.querySelector(".outline") === null) target.replaceChildren();
  mount(App, { target });
}

// Once the page is there: the worker's files must not delay it.
const register = () => void import("./worker/register").then(({ registerWorker }) => registerWorker());
if (import.meta.env.PROD) {
  if (document.readyState === "complete") register();
  else addEventListener("load", register);
}
