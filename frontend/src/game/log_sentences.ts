/** The events of a game in sentences: who does what. */

import type { GameEvent } from "../state/game.svelte";
import type { Catalogue } from "../texts/texts.svelte";
import type { Who } from "../texts/en/log";
import { motionText } from "./motions";

/** Objectives and missions in words, by their ids. */
export interface Goals {
  readonly objective: (id: string) => string;
  readonly mission: (id: string) => string;
}

/** With what an event is put into words. */
export interface Wording {
  readonly text: Catalogue["log"];
  readonly table: Catalogue["table"];
  readonly place: (territory: string) => string;
  readonly person: (colour: string) => Who;
  readonly goals: Goals;
  /** The territory that was captured last. */
  readonly taken: string;
}

/** What an event says; "" where it says nothing to a reader. */
export function sentence(event: GameEvent, wording: Wording): string {
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
    case "master":
      return said.startsWith("ANNOUNCE ") ? text.announced(said.slice("ANNOUNCE ".length)) : text.masterAsked(said);
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
      return text.claimed(who, place(first));
    case "place":
      return text.placed(who, Number(second), place(first));
    case "occupy":
      return text.movedIn(who, Number(first), taken);
    case "fortify":
      return second === "->" ? text.fortified(who, place(first), place(third), Number(fourth)) : "";
    case "capital":
      return text.capital(who, place(first));
    case "offer":
      return text.offered(who);
    case "objective":
      return text.objective(who, goals.objective(first), second === "airfield" ? place(third) : "");
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
