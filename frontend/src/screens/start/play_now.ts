/** A table against bots that starts at once. */

import { api } from "../../api/client";
import { account } from "../../state/account.svelte";
import { route } from "../../state/route.svelte";

/** Open and start a table with so many bots, and show its game. */
export async function playNow(ruleset: string, opponents: number): Promise<void> {
  await account.required("Guest");
  const bots = Object.fromEntries(
    Array.from({ length: opponents }, (_, index) => [String(index + 1), "greedy"]),
  );
  const opened = await api.post("/api/v1/tables", {
    body: { ruleset, seats: opponents + 1, bots, access: "private" },
  });
  await api.post("/api/v1/tables/{game}/start", { path: { game: opened.game } });
  route.go(`/games/${opened.game}`);
}
