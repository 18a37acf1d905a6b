/** Letters typed one after another find a territory by the beginning of its name. */

const PAUSE = 1000; // milliseconds, after which a new name begins

export class NameSearch {
  readonly #names: () => ReadonlyMap<string, string>;
  #typed = "";
  #at = -Infinity;

  /** `names`: by the ids of territories, in the language of the moment. */
  constructor(names: () => ReadonlyMap<string, string>) {
    this.#names = names;
  }

  /** Whether a name is being typed at a moment, in milliseconds. */
  underway(now: number): boolean {
    return this.#typed !== "" && now - this.#at < PAUSE;
  }

  /** The first territory in the order of names that fits all letters; null where none does. */
  type(key: string, now: number): string | null {
    if (key.length !== 1 || !/[\p{L} .'-]/u.test(key)) return null;
    const typed = (this.underway(now) ? this.#typed : "") + key.toLowerCase();
    if (typed.trim() === "") return null;
    const found = [...this.#names()]
      .map(([id, name]) => [id, name.toLowerCase()] as const)
      .filter(([, name]) => name.startsWith(typed))
      .sort((one, other) => one[1].localeCompare(other[1]))[0];
    if (found === undefined) return null;
    [this.#typed, this.#at] = [typed, now];
    return found[0];
  }
}
