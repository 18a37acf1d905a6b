/** All texts of the app, in the language that the person chose: `texts().start.playNow(3)`. */

import { device } from "../state/device.svelte";
import { de } from "./de/catalogue";
import { en } from "./en/catalogue";

export type Catalogue = typeof en;

const catalogues: Record<"en" | "de", Catalogue> = { en, de };

/** The catalogue now; a component that calls it changes with the language. */
export function texts(): Catalogue {
  return catalogues[device.choices.language];
}
