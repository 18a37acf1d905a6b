/** The log as people read it: one line for an attack with all its rolls. */

import type { GameEvent, LogLine } from "../state/game.svelte";
import type { Catalogue } from "../texts/texts.svelte";
import type { Who } from "../texts/en/log";
import { motionText } from "./motions";
import { rollOf, type ShownRoll } from "./rolls";

/** Objectives and missions in words, by their ids. */
export interface Goals {
  readonly objective: (id: string) => string;
  readonly mission: (id: string) => string;
}

const NO_GOALS: Goals = { objective: (id) => id, mission: (id) => id };

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
  texts: Pick<Catalogue, "log" | "table">,
  place: (territory: string) => string,
  person: (colour: string) => Who,
  goals: Goals = NO_GOALS,
): LogEntry[] {
  const text = texts.log;
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
      const words = sentence(event, { text, table: texts.table, place, person, goals, taken: taken === "" ? "" : place(taken) });
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

/** With what an event is put into words. */
interface Wording {
  readonly text: Catalogue["log"];
  readonly table: Catalogue["table"];
  readonly place: (territory: string) => string;
  readonly person: (colour: string) => Who;
  readonly goals: Goals;
  /** The territory that was captured last. */
  readonly taken: string;
}

function sentence(event: GameEvent, wording: Wording): string {
  const { text, place, person, goals } = wording;
  const who = person(String(event.seat ?? ""));
  switch (event.event) {
    case "decided":
      return decision(String(event.action), who, wording);
    case "eliminated":
      return text.eliminated(who, person(String(event.by)));
    case "drew":
      return text.drew(who);
    case "traded":
      return text.traded(who, Number(event.armies));
    case "spoils_taken":
      return text.spoils(who, person(String(event.victim)), Number(event.count ?? 0) || (event.cards as unknown[]).length);
    case "discarded":
      return text.discarded(place(String(event.territory)), Number(event.armies));
    case "mission_shown":
      return text.missionShown(who, goals.mission(String(event.mission)));
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
    default:
      return QUIET.has(event.event) ? "" : (ofTable(event, who, wording) ?? event.text);
  }
}

/** Events that show elsewhere, or say nothing to a reader. */
const QUIET = new Set(["captured", "first_dice", "dealt", "presence", "silent", "sealed", "opened", "untyped"]);

/** What happens at the table beside the game; undefined for what is not known here. */
function ofTable(event: GameEvent, who: Who, { text, table, person }: Wording): string | undefined {
  const said = event.text;
  const motion = (words: string) => motionText(words, table, (colour) => person(colour).name);
  switch (event.event) {
    case "vote":
      return said.startsWith("-") ? text.unvoted(who, motion(said.slice(1))) : text.voted(who, motion(said));
    case "pause":
      return said === "on" ? text.paused : text.resumed;
    case "extend":
      return text.extended;
    case "bot":
      return said === "" ? text.playsAgain(who) : text.botPlays(who);
    case "late":
      return text.late(who);
    case "away":
      return said === "" ? text.back(who) : text.away(who, said.split(" ").slice(0, 2).join(" – "));
    case "erased":
      return text.erased(who);
    case "undo":
      return text.undone(who);
    case "fork":
      return text.forked;
    case "lost-lines":
      return text.linesLost;
    default:
      return undefined;
  }
}

/** The decisions that a reader wants to see; others show in what follows from them. */
function decision(action: string, who: Who, { text, place, goals, taken }: Wording): string {
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
    case "offer":
      return text.offered;
    case "objective":
      return text.objective(goals.objective(first), second === "airfield" ? place(third) : "");
    case "resign":
      return text.resigned(who);
    case "defend":
    case "end":
    case "trade":
    case "decline":
    case "withdraw":
    case "seal":
    case "standing":
    case "reveal":
      return "";
    default:
      return action;
  }
}
