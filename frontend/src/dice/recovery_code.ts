/** The recovery code of a seat: the private key of its first device, as text to write down. */

import { bytesOf, H, hex } from "../../../docs/check_dice.js";

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"; // RFC 4648, base32
const KEY = 32;
const CHECK = 3; // bytes of the check sum: with the key 35 bytes, which are 56 letters and digits

/** 14 groups of 4 letters and digits. */
export function recoveryCode(table: string, seat: string, privateKey: string): string {
  const key = bytesOf(privateKey);
  const data = [...key, ...checkSum(table, seat, key)];
  let bits = data.map((byte) => byte.toString(2).padStart(8, "0")).join("");
  let text = "";
  for (; bits !== ""; bits = bits.slice(5)) text += LETTERS[parseInt(bits.slice(0, 5), 2)];
  return text.match(/.{4}/g)!.join("-");
}

/** The private key of a code; null where it is mistyped, or of another game or seat. */
export function readRecoveryCode(table: string, seat: string, code: string): string | null {
  const signs = [...code.toUpperCase().replace(/[-\s]/g, "")].map((sign) => LETTERS.indexOf(sign));
  if (signs.includes(-1) || signs.length * 5 !== (KEY + CHECK) * 8) return null;
  const bits = signs.map((sign) => sign.toString(2).padStart(5, "0")).join("");
  const data = Uint8Array.from(bits.match(/.{8}/g)!, (byte) => parseInt(byte, 2));
  const key = data.slice(0, KEY);
  return hex(data.slice(KEY)) === hex(checkSum(table, seat, key)) ? hex(key) : null;
}

function checkSum(table: string, seat: string, key: Uint8Array): Uint8Array {
  return H("recovery-code", table, seat, key).slice(0, CHECK);
}
