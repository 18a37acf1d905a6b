import { expect, it } from "vitest";

import { LINES, linesOf, sceneOf } from "./example_red";
import { NotTaken } from "./part";

const [REQUEST = 0] = linesOf("request");

/** The server's receipts are not signed by its key, or it refuses what is sent. */
function scene(shown: readonly string[], refusal: NotTaken | null = null) {
  return sceneOf(shown, () => {
    if (refusal !== null) throw refusal;
    return { signature: "00" };
  });
}

it("keeps a link before it sends it, and never gives one for two histories", async () => {
  const { kept, steps, open } = scene(LINES.slice(0, REQUEST + 1), new NotTaken("", 0));
  const part = await open();
  await part.give();
  expect(steps.indexOf("keep given")).toBeGreaterThanOrEqual(0);
  expect(steps.indexOf("keep given")).toBeLessThan(steps.indexOf("send link"));
  steps.length = 0;
  await (await open()).give(); // after a restart: the same one again
  expect(steps).toEqual(["send link"]);
  const other = kept.findIndex((line) => "given" in line);
  kept[other] = { given: [0, REQUEST, "00".repeat(32), "00".repeat(32)] };
  kept.splice(0, kept.length, ...kept.filter((line) => !("line" in line))); // no lines: they come again
  steps.length = 0;
  const again = await open();
  await again.give();
  expect(again.participant.alarms[0]?.code).toBe("two-histories");
  expect(steps).not.toContain("send link");
});

it("takes a receipt that is not signed for an alarm", async () => {
  const { open, kept } = scene(LINES.slice(0, REQUEST + 1));
  const part = await open();
  await part.give();
  expect(part.participant.alarms[0]?.code).toBe("no-receipt");
  expect(kept.some((line) => "alarm" in line)).toBe(true);
});

it("shows the server the lines that it has lost", async () => {
  const shown = [...LINES.slice(0, REQUEST + 1)];
  const { open, steps } = scene(shown, new NotTaken("", 0));
  const part = await open();
  await part.read();
  shown.pop();
  await expect(part.read()).rejects.toThrow(NotTaken); // the server is away: it is tried again
  expect(steps).toContain("send ahead");
  expect(part.participant.alarms).toEqual([]);
});

it("keeps a signed order before anybody sees it", async () => {
  const { open, steps } = scene(LINES.slice(0, REQUEST));
  const part = await open();
  await part.read();
  const signed = await part.signed(7, " attack a -> b\n");
  expect(signed).toMatchObject({ id: "red" });
  expect(steps.at(-1)).toBe("keep signed");
});
