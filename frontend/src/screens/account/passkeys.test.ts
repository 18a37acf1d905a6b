import { expect, it } from "vitest";

import { problemOf } from "./passkeys.svelte";

it("says why a browser has made no passkey", () => {
  expect(problemOf(new DOMException("", "NotAllowedError"))).toBe("cancelled");
  expect(problemOf(new DOMException("", "InvalidStateError"))).toBe("known");
  expect(problemOf(new DOMException("", "SecurityError"))).toBe("failed");
  expect(problemOf(null)).toBe("failed");
});
