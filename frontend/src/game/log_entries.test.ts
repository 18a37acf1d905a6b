import { expect, it } from "vitest";

import type { GameEvent } from "../state/game.svelte";
import { de } from "../texts/de/catalogue";
import { en } from "../texts/en/catalogue";
import { entries } from "./log_entries";

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
  expect(told.map((entry) => entry.text)).toEqual(["Offers a card", "Claims “Control Europe”, airfield in URAL"]);
});
