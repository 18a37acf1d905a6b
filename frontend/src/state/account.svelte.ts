/** Who plays in this browser: nobody yet, a guest, or an account with an address. */

import { api, type Answer } from "../api/client";
import { noteAccount } from "./device_account";

type Session = Answer<"/api/v1/session", "get">;
export type Profile = NonNullable<Session["account"]>;
export type ServerOffer = Session["server"];

class Account {
  /** Undefined until the server has answered; null where nobody is signed in. */
  profile = $state<Profile | null | undefined>(undefined);
  /** What the server offers besides games. */
  offer = $state<ServerOffer | null>(null);

  /** What is added to this device's clock for the time of the server, in milliseconds. */
  clockOffset = $state(0);

  /** Ask the server who is signed in here. */
  async load(): Promise<void> {
    const session = await api.get("/api/v1/session");
    this.offer = session.server;
    this.clockOffset = session.time - Date.now();
    this.profile = session.account;
    try {
      noteAccount(localStorage, session.account?.account ?? "");
    } catch {
      // a private window without storage: nothing of anybody is kept
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
