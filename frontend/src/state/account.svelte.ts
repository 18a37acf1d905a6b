/** Who plays in this browser: nobody yet, a guest, or an account with an address. */

import { api, Refused, type Answer } from "../api/client";

export type Profile = Answer<"/api/v1/me", "get">;

class Account {
  /** Undefined until the server has answered; null where nobody is signed in. */
  profile = $state<Profile | null | undefined>(undefined);

  /** Ask the server who is signed in here. */
  async load(): Promise<void> {
    try {
      this.profile = await api.get("/api/v1/me");
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.profile = null;
    }
  }

  /** Whoever plays; a guest with a name is made where nobody is signed in. */
  async required(name: string): Promise<Profile> {
    if (this.profile === undefined) await this.load();
    if (this.profile == null) {
      await api.post("/api/v1/guest", { body: { name } });
      await this.load();
    }
    if (this.profile == null) throw new Error("The new guest is not signed in.");
    return this.profile;
  }
}

export const account = new Account();
