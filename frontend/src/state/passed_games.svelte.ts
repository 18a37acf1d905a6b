/** The games that people play by passing this device round; the seats' tokens are kept here alone. */

const KEY = "rubicon.passed";
export const MOST_PASSED = 8; // games on a device

/** A person's seat, with the token of its own guest account. */
export interface PassedSeat {
  readonly colour: string;
  readonly name: string;
  readonly token: string;
}

export interface PassedGame {
  readonly id: string;
  /** Lets anybody watch, and so shows this device what everybody may see. */
  readonly invite: string;
  readonly title: string;
  readonly seats: readonly PassedSeat[];
}

class PassedGames {
  /** The newest first. */
  all = $state.raw<readonly PassedGame[]>(stored());

  find(id: string): PassedGame | undefined {
    return this.all.find((game) => game.id === id);
  }

  get full(): boolean {
    return this.all.length >= MOST_PASSED;
  }

  add(game: PassedGame): void {
    this.#keep([game, ...this.all]);
  }

  /** Forget a game and its tokens: nobody can play its seats any more. */
  remove(id: string): void {
    this.#keep(this.all.filter((game) => game.id !== id));
  }

  #keep(all: readonly PassedGame[]): void {
    this.all = all;
    try {
      localStorage.setItem(KEY, JSON.stringify(all));
    } catch {
      // a private window without storage: the games last as long as the page
    }
  }
}

function stored(): readonly PassedGame[] {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "[]") as PassedGame[];
  } catch {
    return [];
  }
}

/** Whose decision the game waits for, among the people on this device: the first in turn order. */
export function nextToDecide(seats: readonly PassedSeat[], deciding: Readonly<Record<string, unknown>>): PassedSeat | null {
  return seats.find((seat) => seat.colour in deciding) ?? null;
}

export const passedGames = new PassedGames();
