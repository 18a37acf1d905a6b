import { expect, it } from "vitest";

import { hex } from "../../../docs/check_dice.js";
import { LINES, linesOf, RED } from "./example_red";
import { Participant } from "./participant";

const [REQUEST = 0, SECOND = 0] = linesOf("request");
const [ANSWER = 0] = linesOf("answer");

interface Asked {
  readonly body: { readonly seat: string; readonly decision: number; readonly signed: { id: string; sig: string } | null };
}

/** The requests that red has signed. */
const SIGNED = linesOf("request")
  .map((seq) => ({ seq, ...(JSON.parse(LINES[seq]!) as Asked).body }))
  .filter(({ seat, signed }) => seat === "red" && signed !== null);

/** Red's program as it was behind so many lines. */
function red(until: number, orders = SIGNED): Participant {
  const one = new Participant("example", "red", RED);
  one.connected = true;
  for (const { decision, signed } of orders) one.orders.sign(decision, signed!.id, signed!.sig, `order ${decision}`);
  for (const line of LINES.slice(0, until)) one.follow(line);
  return one;
}

it("follows the example to its end", () => {
  const one = red(LINES.length);
  expect(one.alarms).toEqual([]);
  expect(one.closed).toBe(true);
  expect(one.diceWithLink).toBeGreaterThan(5);
});

it("gives the next link and none but that, signed as in the example", () => {
  const one = red(REQUEST + 1);
  const answer = JSON.parse(LINES[ANSWER]!) as { body: { links: { red: { link: string; sig: string } } } };
  const message = one.give()!;
  expect(message.link).toBe(hex(RED.link(63)));
  expect(message).toMatchObject({ n: 0, fresh: true, signature: answer.body.links.red.sig });
  expect(one.give()).toMatchObject({ link: message.link, fresh: false });
  one.follow(LINES[ANSWER]!);
  expect(one.give()).toBeNull();
});

it("gives nothing behind a head other than the one it gave a link for", () => {
  const one = red(REQUEST);
  one.given.set(0, { head: "00".repeat(32), link: "" });
  one.follow(LINES[REQUEST]!);
  expect(one.alarms.map(({ code }) => code)).toEqual(["two-histories"]);
  expect(one.give()).toBeNull();
});

it("raises an alarm at another die, and follows no further", () => {
  const one = red(ANSWER);
  const changed = LINES[ANSWER]!.replace(/(\d)\](?!.*\d\])/, (_, face: string) => `${(Number(face) % 6) + 1}]`);
  expect(one.follow(changed)).toBe(false);
  expect(one.follow(LINES[ANSWER]!)).toBe(false);
  expect(one.alarms[0]).toMatchObject({ code: "bad-line", seq: ANSWER });
});

it("raises an alarm at a signature that is not the server's", () => {
  const one = red(REQUEST);
  expect(one.follow(LINES[REQUEST]!.replace(/"sig":"[0-9a-f]{64}(?=[0-9a-f]{64}"\}$)/, `"sig":"${"11".repeat(32)}`))).toBe(false);
  expect(one.alarms[0]?.message).toContain("signature");
});

it("notices a silence behind a receipt", () => {
  const one = red(0);
  for (const line of LINES) {
    const { kind, body } = JSON.parse(line) as { kind: string; body: { n: number } };
    if (kind === "answer" && one.me?.present) {
      one.given.set(body.n, { head: "", link: "" });
      one.receipts.add(body.n);
    }
    if (!one.follow(line)) break;
  }
  expect(one.alarms[0]?.code).toBe("false-silence"); // red is silent in request 3
});

it("notices that its deposit was left out, and somebody else's key", () => {
  const left = new Participant("example", "green");
  left.inLobby = true;
  left.furtherDevice = false;
  left.follow(LINES[0]!);
  expect(left.alarms[0]?.code).toBe("left-out");
  const other = new Participant("example", "red");
  other.furtherDevice = false;
  other.follow(LINES[0]!);
  expect(other.alarms[0]?.code).toBe("other-key");
});

it("notices lines that the server hides", () => {
  const one = red(SECOND);
  one.compare(one.witness);
  expect(one.alarms).toEqual([]);
  one.compare(`${SECOND}:00`);
  expect(one.alarms[0]?.code).toBe("hidden-lines");
});

it("notices an order that it never signed, or that was refused", () => {
  const [mine] = SIGNED;
  expect(red(mine!.seq + 1, []).alarms[0]?.code).toBe("other-order");
  const refused = red(mine!.seq);
  refused.accepted(mine!.decision, "another order");
  refused.follow(LINES[mine!.seq]!);
  expect(refused.alarms[0]?.code).toBe("other-order");
  const honest = red(mine!.seq);
  honest.accepted(mine!.decision, `order ${mine!.decision}`);
  honest.follow(LINES[mine!.seq]!);
  expect(honest.alarms).toEqual([]);
});
