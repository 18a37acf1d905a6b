import { expect, it } from "vitest";

import { readRecoveryCode, recoveryCode } from "./recovery_code";

const KEY = Array.from({ length: 32 }, (_, byte) => byte.toString(16).padStart(2, "0")).join("");
// What rubicon.dice.crypto says: `recovery_code("game", "red", bytes(range(32)))`.
const CODE = "AAAQ-EAYE-AUDA-OCAJ-BIFQ-YDIO-B4IB-CEQT-CQKR-MFYY-DENB-WHA5-DYPQ-VC4U";

it("writes and reads the code as the Python client does", () => {
  expect(recoveryCode("game", "red", KEY)).toBe(CODE);
  expect(readRecoveryCode("game", "red", ` ${CODE.toLowerCase().replaceAll("-", " ")}\n`)).toBe(KEY);
});

it("refuses what is mistyped, or of another game or seat", () => {
  const mistyped = (CODE.startsWith("B") ? "C" : "B") + CODE.slice(1);
  for (const wrong of [mistyped, CODE.slice(1), `${CODE}A`, "", "1"]) expect(readRecoveryCode("game", "red", wrong)).toBeNull();
  expect(readRecoveryCode("other", "red", CODE)).toBeNull();
  expect(readRecoveryCode("game", "blue", CODE)).toBeNull();
});
