import { expect, it, vi } from "vitest";

import type { Game } from "../state/game.svelte";
import { Turn } from "./turn.svelte";

function at(undoable: boolean) {
  const undo = vi.fn(async () => true);
  const turn = new Turn({ view: { undoable, position: { territories: {} } }, legal: null, undo } as unknown as Game);
  return { turn, undo };
}

it("takes the last decision back where the server says that it can be", async () => {
  const { turn, undo } = at(true);
  expect(turn.undoable).toBe(true);
  await turn.undo();
  expect(undo).toHaveBeenCalledOnce();
});

it("asks the server nothing where there is nothing to take back", async () => {
  const { turn, undo } = at(false);
  expect(turn.undoable).toBe(false);
  await turn.undo();
  expect(undo).not.toHaveBeenCalled();
});

it("takes back what was not sent yet without the server", async () => {
  const { turn, undo } = at(false);
  turn.placed = { alaska: 2 };
  expect(turn.undoable).toBe(true);
  await turn.undo();
  expect(turn.placed).toEqual({});
  expect(turn.undoable).toBe(false);
  expect(undo).not.toHaveBeenCalled();
});
