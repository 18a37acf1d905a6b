/** What was played last on this device, to play the same again. It is kept in the browser alone. */

const KEY = "rubicon.last";

/** A game against bots that began at once. */
export interface LastPlay {
  ruleset: string;
  /** The bot of each opponent. */
  bots: readonly string[];
  quick: boolean;
}

/** A table that was opened for people. */
export interface LastTable {
  id: string;
  ruleset: string;
  options: Readonly<Record<string, string>>;
  seats: number;
  access: string;
  settings: Readonly<Record<string, unknown>>;
  /** The bots that sat there when it began, by the number of their seat. */
  bots: Readonly<Record<string, string>>;
}

interface Kept {
  play?: LastPlay;
  table?: LastTable;
}

function kept(): Kept {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    return typeof found === "object" && found !== null ? found : {};
  } catch {
    return {}; // no storage, or something else wrote there
  }
}

function keep(change: Kept): void {
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...kept(), ...change }));
  } catch {
    // a private window without storage: nothing is remembered
  }
}

export const lastPlay = (): LastPlay | null => kept().play ?? null;
export const lastTable = (): LastTable | null => kept().table ?? null;
export const rememberPlay = (play: LastPlay): void => keep({ play });
export const rememberTable = (table: LastTable): void => keep({ table });

/** Add the bots with which a table has begun, if it is the one that was opened here last. */
export function rememberBots(id: string, bots: Readonly<Record<string, string>>): void {
  const table = lastTable();
  if (table?.id === id) rememberTable({ ...table, bots });
}
