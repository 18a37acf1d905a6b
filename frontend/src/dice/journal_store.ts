/** The journal in the browser's database: what must be on the disk is there before it is sent. */

import type { JournalLine, JournalStore } from "./journal";

const DATABASE = "rubicon-dice";
const LINES = "lines"; // by game, seat and number
const LEASES = "leases"; // by game and seat, where the browser has no locks
const LEASE = 10_000; // milliseconds without a sign of life of another tab

/** Nothing can be kept here: without that, taking part would be unsafe. */
export class NoStorage extends Error {}

/** Another tab has written this journal meanwhile. */
export class Overtaken extends Error {}

/** Wait until no other tab writes this journal, and open it; `signal` ends the waiting. */
export async function openJournal(game: string, seat: string, signal: AbortSignal): Promise<JournalStore> {
  const database = await openDatabase();
  void navigator.storage?.persist?.().catch(() => false); // asked for, not needed
  try {
    const unlock = await lock(database, `${game} ${seat}`, signal);
    return new DatabaseJournal(database, [game, seat], unlock);
  } catch (error) {
    database.close();
    throw error;
  }
}

/** What is kept of a game and seat, without a lock. */
export async function readJournal(game: string, seat: string): Promise<JournalLine[]> {
  const database = await openDatabase();
  try {
    return await new DatabaseJournal(database, [game, seat], () => undefined).read();
  } finally {
    database.close();
  }
}

class DatabaseJournal implements JournalStore {
  readonly #database: IDBDatabase;
  readonly #name: [string, string];
  readonly #unlock: () => void;
  #length = 0;

  constructor(database: IDBDatabase, name: [string, string], unlock: () => void) {
    this.#database = database;
    this.#name = name;
    this.#unlock = unlock;
  }

  async read(): Promise<JournalLine[]> {
    const all = IDBKeyRange.bound(this.#name, [...this.#name, []]); // an array is above all numbers
    const request = this.#database.transaction(LINES).objectStore(LINES).getAll(all);
    const lines = (await answered(request)) as JournalLine[];
    this.#length = lines.length;
    return lines;
  }

  /** The numbers of lines are never used twice: of two tabs only one can go on. */
  async add(lines: readonly JournalLine[], durable: boolean): Promise<void> {
    const transaction = this.#database.transaction(LINES, "readwrite", { durability: durable ? "strict" : "relaxed" });
    const store = transaction.objectStore(LINES);
    for (const line of lines) store.add(line, [...this.#name, this.#length++]);
    await committed(transaction);
  }

  close(): void {
    this.#unlock();
    this.#database.close();
  }
}

function openDatabase(): Promise<IDBDatabase> {
  return new Promise((done, fail) => {
    let request: IDBOpenDBRequest;
    try {
      request = indexedDB.open(DATABASE, 1);
    } catch (error) {
      fail(new NoStorage(String(error)));
      return;
    }
    request.onupgradeneeded = () => {
      request.result.createObjectStore(LINES);
      request.result.createObjectStore(LEASES);
    };
    request.onsuccess = () => done(request.result);
    request.onerror = () => fail(new NoStorage(String(request.error)));
  });
}

function answered<Found>(request: IDBRequest<Found>): Promise<Found> {
  return new Promise((done, fail) => {
    request.onsuccess = () => done(request.result);
    request.onerror = () => fail(new NoStorage(String(request.error)));
  });
}

function committed(transaction: IDBTransaction): Promise<void> {
  return new Promise((done, fail) => {
    transaction.oncomplete = () => done();
    transaction.onabort = () => {
      const taken = transaction.error?.name === "ConstraintError";
      fail(taken ? new Overtaken() : new NoStorage(String(transaction.error)));
    };
  });
}

/** Wait for the lock of a journal; what is returned lets go of it. */
function lock(database: IDBDatabase, name: string, signal: AbortSignal): Promise<() => void> {
  if (navigator.locks === undefined) return lease(database, name, signal);
  return new Promise((got, fail) => {
    const held = () => new Promise<void>((unlock) => got(unlock));
    navigator.locks.request(`${DATABASE} ${name}`, { signal }, held).catch(fail);
  });
}

/** On plain http there are no locks: a tab says again and again that it is there. */
async function lease(database: IDBDatabase, name: string, signal: AbortSignal): Promise<() => void> {
  const mine = crypto.getRandomValues(new Uint32Array(4)).join("-");
  while (!(await claim(database, name, mine))) {
    await new Promise((done) => setTimeout(done, LEASE / 5));
    signal.throwIfAborted();
  }
  const renewing = setInterval(() => void claim(database, name, mine).catch(() => clearInterval(renewing)), LEASE / 4);
  return () => {
    clearInterval(renewing);
    void claim(database, name, mine, 0).catch(() => undefined);
  };
}

/** Take or renew a lease that nobody else has, for so long. */
async function claim(database: IDBDatabase, name: string, mine: string, time = LEASE): Promise<boolean> {
  const transaction = database.transaction(LEASES, "readwrite");
  const store = transaction.objectStore(LEASES);
  const held = (await answered(store.get(name))) as { owner: string; until: number } | undefined;
  const free = held === undefined || held.owner === mine || held.until < Date.now();
  if (free) store.put({ owner: mine, until: Date.now() + time }, name);
  await committed(transaction);
  return free;
}
