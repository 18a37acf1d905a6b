// The vectors of docs/fair-dice.md.
import { expect, it } from "vitest";

import { bytesOf, Checker, H, hex } from "../../../docs/check_dice.js";
import DOCUMENT from "../../../docs/fair-dice.md?raw";
import { LINES, RED } from "./example_red";
import { isSigned, publicKey, sign } from "./keys";
import { LONGEST, OwnChain } from "./own_chain";

const GENESIS = JSON.parse(LINES[0]!) as { body: { participants: { red: unknown } } };

function vector(name: string): string {
  const [, found = ""] = new RegExp(`^\\| ${name} \\| \`([0-9a-f]{64})\``, "m").exec(DOCUMENT) ?? [];
  return found;
}

it("makes red's chain of the example", () => {
  expect(RED.key).toBe(vector("red's public key"));
  expect(hex(RED.id)).toBe(vector("red's chain id"));
  expect(hex(RED.link(64))).toBe(vector("red's end, c_64"));
  expect(hex(RED.link(63))).toBe(vector("red's link for request 0, c_63"));
  expect(RED.deposit).toEqual(GENESIS.body.participants.red);
});

it("has each link of a long chain", () => {
  const chain = OwnChain.made("table", "red");
  let link = chain.link(0);
  for (let k = 1; k <= LONGEST; k++) {
    link = H("chain", chain.id, k, link);
    if (k % 97 === 0 || k > LONGEST - 3) expect(hex(chain.link(k))).toBe(hex(link));
  }
  expect(hex(link)).toBe(chain.deposit.end);
  expect(() => chain.link(LONGEST + 1)).toThrow(RangeError);
});

it("signs, and finds every signature of the example right", () => {
  const key = H("a key");
  const signature = sign(key, H("text"));
  expect(isSigned(publicKey(key), H("text"), signature)).toBe(true);
  expect(isSigned(publicKey(key), H("other text"), signature)).toBe(false);
  const checker = new Checker([]);
  LINES.forEach((line, seq) => checker.line(seq, line));
  expect(checker.pending.length).toBeGreaterThan(20);
  for (const { keys, sig, message } of checker.pending) {
    expect(keys.some((each) => isSigned(bytesOf(each), message, bytesOf(sig)))).toBe(true);
  }
});
