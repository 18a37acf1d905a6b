/** What the administrator of the server sees; the token is in the memory of this page alone. */

import { Refused, Unreachable, type Answer } from "../../api/client";
import { refusalInWords } from "../../texts/refusals";
import { texts } from "../../texts/texts.svelte";

export type Overview = Answer<"/api/v1/admin/overview", "get">;
export type Report = Answer<"/api/v1/admin/reports", "get">[number];

/** The id of a table, by itself or in an address of one of its pages; "" where there is none. */
export function gameIn(address: string): string {
  return /(?:^|\/(?:games|tables|lobby)\/)([a-z0-9]+)(?:$|[/?#])/.exec(address.trim())?.[1] ?? "";
}

export class Administration {
  overview = $state.raw<Overview | null>(null);
  reports = $state.raw<readonly Report[]>([]);
  busy = $state(false);
  problem = $state("");
  #token = "";

  /** Show the server with a token; it is forgotten at once where it is refused. */
  async enter(token: string): Promise<void> {
    this.#token = token.trim();
    await this.refresh();
    if (this.overview === null) this.#token = "";
  }

  leave(): void {
    this.#token = "";
    this.overview = null;
    this.reports = [];
    this.problem = "";
  }

  refresh(): Promise<void> {
    return this.#do(async () => {
      const [overview, reports] = await Promise.all([
        this.#ask<Overview>("GET", "/overview"),
        this.#ask<Report[]>("GET", "/reports"),
      ]);
      this.overview = overview;
      this.reports = reports;
    });
  }

  dismiss(line: number): Promise<void> {
    return this.#do(async () => {
      await this.#ask("DELETE", `/reports?line=${line}`);
      this.reports = await this.#ask<Report[]>("GET", "/reports");
    });
  }

  /** Close a table, or end its game; true if it was done. */
  async closeTable(game: string, reason: string): Promise<boolean> {
    await this.#do(async () => {
      await this.#ask("POST", `/tables/${encodeURIComponent(game)}/close`, { reason });
    });
    return this.problem === "";
  }

  async #do(request: () => Promise<void>): Promise<void> {
    this.busy = true;
    this.problem = "";
    try {
      await request();
    } catch (error) {
      this.problem = error instanceof Error ? error.message : String(error);
    } finally {
      this.busy = false;
    }
  }

  /** Not by the cookie of this browser, which belongs to a player. */
  async #ask<Body>(method: string, path: string, sent?: object): Promise<Body> {
    const headers: Record<string, string> = { authorization: `Bearer ${this.#token}` };
    const init: RequestInit = { method, headers, credentials: "omit", cache: "no-store" };
    if (sent !== undefined) {
      headers["content-type"] = "application/json";
      init.body = JSON.stringify(sent);
    }
    const response = await fetch(`/api/v1/admin${path}`, init).catch((error: unknown) => {
      throw new Unreachable(texts().start.neverReached, { cause: error });
    });
    const body: unknown = await response.json();
    if (!response.ok) throw new Refused(response.status, await refusalInWords(body as Record<string, unknown>));
    return body as Body;
  }
}
