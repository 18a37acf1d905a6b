/** The log as people read it: one line for an attack with all its rolls. */

import type { GameEvent, LogLine } from "../state/game.svelte";
import type { Catalogue } from "../texts/texts.svelte";
import type { Armies, Who } from "../texts/en/log";
import { sentence, type Goals } from "./log_sentences";
import { rollOf, type ShownRoll } from "./rolls";

const NO_GOALS: Goals = { objective: (id) => id, mission: (id) => id };

export interface LogEntry {
  readonly key: string;
  readonly seat: string | null;
  readonly text: string;
  /** What a battle cost both sides. */
  readonly losses: string;
  /** All rolls of a battle whose dice the reader may see, in order. */
  readonly rolls: readonly ShownRoll[];
  /** The territories that it speaks of. */
  readonly places: readonly string[];
}

const SHOWN = 120;

interface Battle {
  readonly key: string;
  readonly from: string;
  readonly to: string;
  readonly attacker: string;
  readonly defender: string;
  /** Before the first roll; null where the log does not have them. */
  readonly armies: Armies | null;
  count: number;
  attackerLost: number;
  defenderLost: number;
  readonly rolls: ShownRoll[];
  captured: boolean;
}

/** The newest entries first. */
export function entries(
  log: readonly LogLine[],
  texts: Pick<Catalogue, "log" | "table">,
  place: (territory: string) => string,
  person: (colour: string) => Who,
  goals: Goals = NO_GOALS,
): LogEntry[] {
  const text = texts.log;
  const found: LogEntry[] = [];
  let battle: Battle | null = null;
  let taken = ""; // what was captured last: armies move in there
  const close = () => {
    if (battle !== null) found.push(battleEntry(battle, text, place, person));
    battle = null;
  };
  for (const line of log) {
    line.events.forEach((event, index) => {
      const key = `${line.index}.${index}`;
      if (event.event === "rolled") {
        if (battle !== null && (battle.from !== event.source || battle.to !== event.target)) close();
        battle ??= begun(event, key);
        battle.count += 1;
        battle.attackerLost += Number(event.attacker_lost);
        battle.defenderLost += Number(event.defender_lost);
        const roll = rollOf(event);
        if (roll !== null) battle.rolls.push({ ...roll, number: battle.count });
        return;
      }
      if (event.event === "captured") taken = String(event.territory);
      if (event.event === "captured" && battle?.to === String(event.territory)) {
        battle.captured = true;
        close();
        return;
      }
      // The order to roll on, and the choice of dice, stand between the rolls of one battle.
      if (event.event === "decided" && /^(attack|defend) /.test(String(event.action))) return;
      close();
      const words = sentence(event, { text, table: texts.table, place, person, goals, taken: taken === "" ? "" : place(taken) });
      if (words !== "") found.push({ key, seat: seatOf(event), text: words, losses: "", rolls: [], places: placesOf(event, taken) });
    });
  }
  close();
  return found.reverse().slice(0, SHOWN);
}

/** The entries, and for each that says the same as a known one that one itself. */
export function keepingEqual(known: readonly LogEntry[], found: readonly LogEntry[]): LogEntry[] {
  const before = new Map(known.map((entry) => [entry.key, entry]));
  return found.map((entry) => {
    const same = before.get(entry.key);
    return same !== undefined && areEqual(same, entry) ? same : entry;
  });
}

/** A battle only gets more rolls: those that it has stay as they are. */
function areEqual(one: LogEntry, other: LogEntry): boolean {
  return one.text === other.text && one.losses === other.losses && one.seat === other.seat && one.rolls.length === other.rolls.length;
}

function begun(event: GameEvent, key: string): Battle {
  const armies = { attacker: Number(event.attacker_armies ?? 0), defender: Number(event.defender_armies ?? 0) };
  return {
    key,
    from: String(event.source),
    to: String(event.target),
    attacker: String(event.attacker),
    defender: String(event.defender),
    armies: armies.attacker > 0 ? armies : null,
    count: 0,
    attackerLost: 0,
    defenderLost: 0,
    rolls: [],
    captured: false,
  };
}

function battleEntry(battle: Battle, text: Catalogue["log"], place: (territory: string) => string, person: (colour: string) => Who): LogEntry {
  const [attacker, defender] = [person(battle.attacker), person(battle.defender)];
  const [to, from] = [place(battle.to), place(battle.from)];
  return {
    key: `battle ${battle.key}`,
    seat: battle.attacker,
    text: (battle.captured ? text.took : text.attacked)(attacker, defender, to, from, battle.armies),
    losses: text.battleLosses(attacker, battle.attackerLost, defender, battle.defenderLost),
    rolls: battle.rolls,
    places: [battle.from, battle.to],
  };
}

/** The territories of an event, by their ids. */
function placesOf(event: GameEvent, taken: string): string[] {
  if (typeof event.territory === "string") return [event.territory];
  const [verb, first = "", , third = ""] = event.event === "decided" ? String(event.action).split(" ") : [];
  switch (verb) {
    case "claim":
    case "place":
    case "capital":
      return [first];
    case "occupy":
      return taken === "" ? [] : [taken];
    case "fortify":
      return third === "" ? [] : [first, third];
    default:
      return [];
  }
}

function seatOf(event: GameEvent): string | null {
  const seat = event.seat ?? event.to ?? event.by;
  return typeof seat === "string" && seat !== "" ? seat : null;
}
