/** All texts of the app, in the language that the person chose: `texts().start.playNow(3)`. */

import { device, type Language } from "../state/device.svelte";
import type { en } from "./en/catalogue";

export type Catalogue = typeof en;

// Each language is a file of its own: a page loads the chosen one.
const load: Record<Language, () => Promise<Catalogue>> = {
  en: async () => (await import("./en/catalogue")).en,
  de: async () => (await import("./de/catalogue")).de,
};
let shown = $state.raw<Catalogue | null>(null);

/** Load the chosen language, and from now on each that is chosen later. */
export async function loadTexts(): Promise<void> {
  shown = await load[device.choices.language]();
  $effect.root(() => {
    $effect(() => {
      const { language } = device.choices;
      void load[language]().then((found) => {
        if (device.choices.language === language) shown = found;
      });
    });
  });
}

/** The catalogue now; a component that calls it changes with the language. */
export function texts(): Catalogue {
  if (shown === null) throw new Error("The texts are not loaded yet: await loadTexts() first.");
  return shown;
}
