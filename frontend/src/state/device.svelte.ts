/** What a person chose on this device: it is kept in the browser and never sent. */

const KEY = "rubicon.device"; // public/theme.js reads it, too

export type Theme = "system" | "light" | "dark";
export type Language = "en" | "de";

interface Choices {
  theme: Theme;
  language: Language;
  /** 1, 0.5 (fast) or 0 (no motion). */
  speed: number;
  sound: boolean;
  patterns: boolean;
  pieces: boolean;
  /** Single keys act while the map has the focus. */
  keys: boolean;
  /** What is planned is shown as order text, too. */
  orderText: boolean;
  /** Hints of a first game that were read or switched off. */
  hintsSeen: string[];
}

class Device {
  choices = $state<Choices>(stored());
  #dark = matchMedia("(prefers-color-scheme: dark)");
  #still = matchMedia("(prefers-reduced-motion: reduce)");
  #contrast = matchMedia("(prefers-contrast: more), (forced-colors: active)");

  constructor() {
    this.#dark.addEventListener("change", () => this.#show());
    this.#show();
  }

  /** Choose something, and keep it. */
  choose<Name extends keyof Choices>(name: Name, value: Choices[Name]): void {
    this.choices[name] = value;
    try {
      localStorage.setItem(KEY, JSON.stringify(this.choices));
    } catch {
      // a private window without storage: the choice lasts as long as the page
    }
    this.#show();
  }

  /** How fast things move: 1, 0.5, or 0 where nothing may. */
  get speed(): number {
    return this.#still.matches ? 0 : this.choices.speed;
  }

  get patterns(): boolean {
    return this.choices.patterns || this.#contrast.matches;
  }

  #show(): void {
    const { theme, speed, language } = this.choices;
    const root = document.documentElement;
    root.dataset.theme = theme === "system" ? (this.#dark.matches ? "dark" : "light") : theme;
    root.lang = language;
    if (speed === 1) root.style.removeProperty("--speed");
    else root.style.setProperty("--speed", String(speed));
  }
}

function stored(): Choices {
  const first: Choices = {
    theme: "system",
    language: navigator.language.toLowerCase().startsWith("de") ? "de" : "en",
    speed: 1,
    sound: false,
    patterns: false,
    pieces: false,
    keys: true,
    orderText: false,
    hintsSeen: [],
  };
  try {
    return { ...first, ...(JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Choices>) };
  } catch {
    return first;
  }
}

export const device = new Device();
