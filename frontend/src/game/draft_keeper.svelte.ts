/** Keeps the draft of a turn on the device, and sends its placements before the time is over. */

import type { Game } from "../state/game.svelte";
import { time } from "../state/clock.svelte";
import { keepDraft, keptDraft } from "./drafts";
import type { Turn } from "./turn.svelte";

const BEFORE = 2000; // milliseconds before the deadline

/** To be called while a component is set up. */
export function useDraft(game: Game, turn: Turn): void {
  // Several people pass one device on: what one of them has placed is not for the others.
  if (game.isPassed) return;
  const decision = $derived(game.deciding ? (game.view?.decision ?? null) : null);
  let restored: number | null = null;

  $effect(() => {
    if (decision === null || game.me === null) return;
    if (restored !== decision) {
      restored = decision;
      const draft = keptDraft(localStorage, game.id, game.me, decision);
      if (draft !== null) turn.restore(draft.placed, draft.written);
    }
    keepDraft(localStorage, game.id, game.me, { decision, placed: turn.placed, written: turn.written });
  });

  const due = $derived.by(() => {
    const deadline = game.view?.seats.find((seat) => seat.colour === game.me)?.clock?.deadline ?? null;
    const drafted = Object.keys(turn.placed).length > 0;
    return deadline !== null && drafted && decision !== null && deadline - (time() + game.clockOffset) < BEFORE;
  });
  let sent: number | null = null; // once a decision, also where it is refused
  $effect(() => {
    if (!due || game.sentAt !== null || sent === decision) return;
    sent = decision;
    void turn.deploy();
  });
}
