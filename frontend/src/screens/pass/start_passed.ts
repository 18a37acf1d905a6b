/** Opens a table for the people at one device: each seat has an account of its own. */

import { apiOf, Refused } from "../../api/client";
import { USUAL_BOT } from "../../state/bots";
import { passedGames, type PassedSeat } from "../../state/passed_games.svelte";
import { quickOptions } from "../../state/rulesets.svelte";

/** Who plays what. */
export interface PassWish {
  readonly ruleset: string;
  readonly people: readonly { readonly name: string; readonly colour: string }[];
  readonly bots: readonly string[];
  readonly quick: boolean;
  /** Defenders choose their dice; otherwise they roll as many as the rules allow. */
  readonly askDefenders: boolean;
}

const NOBODY = apiOf("");
const LONGEST_TITLE = 60;

/** Start the game; returns its id. */
export async function startPassed(wish: PassWish): Promise<string> {
  const seats: PassedSeat[] = [];
  for (const { name, colour } of wish.people) {
    const { token } = await NOBODY.post("/api/v1/guest", { body: { name } });
    seats.push({ name, colour, token });
  }
  const [host, ...others] = seats;
  if (host === undefined) throw new Error("Nobody plays.");
  const title = wish.people.map(({ name }) => name).join(", ").slice(0, LONGEST_TITLE);
  const opened = await apiOf(host.token).post("/api/v1/tables", {
    body: {
      ruleset: wish.ruleset,
      options: wish.quick ? await quickOptions(wish.ruleset) : {},
      seats: [...wish.people.map(({ colour }) => colour), ...wish.bots],
      bots: Object.fromEntries(wish.bots.map((_, index) => [String(wish.people.length + index), USUAL_BOT])),
      access: "link",
      title,
      // One device cannot speak for several seats at once: rolls need not wait for their secrets.
      settings: { entropy_wait: 0 },
    },
  });
  const path = { game: opened.game };
  const invite = opened.invite ?? "";
  for (const { colour, token } of others) {
    await apiOf(token).post("/api/v1/tables/{game}/join", { path, body: { colour, invite } });
  }
  passedGames.add({ id: opened.game, invite, title, seats });
  await apiOf(host.token).post("/api/v1/tables/{game}/start", { path });
  await Promise.all(seats.map((seat) => defend(opened.game, seat, wish.askDefenders ? "none" : "max")));
  return opened.game;
}

/** A standing order for the defence, or none; some rulesets leave no choice anyway. */
async function defend(game: string, { colour, token }: PassedSeat, dice: "max" | "none"): Promise<void> {
  const body = { text: `standing ${colour} all ${dice}` };
  await apiOf(token).post("/api/v1/games/{game}/out-of-turn", { path: { game }, body }).catch((error: unknown) => {
    if (!(error instanceof Refused)) throw error;
  });
}
