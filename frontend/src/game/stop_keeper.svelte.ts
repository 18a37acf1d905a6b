/** Keeps the stop rule of a player on the device, across a reload of the page. */

import { untrack } from "svelte";

import type { Game } from "../state/game.svelte";
import { keepStop, keptStop } from "./kept_stop";
import type { Turn } from "./turn.svelte";

/** To be called while a component is set up. */
export function useKeptStop(game: Game, turn: Turn): void {
  let restored: string | null = null; // the seat

  $effect(() => {
    const { me } = game;
    if (me === null) return;
    if (restored !== me) {
      restored = me;
      const kept = keptStop(localStorage, game.id, me);
      if (kept !== null) untrack(() => Object.assign(turn, kept));
    }
    keepStop(localStorage, game.id, me, game.over ? null : { stop: turn.stop, armiesLeft: turn.armiesLeft });
  });
}
