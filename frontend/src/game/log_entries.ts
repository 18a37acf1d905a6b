/** The log as people read it: one line for an attack with all its rolls. */

import type { GameEvent, LogLine } from "../state/game.svelte";
import type { Catalogue } from "../texts/texts.svelte";
import { rollOf, type ShownRoll } from "./rolls";

export interface LogEntry {
  readonly key: string;
  readonly seat: string | null;
  readonly text: string;
  readonly losses: string;
  readonly roll: ShownRoll | null;
}

const SHOWN = 120;

interface Battle {
  readonly from: string;
  readonly to: string;
  readonly attacker: string;
  rolls: number;
  attackerLost: number;
  defenderLost: number;
  last: ShownRoll | null;
  captured: boolean;
}

/** The newest entries first. */
export function entries(
  log: readonly LogLine[],
  text: Catalogue["log"],
  place: (territory: string) => string,
  person: (colour: string) => string,
): LogEntry[] {
  const found: LogEntry[] = [];
  let battle: Battle | null = null;
  let taken = ""; // what was captured last: armies move in there
  const close = (key: string) => {
    if (battle === null) return;
    const { rolls, attackerLost, defenderLost, captured, attacker, from, to, last } = battle;
    found.push({
      key: `battle ${key}`,
      seat: attacker,
      text: captured ? text.took(place(to), place(from)) : text.attacked(place(from), place(to)),
      losses: text.battleLosses(rolls, attackerLost, defenderLost),
      roll: rolls === 1 ? last : null,
    });
    battle = null;
  };
  for (const line of log) {
    line.events.forEach((event, index) => {
      const key = `${line.index}.${index}`;
      if (event.event === "rolled") {
        const [from, to] = [String(event.source), String(event.target)];
        if (battle !== null && (battle.from !== from || battle.to !== to)) close(key);
        battle ??= { from, to, attacker: String(event.attacker), rolls: 0, attackerLost: 0, defenderLost: 0, last: null, captured: false };
        battle.rolls += 1;
        battle.attackerLost += Number(event.attacker_lost);
        battle.defenderLost += Number(event.defender_lost);
        battle.last = rollOf(event);
        return;
      }
      if (event.event === "captured") taken = String(event.territory);
      if (event.event === "captured" && battle?.to === String(event.territory)) {
        battle.captured = true;
        close(key);
        return;
      }
      if (event.event === "decided" && String(event.action).startsWith("attack")) return;
      close(key);
      const words = sentence(event, text, place, person, taken === "" ? "" : place(taken));
      if (words !== "") found.push({ key, seat: seatOf(event), text: words, losses: "", roll: null });
    });
  }
  close("open");
  return found.reverse().slice(0, SHOWN);
}

function seatOf(event: GameEvent): string | null {
  const seat = event.seat ?? event.to ?? event.by;
  return typeof seat === "string" && seat !== "" ? seat : null;
}

function sentence(
  event: GameEvent,
  text: Catalogue["log"],
  place: (territory: string) => string,
  person: (colour: string) => string,
  taken: string,
): string {
  const who = person(String(event.seat ?? ""));
  switch (event.event) {
    case "decided":
      return decision(String(event.action), text, place, taken);
    case "eliminated":
      return text.eliminated(who, person(String(event.by)));
    case "drew":
      return text.drew(who);
    case "traded":
      return text.traded(who, Number(event.armies));
    case "awarded":
      return text.received(who, Number(event.territories) + Number(event.continents) + Number(event.capitals) + Number(event.rewards));
    case "received":
      return text.received(who, Number(event.armies));
    case "turn_began":
      return text.turnBegan(who, Number(event.round));
    case "begins":
      return text.begins(who);
    case "won":
      return event.seat == null ? text.drawn : text.won(who);
    case "first_dice":
    case "dealt":
      return "";
    default:
      return event.text;
  }
}

/** The decisions that a reader wants to see; others show in what follows from them. */
function decision(action: string, text: Catalogue["log"], place: (territory: string) => string, taken: string): string {
  const [verb, first = "", second = "", third = "", fourth = ""] = action.split(" ");
  switch (verb) {
    case "claim":
      return text.claimed(place(first));
    case "place":
      return text.placed(Number(second), place(first));
    case "occupy":
      return text.movedIn(Number(first), taken);
    case "fortify":
      return second === "->" ? text.fortified(place(first), place(third), Number(fourth)) : "";
    case "capital":
      return text.capital(place(first));
    case "defend":
    case "end":
    case "trade":
      return "";
    default:
      return action;
  }
}
