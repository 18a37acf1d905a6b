/** Texts that come with their screen in both languages, and not with the catalogue of every page. */

import { device } from "../state/device.svelte";

/** The texts in the language that the person chose; a component that calls it changes with the language. */
export const pageTexts =
  <T>(english: T, german: T) =>
  (): T =>
    device.choices.language === "de" ? german : english;
