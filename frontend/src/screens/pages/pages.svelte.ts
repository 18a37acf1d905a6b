/** The pages of a game for everybody: its state, its whole history, and its game master. */

import { api, Refused, type Answer } from "../../api/client";
import type { Board } from "../../state/boards.svelte";
import { board } from "../../state/boards.svelte";
import { Game, type LogLine } from "../../state/game.svelte";
import { withLines } from "../../state/log_lines";

export type MasterView = Answer<"/api/v1/games/{game}/master", "get">;
export type MasterLogEntry = MasterView["log"][number];
export type MasterRequest = "EXTEND" | "PROCESS" | "BOT" | "REPLACE" | "UNDO" | "ANNOUNCE" | "BANNER" | "FORK";

const AT_ONCE = 500; // events in one answer

export class Pages {
  readonly game: Game;
  readonly board: Board;
  master = $state.raw<MasterView>()!;
  /** What the server said against the last request. */
  refusal = $state.raw<Refused | null>(null);
  /** The secret of the seat that became free last. */
  invite = $state("");
  #history = $state.raw<readonly LogLine[]>([]);
  #asked = false;

  private constructor(game: Game, map: Board, master: MasterView) {
    this.game = game;
    this.board = map;
    this.master = master;
  }

  static async open(id: string, invite: string | null): Promise<Pages> {
    const game = new Game(id, invite);
    await game.open();
    const asked = { path: { game: id }, query: { invite } };
    const [map, master] = await Promise.all([board(game.view?.position.board.name ?? "world"), api.get("/api/v1/games/{game}/master", asked)]);
    return new Pages(game, map, master);
  }

  /** All lines of the log, the oldest first. */
  get history(): readonly LogLine[] {
    return withLines(this.#history, this.game.log, Infinity);
  }

  /** The query of links to other pages of the game. */
  get query(): string {
    return this.game.invite === null ? "" : `?${new URLSearchParams({ invite: this.game.invite })}`;
  }

  async loadHistory(): Promise<void> {
    if (this.#asked) return;
    this.#asked = true;
    for (let after = -1, more = true; more; ) {
      const query = { after, limit: AT_ONCE, invite: this.game.invite };
      const found = await api.get("/api/v1/games/{game}/events", { path: { game: this.game.id }, query });
      const lines = found.filter((event) => event.kind === "events").map(({ index, at, body }) => ({ index, at, events: body as LogLine["events"] }));
      this.#history = withLines(this.#history, lines, Infinity);
      more = found.length > 0 && found.at(-1)!.index > after;
      after = found.at(-1)?.index ?? after;
    }
  }

  async look(): Promise<void> {
    const asked = { path: { game: this.game.id }, query: { invite: this.game.invite } };
    this.master = await api.get("/api/v1/games/{game}/master", asked);
  }

  /** Do something as game master; true if it was done. */
  async ask(request: MasterRequest, more: Record<string, unknown> = {}): Promise<boolean> {
    this.refusal = null;
    this.invite = "";
    try {
      const receipt = await api.post("/api/v1/games/{game}/master", { path: { game: this.game.id }, body: { request, ...more } });
      this.invite = receipt.invite ?? "";
      return true;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.refusal = error;
      return false;
    } finally {
      await this.look();
    }
  }
}
