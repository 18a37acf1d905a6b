/** The key moments of a game in words. The figures are the server's. */

import type { review as english } from "../../texts/en/review";
import type { KeyMoment } from "./review.svelte";

export interface KeyLine {
  readonly index: number;
  readonly seat: string;
  readonly title: string;
  readonly detail: string;
  /** Armies that the dice gave the attacker beyond the average. */
  readonly luck: number | null;
}

interface Names {
  readonly seat: (colour: string) => string;
  readonly territory: (id: string) => string;
  readonly continent: (id: string) => string;
}

/** A, B, C … of a key moment. */
export function letter(place: number): string {
  return String.fromCharCode(65 + (place % 26));
}

/** What each key moment is called, and what is known of it. */
export function lines(moments: readonly KeyMoment[], names: Names, text: typeof english): KeyLine[] {
  return moments.map((moment) => {
    const [seat, other] = [names.seat(moment.seat), moment.other === null ? "" : names.seat(moment.other)];
    const { battle, continent } = moment;
    const round = text.round(moment.round);
    const line = (title: string, detail: string, luck: number | null = null): KeyLine => ({
      index: moment.index,
      seat: moment.seat,
      title,
      detail: detail === "" ? round : `${round} · ${detail}`,
      luck,
    });
    if (battle !== null) {
      const place = names.territory(battle.target);
      const outcome = battle.taken ? text.takes(seat, place) : text.holdsOut(place, seat);
      const label = moment.kind === "luckiest" || moment.kind === "unluckiest" ? text[moment.kind] : text.bigBattle;
      return line(`${label}: ${outcome}`, text.battleLosses(battle.attacker_lost, battle.defender_lost), battle.luck);
    }
    if (continent !== null) {
      const name = names.continent(continent.continent);
      if (moment.kind === "continent_won") return line(text.winsContinent(seat, name), text.heldFor(continent.turns, continent.armies));
      return line(text.losesContinent(seat, name), text.inTurnOf(other));
    }
    return line(moment.kind === "resignation" ? text.resigns(seat) : text.eliminates(seat, other), "");
  });
}
