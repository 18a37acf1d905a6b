/** A table against bots that starts at once. */

import { api } from "../../api/client";
import { account } from "../../state/account.svelte";
import { rememberPlay, type LastPlay } from "../../state/last_time";
import { route } from "../../state/route.svelte";
import { quickOptions } from "../../state/rulesets.svelte";
import { texts } from "../../texts/texts.svelte";

/** Open and start a table with these bots, and show its game; the next time offers the same. */
export async function playNow(wish: LastPlay): Promise<void> {
  const { ruleset, quick } = wish;
  const opponents = wish.bots.length;
  await account.required(texts().common.guestName);
  const bots = Object.fromEntries(wish.bots.map((bot, index) => [String(index + 1), bot]));
  const options = quick ? await quickOptions(ruleset) : {};
  const opened = await api.post("/api/v1/tables", {
    body: { ruleset, options, seats: opponents + 1, bots, access: "private", title: texts().start.against(opponents) },
  });
  const path = { game: opened.game };
  const [table, { sealInLobby }] = await Promise.all([
    api.get("/api/v1/tables/{game}", { path }),
    import("../../state/dice.svelte"),
  ]);
  if (table.your_seat !== null) await sealInLobby(opened.game, table.your_seat);
  await api.post("/api/v1/tables/{game}/start", { path });
  rememberPlay(wish);
  route.go(`/games/${opened.game}`);
}
