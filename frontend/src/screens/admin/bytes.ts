/** A number of bytes in the largest unit that gives at least one: 3.2 MB. */

const UNITS = ["B", "kB", "MB", "GB", "TB"];
const STEP = 1000;

export function bytes(count: number, language: string): string {
  let [value, unit] = [count, 0];
  while (value >= STEP && unit < UNITS.length - 1) [value, unit] = [value / STEP, unit + 1];
  return `${value.toLocaleString(language, { maximumFractionDigits: unit === 0 ? 0 : 1 })} ${UNITS[unit]}`;
}
