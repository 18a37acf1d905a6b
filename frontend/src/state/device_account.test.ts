import { beforeEach, expect, it, vi } from "vitest";

import { noteAccount, watchAccount } from "./device_account";

beforeEach(() => localStorage.clear());

const drafts = () => Object.keys(localStorage).filter((key) => key !== "rubicon.account");

function draft() {
  for (const key of ["rubicon.draft.abc.red", "rubicon.orders.abc.red", "rubicon.device"]) localStorage.setItem(key, "x");
}

it("forgets the drafts of an account when another one, or nobody, is signed in", () => {
  for (const next of ["ben", ""]) {
    noteAccount(localStorage, "ann");
    draft();
    noteAccount(localStorage, "ann");
    expect(drafts()).toHaveLength(3);
    noteAccount(localStorage, next);
    expect(drafts()).toEqual(["rubicon.device"]);
  }
});

it("keeps what was there before anybody was known", () => {
  draft();
  noteAccount(localStorage, "ann");
  expect(drafts()).toHaveLength(3);
});

it("loads a tab anew when another tab signs out or in, and not when it notes the same", () => {
  const reload = vi.fn();
  watchAccount(reload);
  const tell = (key: string, oldValue: string | null, newValue: string | null) => dispatchEvent(new StorageEvent("storage", { key, oldValue, newValue }));
  tell("rubicon.account", null, "ann");
  tell("rubicon.device", "a", "b");
  expect(reload).not.toHaveBeenCalled();
  tell("rubicon.account", "ann", "");
  expect(reload).toHaveBeenCalledTimes(1);
});

it("loads a page anew that comes back when somebody else is signed in", () => {
  const reload = vi.fn();
  noteAccount(localStorage, "ann");
  watchAccount(reload);
  const back = () => dispatchEvent(Object.assign(new Event("pageshow"), { persisted: true }));
  dispatchEvent(new Event("pagehide"));
  back();
  expect(reload).not.toHaveBeenCalled();
  noteAccount(localStorage, "ben");
  back();
  expect(reload).toHaveBeenCalledTimes(1);
});
