import { beforeEach, expect, test, vi } from "vitest";

import { MOST_PASSED, nextToDecide, type PassedGame, passedGames } from "./passed_games.svelte";

const game = (id: string): PassedGame => ({
  id,
  invite: "watch",
  title: "Ann, Bob",
  seats: ["red", "blue"].map((colour) => ({ colour, name: colour, token: `secret of ${colour}` })),
});

beforeEach(() => passedGames.all.forEach(({ id }) => passedGames.remove(id)));

test("games outlive the page, and a removed one leaves no token behind", async () => {
  passedGames.add(game("a"));
  passedGames.add(game("b"));
  vi.resetModules();
  const { passedGames: again } = await import("./passed_games.svelte");
  expect(again.all).toEqual([game("b"), game("a")]);
  again.remove("b");
  again.remove("a");
  expect(localStorage.getItem("rubicon.passed")).toBe("[]");
});

test("a device has room for so many games", () => {
  for (let count = 0; count < MOST_PASSED; count++) {
    expect(passedGames.full).toBe(false);
    passedGames.add(game(String(count)));
  }
  expect(passedGames.full).toBe(true);
});

test("the device goes to a person who must decide, never to a bot", () => {
  const { seats } = game("a");
  expect(nextToDecide(seats, { green: null })).toBeNull();
  expect(nextToDecide(seats, { green: null, blue: null })?.colour).toBe("blue");
  expect(nextToDecide(seats, { blue: null, red: null })?.colour).toBe("red");
});
