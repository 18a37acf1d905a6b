/** What a player has placed or written and not sent: kept on the device across a reload. */

export interface Draft {
  /** The decision for which it was made: for a later one it is of no use. */
  readonly decision: number;
  readonly placed: Readonly<Record<string, number>>;
  readonly written: string;
}

type Store = Pick<Storage, "getItem" | "setItem" | "removeItem">;

const key = (game: string, seat: string) => `rubicon.draft.${game}.${seat}`;

/** Keep a draft; an empty one is forgotten. */
export function keepDraft(store: Store, game: string, seat: string, draft: Draft): void {
  try {
    if (draft.written.trim() === "" && Object.keys(draft.placed).length === 0) store.removeItem(key(game, seat));
    else store.setItem(key(game, seat), JSON.stringify(draft));
  } catch {
    // a private window without storage: the draft lasts as long as the page
  }
}

/** The draft for a decision; null where there is none. */
export function keptDraft(store: Store, game: string, seat: string, decision: number): Draft | null {
  try {
    const draft = JSON.parse(store.getItem(key(game, seat)) ?? "null") as Draft | null;
    return draft?.decision === decision ? draft : null;
  } catch {
    return null;
  }
}
