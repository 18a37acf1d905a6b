/** Ed25519 (RFC 8032) without Web Crypto, which plain http does not have. */

import * as ed from "@noble/ed25519";
import { sha512 } from "@noble/hashes/sha2.js";

ed.hashes.sha512 = sha512;

export function publicKey(privateKey: Uint8Array): Uint8Array {
  return ed.getPublicKey(privateKey);
}

export function sign(privateKey: Uint8Array, message: Uint8Array): Uint8Array {
  return ed.sign(message, privateKey);
}

/** Whether a signature is that of this key over this message. */
export function isSigned(key: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  try {
    return ed.verify(signature, message, key, { zip215: false });
  } catch {
    return false; // no signature, or no key
  }
}
