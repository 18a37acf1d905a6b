import { expect, it } from "vitest";

import { answering } from "./files";

const ORIGIN = "https://risk.example";
const asked = (path: string, mode = "cors", method = "GET") => answering({ method, mode, url: new URL(path, ORIGIN).href }, ORIGIN);

it("leaves the API, games and everything else that is no file alone", () => {
  for (const path of ["/api/v1/games/abc", "/api/v1/session", "/api/v1/events", "/api/v1/boards/world/geometry"]) {
    expect(asked(path)).toBeNull();
    expect(asked(path, "navigate")).toBeNull();
  }
  expect(asked("/assets/index-abc.js", "cors", "POST")).toBeNull();
  expect(asked("https://other.example/assets/a.js")).toBeNull();
});

it("answers for the app's own files and pages", () => {
  expect(asked("/assets/index-abc.js")).toBe("file");
  expect(asked("/games/abc", "navigate")).toBe("page");
  expect(asked("/", "navigate")).toBe("page");
});
