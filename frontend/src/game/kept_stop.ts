/** The stop rule that a player chose last in a game: kept on the device until the game is over. */

import { DEFAULT_STOP, type Stop } from "./stop";

export interface KeptStop {
  readonly stop: Stop;
  /** The number of armies of the last stop that had one. */
  readonly armiesLeft: number;
}

type Store = Pick<Storage, "getItem" | "setItem" | "removeItem">;

const key = (game: string, seat: string) => `rubicon.stop.${game}.${seat}`;

/** Keep a stop rule; the one that every game begins with needs no keeping. */
export function keepStop(store: Store, game: string, seat: string, kept: KeptStop | null): void {
  try {
    const first = JSON.stringify({ stop: DEFAULT_STOP, armiesLeft: DEFAULT_STOP.armies });
    if (kept === null || JSON.stringify(kept) === first) store.removeItem(key(game, seat));
    else store.setItem(key(game, seat), JSON.stringify(kept));
  } catch {
    // a private window without storage: the rule lasts as long as the page
  }
}

/** The kept stop rule; null where the player has chosen none, or what is kept cannot be read. */
export function keptStop(store: Store, game: string, seat: string): KeptStop | null {
  try {
    const kept = JSON.parse(store.getItem(key(game, seat)) ?? "null") as KeptStop | null;
    return kept !== null && KINDS.has(kept.stop.kind) && kept.armiesLeft >= 1 ? kept : null;
  } catch {
    return null;
  }
}

const KINDS = new Set<Stop["kind"]>(["left", "odds", "end"]);
