import { expect, it } from "vitest";

import type { ActionRange } from "../state/game.svelte";

const SOURCES = import.meta.glob<string>(["./*.svelte", "./*.ts"], { query: "?raw", import: "default", eager: true });

/** Where each kind of action has its control; the type is complete by the server's own document. */
const CONTROLS: Record<ActionRange["kind"], string> = {
  claim: "./turn.svelte.ts",
  place_capital: "./SetupPanel.svelte",
  place: "./turn.svelte.ts",
  seal: "./Tray.svelte",
  offer: "./CardsPanel.svelte",
  withdraw: "./CardsPanel.svelte",
  trade: "./CardsPanel.svelte",
  attack: "./turn.svelte.ts",
  defend_with: "./DefendPanel.svelte",
  occupy: "./turn.svelte.ts",
  end_attack: "./Tray.svelte",
  claim_objective: "./ObjectivesPanel.svelte",
  decline: "./ObjectivesPanel.svelte",
  fortify: "./turn.svelte.ts",
  end_turn: "./Tray.svelte",
  standing_order: "./DefendPanel.svelte",
  resign: "./TableDialog.svelte",
  reveal_mission: "./MissionPanel.svelte",
};

it.each(Object.entries(CONTROLS))("%s has its control in %s", (kind, file) => {
  const source = SOURCES[file] ?? "";
  const verb = kind === "resign" ? "`resign $" : `"${kind}"`; // its text is written, not chosen
  expect(source).toContain(verb);
});
