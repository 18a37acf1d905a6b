/** What becomes a short line at the bottom: the own turn, eliminations, votes, chat, what was missed. */

import { untrack } from "svelte";

import type { Board } from "../state/boards.svelte";
import type { Game, GameEvent } from "../state/game.svelte";
import { texts } from "../texts/texts.svelte";
import { decisionTitle } from "./decision_title";
import { entries } from "./log_entries";
import { lostSince } from "./lost_since";
import { motionText } from "./motions";

/** Watch a game for news; to be called while a component is set up. */
export function useNews(game: Game, board: Board): void {
  const place = (territory: string) => board.names.get(territory) ?? territory;
  const person = (colour: string) => game.whoIs(colour);
  /** Nothing named: what the decision is about. */
  const show = (places: readonly string[]) => ({ text: texts().news.showMe, run: () => (game.pointedAt = [...places]) });

  // The own turn, once, while others were playing before; it goes when something is done.
  let before: boolean | null = null;
  let told = "";
  let toast: number | null = null;
  $effect(() => {
    const mine = game.deciding;
    const begins = before === false && mine;
    before = game.view === null ? null : mine;
    untrack(() => {
      if (!mine && toast !== null) game.toasts.close(toast);
      const turn = game.view?.turn === game.me ? `turn ${game.view?.round}` : `asked at ${game.view?.index}`;
      if (!begins || turn === told) return;
      told = turn;
      const what = decisionTitle(game.legal?.about ?? game.view?.about, game.view?.phase ?? "", place);
      const about = game.legal?.about ?? game.view?.about;
      const spot = about?.battle?.target ?? about?.occupation?.target;
      if (game.me === null || game.view?.turn !== game.me) {
        toast = game.toasts.show(`${what}.`, { accent: true, action: show(spot === undefined ? [] : [spot]) });
        return;
      }
      const lost = lostSince(game.log, game.me);
      const words = [texts().news.yourTurn(what), ...(lost.length === 0 ? [] : [texts().news.lost(lost.map(place))])];
      toast = game.toasts.show(words.join(" "), { accent: true, action: show(lost.length > 0 ? lost : spot === undefined ? [] : [spot]) });
    });
  });

  // New lines of the log.
  let known = untrack(() => game.log.at(-1)?.index ?? game.view?.index ?? -1);
  $effect(() => {
    const lines = game.log.filter((line) => line.index > known);
    known = Math.max(known, game.log.at(-1)?.index ?? -1);
    untrack(() => lines.flatMap((line) => line.events).forEach((event) => tell(event)));
  });

  function tell(event: GameEvent) {
    const text = texts();
    const colour = String(event.seat ?? "");
    if (event.event === "eliminated") game.toasts.show(colour === game.me ? text.news.youAreOut : text.news.isOut(game.nameOf(colour)));
    else if (event.event === "vote" && colour !== game.me && !event.text.startsWith("-")) {
      const words = text.news.motion(game.nameOf(colour), motionText(event.text, text.table, (each) => game.nameOf(each)));
      const look = { text: text.news.look, run: () => (game.tableOpen = true) };
      game.toasts.show(words, game.me === null ? {} : { action: look });
    }
  }

  // Chat of others, from now on.
  let heard = untrack(() => game.view?.now ?? 0);
  $effect(() => {
    const line = game.chat.at(-1);
    if (line === undefined || line.at <= heard) return;
    heard = line.at;
    if (line.seat === game.me) return;
    untrack(() => {
      const words = texts().talk.phrases[line.phrase] ?? line.text;
      game.toasts.show(texts().news.says(game.nameOf(line.seat), words));
    });
  });

  // What happened while the connection was lost, in one line.
  let lostAt: number | null = null;
  $effect(() => {
    const { connection } = game;
    untrack(() => {
      if (connection === "lost") lostAt ??= game.view?.index ?? null;
      else if (connection === "live" && lostAt !== null) {
        const since = lostAt;
        lostAt = null;
        void game.refresh().then(() => {
          const missed = entries(game.log.filter((line) => line.index > since), texts(), place, person);
          const [newest] = missed;
          if (newest === undefined) game.toasts.show(texts().news.back);
          else game.toasts.show(texts().news.backWith(`${newest.text}.`), { action: newest.places.length > 0 ? show(newest.places) : null });
        }, () => undefined);
      }
    });
  });
}
