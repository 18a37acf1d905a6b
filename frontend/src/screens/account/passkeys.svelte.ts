/** Passkeys: keys on a person's devices, with which they sign in. */

import { api, type Answer } from "../../api/client";
import { account } from "../../state/account.svelte";

export type KnownPasskey = Answer<"/api/v1/me/passkeys", "get">[number];
/** What the browser refuses, by the name of its error; `failed` is anything else. */
export type PasskeyProblem = "cancelled" | "known" | "failed";

/** A refusal of the browser: its own words would be riddles. */
export class PasskeyError extends Error {
  readonly problem: PasskeyProblem;

  constructor(cause: unknown) {
    super("The browser made no passkey.", { cause });
    this.problem = problemOf(cause);
  }
}

class Passkeys {
  /** Those of the account; empty until they are loaded. */
  known = $state.raw<readonly KnownPasskey[]>([]);

  /** Whether this page can use passkeys: the server names the only origin at which they work. */
  get possible(): boolean {
    return account.offer?.passkeys === location.origin && "PublicKeyCredential" in globalThis && "parseCreationOptionsFromJSON" in PublicKeyCredential;
  }

  async load(): Promise<void> {
    this.known = [];
    this.known = await api.get("/api/v1/me/passkeys");
  }

  /** Make a passkey on this device, for the account that plays here. */
  async add(name: string): Promise<void> {
    const { options } = await api.post("/api/v1/me/passkeys/begin");
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options as unknown as PublicKeyCredentialCreationOptionsJSON);
    const made = await asked(navigator.credentials.create({ publicKey }));
    const { id, response } = made.toJSON() as RegistrationResponseJSON;
    const body = { name, id, client_data: response.clientDataJSON, attestation: response.attestationObject };
    await api.post("/api/v1/me/passkeys", { body });
    await this.load();
  }

  async remove(passkey: number): Promise<void> {
    await api.delete("/api/v1/me/passkeys", { query: { passkey } });
    await this.load();
  }

  /** Sign this browser in to the account of a passkey that the person chooses. */
  async signIn(): Promise<void> {
    const { options } = await api.post("/api/v1/sign-in/passkey/begin");
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options as unknown as PublicKeyCredentialRequestOptionsJSON);
    const chosen = await asked(navigator.credentials.get({ publicKey }));
    const { id, response } = chosen.toJSON() as AuthenticationResponseJSON;
    const { clientDataJSON: client_data, authenticatorData: authenticator_data, signature, userHandle } = response;
    await api.post("/api/v1/sign-in/passkey", { body: { id, client_data, authenticator_data, signature, user_handle: userHandle ?? "" } });
    await account.load();
  }
}

async function asked(answer: Promise<Credential | null>): Promise<PublicKeyCredential> {
  const found = await answer.catch((error: unknown) => {
    throw new PasskeyError(error);
  });
  if (found instanceof PublicKeyCredential) return found;
  throw new PasskeyError(null);
}

/** Why a browser has made or given no passkey. */
export function problemOf(cause: unknown): PasskeyProblem {
  if (!(cause instanceof DOMException)) return "failed";
  if (cause.name === "NotAllowedError" || cause.name === "AbortError") return "cancelled";
  return cause.name === "InvalidStateError" ? "known" : "failed";
}

export const passkeys = new Passkeys();
