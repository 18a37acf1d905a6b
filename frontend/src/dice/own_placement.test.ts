import { expect, it } from "vitest";

import { bytesOf, H, hex } from "../../../docs/check_dice.js";
import { LINES, linesOf, RED, sceneOf } from "./example_red";
import type { JournalLine } from "./journal";
import { isSigned } from "./keys";
import { placementHash } from "./own_placement";
import { NotTaken } from "./part";
import { Participant } from "./participant";

interface Line<Body> {
  readonly body: Body;
}
const [SEALED = 0] = linesOf("sealed"); // of red
const [OPENED = 0] = linesOf("opened"); // of red, the first behind all seals
const { decision, hash: HASH } = (JSON.parse(LINES[SEALED]!) as Line<{ decision: number; hash: string }>).body;
const { text: TEXT, salt: SALT } = (JSON.parse(LINES[OPENED]!) as Line<{ text: string; salt: string }>).body;
const KEPT: JournalLine = { sealed: [HASH, decision, SALT, TEXT] };

/** `answer` may refuse what is sent. */
function scene(shown: string[], journal: readonly JournalLine[] = [], answer: (what: string) => void = () => undefined) {
  const empty = (what: string) => {
    answer(what);
    return {};
  };
  return sceneOf(shown, empty, journal);
}

/** What was sent to one of the routes. */
function bodies(sent: readonly { what: string; body: Record<string, unknown> }[], what: string) {
  return sent.filter((one) => one.what === what).map(({ body }) => body);
}

it("hashes the example's placement as the Python client does", () => {
  expect(placementHash("red", SALT, TEXT)).toBe(HASH);
  expect(placementHash("blue", SALT, TEXT)).not.toBe(HASH);
});

it("keeps text and salt before it sends the hash, and nothing but that", async () => {
  const { open, steps, sent, kept } = scene(LINES.slice(0, SEALED));
  const part = await open();
  await part.seal(decision, TEXT);
  expect(steps.indexOf("keep sealed")).toBeGreaterThanOrEqual(0);
  expect(steps.indexOf("keep sealed")).toBeLessThan(steps.indexOf("send sealed"));
  const [message] = bodies(sent, "sealed");
  const salt = kept.flatMap((line) => ("sealed" in line ? [line.sealed[2]] : []))[0]!;
  expect(message!.hash).toBe(placementHash("red", salt, TEXT));
  expect(Object.keys(message!).sort()).toEqual(["decision", "hash", "head", "id", "signature"]);
  expect(JSON.stringify(sent)).not.toContain(salt);
  const { genesisHead } = part.participant.checker;
  const signed = H("seal", genesisHead!, decision, bytesOf(String(message!.head)), bytesOf(String(message!.hash)));
  expect(isSigned(bytesOf(RED.key), signed, bytesOf(String(message!.signature)))).toBe(true);
});

it("signs the example's seal as it stands there", async () => {
  const { open, sent } = scene(LINES.slice(0, SEALED), [KEPT]);
  await (await open()).seal(decision, TEXT);
  const { signed } = (JSON.parse(LINES[SEALED]!) as Line<{ signed: { id: string; head: string; sig: string } }>).body;
  expect(bodies(sent, "sealed")).toEqual([{ decision, hash: HASH, id: signed.id, head: signed.head, signature: signed.sig }]);
});

it("sends the same hash again where the answer was lost, and no other one", async () => {
  const shown = LINES.slice(0, SEALED);
  let away = true;
  const { open, sent, steps } = scene(shown, [KEPT], () => {
    if (away) throw new NotTaken("", 0);
  });
  const part = await open();
  await expect(part.seal(decision, TEXT)).rejects.toThrow(NotTaken);
  shown.push(LINES[SEALED]!); // it had arrived
  away = false;
  await part.seal(decision, TEXT);
  expect(bodies(sent, "sealed").map(({ hash }) => hash)).toEqual([HASH, HASH]);
  expect(steps).toContain("note seal-accepted");
  expect(await part.seal(decision, "place siam 3")).toBeNull();
  await part.give();
  expect(part.participant.alarms).toEqual([]);
});

it("opens when all have sealed, not earlier, and after a restart too", async () => {
  const shown = LINES.slice(0, OPENED - 1);
  const { open, sent, steps } = scene(shown, [KEPT, { "seal-accepted": HASH }]);
  const part = await open();
  await part.give();
  await part.openPlacement();
  expect(part.participant.sealed).toBe("here");
  expect(sent).toEqual([]);
  shown.push(LINES[OPENED - 1]!);
  const later = await open();
  await later.give();
  await later.openPlacement();
  expect(steps.indexOf("keep opened")).toBeLessThan(steps.indexOf("send opened"));
  expect(bodies(sent, "opened")).toEqual([{ text: TEXT, salt: SALT }]);
  shown.push(LINES[OPENED]!);
  await later.give();
  await later.openPlacement();
  expect(bodies(sent, "opened")).toHaveLength(1);
  expect(later.participant.sealed).toBe("none");
  expect(later.participant.alarms).toEqual([]);
});

it("cannot open what another browser has sealed, and says so", async () => {
  const { open, sent } = scene(LINES.slice(0, OPENED));
  const part = await open();
  await part.give();
  await part.openPlacement();
  expect(part.participant.sealed).toBe("elsewhere");
  expect(sent).toEqual([]);
});

it("raises an alarm where another placement stands, or none", async () => {
  for (const [until, accepted] of [[SEALED + 1, hex(H("other"))], [SEALED, HASH]] as const) {
    const { open } = scene(LINES.slice(0, until), [{ "seal-accepted": accepted }]);
    const part = await open();
    await part.give();
    expect(part.participant.alarms.map(({ code }) => code)).toEqual(["other-placement"]);
    expect(await part.seal(decision, TEXT)).toBeNull();
  }
});

it("raises an alarm where an opening that the server has taken is denied", () => {
  const one = new Participant("example", "red", RED);
  one.placement.opened = HASH;
  expect(one.placement.fault("opened", { text: null })).toBe(""); // it may have come too late
  expect(one.placement.doubt("opened", { text: null })).toContain("did not open");
  one.placement.denied = true;
  one.openingAccepted();
  expect(one.alarms.map(({ code }) => code)).toEqual(["other-placement"]);
  expect(one.placement.doubt("opened", { text: null })).toBe("");
  expect(one.placement.fault("opened", { text: TEXT })).toBe("");
});
