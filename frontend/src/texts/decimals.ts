/** Numbers with decimals as the chosen language writes them: 4.1 in English, 4,1 in German. */

import { device } from "../state/device.svelte";

export function decimals(value: number, digits: number): string {
  return value.toLocaleString(device.choices.language, { minimumFractionDigits: digits, maximumFractionDigits: digits });
}
