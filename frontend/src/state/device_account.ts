/** Which account this browser is signed in to: no tab goes on showing another one, or its drafts. */

const KEY = "rubicon.account";
const DRAFTS = ["rubicon.draft.", "rubicon.orders."]; // what a person has planned and not sent

type Store = Pick<Storage, "getItem" | "setItem" | "removeItem" | "key" | "length">;

/** Note who is signed in ("" for nobody); the drafts of whoever was before are forgotten. */
export function noteAccount(store: Store, id: string): void {
  const before = store.getItem(KEY);
  if (before === id) return;
  if (before) forgetDrafts(store);
  store.setItem(KEY, id);
}

function forgetDrafts(store: Store): void {
  const keys = Array.from({ length: store.length }, (_, place) => store.key(place) ?? "");
  for (const key of keys) if (DRAFTS.some((start) => key.startsWith(start))) store.removeItem(key);
}

/** Load the page anew as soon as somebody else is signed in, in another tab or while it was put aside. */
export function watchAccount(reload: () => void): void {
  let seen = kept();
  addEventListener("storage", ({ key, oldValue, newValue }) => {
    if (key !== KEY) return;
    seen = newValue;
    if (oldValue !== null && oldValue !== newValue) reload();
  });
  addEventListener("pagehide", () => (seen = kept()));
  addEventListener("pageshow", ({ persisted }) => {
    if (persisted && seen !== null && kept() !== seen) reload();
  });
}

function kept(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null; // a private window without storage
  }
}
