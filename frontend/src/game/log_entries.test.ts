import { expect, it } from "vitest";

import type { GameEvent } from "../state/game.svelte";
import { de } from "../texts/de/catalogue";
import { en } from "../texts/en/catalogue";
import { entries, keepingEqual } from "./log_entries";

const person = (colour: string) => ({ name: colour === "red" ? "Ann" : "Mateo", me: colour === "red" });
const place = (territory: string) => territory.toUpperCase();
const lines = (events: GameEvent[], texts = en) =>
  entries([{ index: 1, at: 0, events }], texts, place, person).map((entry) => entry.text);
const event = (name: string, more: Record<string, unknown> = {}): GameEvent => ({ event: name, text: "", ...more });

it("speaks to its reader, and of the others by their names", () => {
  const drawn = [event("drew", { seat: "red" }), event("drew", { seat: "blue" })];
  expect(lines(drawn)).toEqual(["Mateo draws a card", "You draw a card"]);
  expect(lines(drawn, de)).toEqual(["Mateo zieht eine Karte", "Du ziehst eine Karte"]);
});

it("puts votes and what else happens at the table into words", () => {
  const told = [
    event("vote", { seat: "blue", text: "replace red" }),
    event("vote", { seat: "blue", text: "-draw" }),
    event("pause", { seat: "", text: "on" }),
    event("bot", { seat: "red", text: "greedy" }),
    event("away", { seat: "blue", text: "2026-12-24 2026-12-31 greedy" }),
  ];
  expect(lines(told).reverse()).toEqual([
    "Mateo votes: A bot for Ann",
    "Mateo withdraws the vote: Draw",
    "The game is paused",
    "A bot plays for you",
    "Mateo is away: 2026-12-24 – 2026-12-31",
  ]);
});

it("shows no ids and nothing that has no meaning for a reader", () => {
  const decided = ["objective OB02 airfield ural", "offer alaska", "standing red all max", "end turn"];
  const told = entries(
    [{ index: 1, at: 0, events: decided.map((action) => event("decided", { seat: "red", action })) }],
    en,
    place,
    person,
    { objective: () => "Control Europe", mission: (id) => id },
  );
  expect(told.map((entry) => entry.text)).toEqual(["You offer a card", "You claim “Control Europe”, with an airfield in URAL"]);
});

const roll = (more: Record<string, unknown> = {}) =>
  event("rolled", {
    attacker: "red", defender: "blue", source: "brazil", target: "peru", roll: { attack: [6, 4, 2], defence: [5, 5] },
    winners: ["attacker", "defender"], attacker_lost: 1, defender_lost: 1, attacker_armies: 5, defender_armies: 2, ...more,
  });
const decided = (action: string) => event("decided", { seat: "red", action });

it("tells an attack in one line: who took what from whom, the armies before it, and every roll", () => {
  const told = [roll(), decided("attack brazil -> peru 3"), roll({ attacker_armies: 4, attacker_lost: 0 }), event("captured", { seat: "red", territory: "peru" })];
  const [entry] = entries([{ index: 1, at: 0, events: told }], en, place, person);
  expect(entry?.text).toBe("You take PERU from Mateo (from BRAZIL, 5\u00a0against\u00a02)");
  expect(entry?.losses).toBe("You lose 1, Mateo loses 2");
  expect(entry?.places).toEqual(["brazil", "peru"]);
  expect(entry?.rolls.map((each) => [each.number, each.attackerLost])).toEqual([[1, 1], [2, 0]]);
  expect(lines(told, de)).toEqual(["Du eroberst PERU von Mateo (aus BRAZIL, 5\u00a0gegen\u00a02)"]);
});

it("keeps the key of an attack that goes on, and tells an older log without the armies", () => {
  const old = roll({ attacker_armies: undefined, defender_armies: undefined });
  const after = (events: GameEvent[]) => entries([{ index: 7, at: 0, events }], en, place, person)[0];
  expect(after([old])?.text).toBe("You attack Mateo in PERU (from BRAZIL)");
  expect(after([old])?.key).toBe(after([old, old])?.key);
});

it("shows no dice where the reader may not see them, and still tells the losses", () => {
  const [entry] = entries([{ index: 1, at: 0, events: [roll({ roll: null, winners: [] })] }], en, place, person);
  expect(entry?.rolls).toEqual([]);
  expect(entry?.losses).toBe("You lose 1, Mateo loses 1");
});

it("says of every decision who took it", () => {
  const told = ["claim ural", "place ural 1", "occupy 3", "fortify ural -> china 2", "capital ural", "resign red"].map(decided);
  expect(lines(told).reverse()).toEqual([
    "You claim URAL", "You place 1 army on URAL", "You move 3 armies in", "You move 2 armies from URAL to CHINA", "You make URAL your capital", "You resign",
  ]);
  expect(lines([event("eliminated", { seat: "blue", by: "red" }), event("turn_began", { seat: "blue", round: 2 })])).toEqual([
    "Mateo’s turn begins (round 2)", "You eliminate Mateo",
  ]);
});

it("keeps what says the same: only what is new is drawn anew", () => {
  const read = (...events: GameEvent[]) => entries(events.map((each, index) => ({ index, at: 0, events: [each] })), en, place, person);
  const before = read(decided("claim ural"), roll());
  const after = keepingEqual(before, read(decided("claim ural"), roll(), roll()));
  expect(after.map((entry) => before.includes(entry))).toEqual([false, true]);
  expect(after[0]?.rolls).toHaveLength(2);
});
