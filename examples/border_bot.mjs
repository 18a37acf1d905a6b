// A bot in JavaScript: rubicon play --watch --seats "exec:node examples/border_bot.mjs,greedy,greedy"
// The messages are described in docs/bots.md.
import { createInterface } from "node:readline";

let board;
let seat;

const say = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);

/** What to do: an action or orders. */
function choose({ view, legal }) {
  const lands = view.territories;
  const enemies = (id) =>
    board.territories[id].neighbours.filter((other) => lands[other].owner !== seat);
  const mine = Object.keys(lands).filter((id) => lands[id].owner === seat);
  const borders = mine
    .filter((id) => enemies(id).length > 0)
    .sort((a, b) => lands[b].armies - lands[a].armies);
  if (view.phase === "reinforce") {
    return { orders: `TRADE BEST; DEPLOY REST ${borders[0]}` };
  }
  if (view.phase === "attack") {
    for (const from of borders) {
      const to = enemies(from).sort((a, b) => lands[a].armies - lands[b].armies)[0];
      if (lands[from].armies > 2 * lands[to].armies + 1) {
        return { orders: `ATTACK ${from} -> ${to} UNTIL LEFT 2 ADVANCE ALL` };
      }
    }
    return { orders: "END TURN" };
  }
  // The last range in its highest number: all armies move in, all dice defend, the turn ends.
  return { action: legal[legal.length - 1].highest };
}

for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line);
  if (message.kind === "hello") {
    ({ board, seat } = message);
    say({ kind: "ready", version: 1, name: "border bot" });
  } else if (message.kind === "decide") {
    say({ kind: "answer", number: message.number, ...choose(message) });
  } else if (message.kind === "over") {
    break;
  }
}
process.exit();
