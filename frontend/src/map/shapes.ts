/** Silhouettes of seats: each has its own, so that colour alone never carries meaning. */

import type { Owner } from "./types";

/* Of radius 1 about the middle; every one holds two figures. Without arcs each number scales. */
const SILHOUETTE: Record<Owner, string> = {
  red: "M-.92-.86H.92V.98L0 .62L-.92 .98Z",
  blue: "M1 0C1 .552 .552 1 0 1S-1 .552-1 0-.552-1 0-1 1-.552 1 0Z",
  green: "M-.94-.94H.18C.62-.94 .94-.62 .94-.18V.94H-.18C-.62 .94-.94 .62-.94 .18Z",
  yellow: "M0-1.22L1.22 0L0 1.22L-1.22 0Z",
  grey: "M-.94-1H-.46V-.74H-.24V-1H.24V-.74H.46V-1H.94V.9H-.94Z",
  black: "M-.92-.9H.92V.12C.92 .62 .5 .94 0 1.16C-.5 .94-.92 .62-.92 .12Z",
  neutral: "M.86 0C.86 .475 .475 .86 0 .86S-.86 .475-.86 0-.475-.86 0-.86 .86-.475 .86 0Z",
};

export const CROWN = "M-9 4.5L-10.5-4.5L-4.8-.6L0-7L4.8-.6L10.5-4.5L9 4.5Z";
export const TOWER = "M-6 7V-1H-2.6V-6.5H2.6V1.4H6V7Z";
export const AIRCRAFT =
  "M0-5.4L1.2-1.2L6 1.4V2.8L1.1 1.7L.7 4L2.2 5.2V6L0 5.5L-2.2 6V5.2L-.7 4L-1.1 1.7L-6 2.8V1.4L-1.2-1.2Z";

/** The path of a seat's silhouette with a radius. */
export function silhouette(owner: Owner, radius: number): string {
  const scaled = (number: string) => ` ${Number((Number(number) * radius).toFixed(2))}`;
  return SILHOUETTE[owner].replace(/-?\d*\.?\d+/g, scaled);
}

/** Armies in at most four characters: 999, then 1.2k, then 12k. */
export function armiesText(armies: number | null): string {
  if (armies === null) return "?";
  if (armies >= 10_000) return `${Math.floor(armies / 1000)}k`;
  return armies < 1000 ? String(armies) : `${(Math.floor(armies / 100) / 10).toFixed(1)}k`;
}

/** A chance for the map: 63 %, and never a false 100 or 0. */
export function chanceText(chance: number): string {
  if (chance > 0.995 && chance < 0.99995) return ">99 %";
  if (chance < 0.005 && chance > 0.00005) return "<1 %";
  return `${Math.round(100 * chance)} %`;
}
