/** What this browser finds when it checks the dice of a game by itself. */

import { Bad, check } from "../../../docs/check_dice.js";

export interface Proof {
  /** Null where all is right; else the first bad line, and why. */
  readonly bad: { readonly line: number; readonly why: string } | null;
  /** The checker's table: a title and its words. */
  readonly rows: readonly (readonly [string, string])[];
  readonly requests: number;
  readonly draws: number;
  /** Rolls of battles among the draws, and their dice: the same dice that the game and its review count. */
  readonly battleRolls: number;
  readonly battleDice: number;
  /** Requests in which a client of a seat took part, the most of any seat. */
  readonly withClient: number;
  readonly diceServer: boolean;
  readonly opened: boolean;
  readonly signatures: boolean;
  /** Milliseconds. */
  readonly took: number;
}

/** Check a transcript, line by line. */
export async function prove(transcript: string): Promise<Proof> {
  const began = performance.now();
  try {
    const { rows } = await check(transcript);
    return { ...counted(rows), ...battles(transcript), bad: null, rows, took: performance.now() - began };
  } catch (error) {
    if (!(error instanceof Bad)) throw error;
    const bad = { line: error.seq + 1, why: error.why };
    return { ...counted([]), ...battles(""), bad, rows: [], took: performance.now() - began };
  }
}

/** The rolls of battles in a transcript that was checked. */
export function battles(transcript: string): { battleRolls: number; battleDice: number } {
  let [battleRolls, battleDice] = [0, 0];
  for (const line of transcript.split("\n")) {
    if (!line.includes('"kind":"answer"')) continue;
    const { body } = JSON.parse(line) as { body: { draws: readonly { battle?: number[][] }[] } };
    for (const { battle } of body.draws) {
      if (battle === undefined) continue;
      battleRolls += 1;
      battleDice += battle.flat().length;
    }
  }
  return { battleRolls, battleDice };
}

/** The numbers of the checker's table. */
export function counted(rows: readonly (readonly [string, string])[]) {
  const words = (title: string) => rows.find(([name]) => name === title)?.[1] ?? "";
  const [, requests = "0", draws = "0"] = /^(\d+), (\d+) draws/.exec(words("requests")) ?? [];
  const took = rows.map(([, text]) => Number(/^took part in (\d+) of/.exec(text)?.[1] ?? 0));
  return {
    requests: Number(requests),
    draws: Number(draws),
    withClient: Math.max(0, ...took),
    diceServer: words("dice server").startsWith("independent"),
    opened: words("secrets").startsWith("open"),
    signatures: words("signatures").endsWith("checked") && words("signatures") !== "not checked",
  };
}
