/** Actions, reasons and deciding moments in words. The figures are the server's. */

import type { winning as english } from "../../texts/en/winning";
import type { WinningReview } from "./winning.svelte";

export type DecidingMoment = WinningReview["moments"][number];
type Plan = NonNullable<DecidingMoment["better"]>;
export type Reason = NonNullable<Plan["reason"]>;

export interface Names {
  readonly seat: (colour: string) => string;
  readonly territory: (id: string) => string;
  readonly continent: (id: string) => string;
}

/** What was done, with the name of who did it; without a name, what could be done. */
export function actionWords(action: string, name: string | null, names: Names, text: typeof english): string {
  const [verb = "", first = "", second = "", third = "", fourth = ""] = action.split(" ");
  const { actions } = text;
  const [place, armies] = [names.territory(third), Number(fourth)];
  switch (verb) {
    case "place": {
      const here = names.territory(first);
      return name === null ? actions.place(Number(second), here) : actions.places(name, Number(second), here);
    }
    case "attack": {
      const source = names.territory(first);
      return name === null ? actions.attack(place, source) : actions.attacks(name, place, source);
    }
    case "fortify": {
      const source = names.territory(first);
      return name === null ? actions.fortify(armies, source, place) : actions.fortifies(name, armies, source, place);
    }
    case "occupy":
      return name === null ? actions.occupy(Number(first)) : actions.occupies(name, Number(first));
    case "trade":
      return name === null ? actions.trade : actions.trades(name);
    case "end":
      if (first === "attack") return name === null ? actions.endAttack : actions.endsAttack(name);
      return name === null ? actions.endTurn : actions.endsTurn(name);
    case "resign":
      return name === null ? action : actions.resigns(name);
  }
  return name === null ? action : `${name}: ${action}`;
}

/** What an action aims at, with the chance of it. */
export function reasonWords(reason: Reason, names: Names, text: typeof english): string {
  const { kind, chance } = reason;
  const place = names.territory(reason.territory ?? "");
  const continent = names.continent(reason.continent ?? "");
  const seat = names.seat(reason.seat ?? "");
  const { reasons } = text;
  const words = {
    wins: () => reasons.wins,
    eliminates: () => reasons.eliminates(seat),
    takes_continent: () => reasons.takesContinent(continent),
    breaks_continent: () => reasons.breaksContinent(seat, continent),
    takes: () => reasons.takes(place),
    guards: () => reasons.guards(place),
    trades: () => reasons.trades,
    moves: () => reasons.moves(place),
    defends: () => reasons.defends(place),
    stops: () => reasons.stops,
  }[kind]();
  return chance === null ? words : `${words}, ${text.percent(Math.min(0.99, chance))}`;
}

/** How a battle went; null where a decision counts. */
export function battleWords(moment: DecidingMoment, names: Names, text: typeof english): string | null {
  const { battle } = moment;
  if (battle === null) return null;
  const place = names.territory(battle.target);
  const went = battle.taken ? text.falls(place, battle.rolls) : text.holdsOut(place, battle.rolls);
  return [went, text.odds(text.percent(battle.odds)), text.diceMove(Math.round(100 * moment.weight))].join(", ");
}

/** Widths of bars that share one scale, 0 to `widest`. */
export function bars(shares: readonly number[], widest: number): number[] {
  const most = Math.max(0.01, ...shares.map(Math.abs));
  return shares.map((share) => (Math.abs(share) / most) * widest);
}
