/** A push message of the server, as the device shows it. */

/** What the server sends (`server/push.py`); of an unknown kind in a later version. */
export interface PushMessage {
  kind: string;
  game: string;
  title: string;
}

export interface Shown {
  title: string;
  body: string;
  /** A newer message of the same game replaces an older one. */
  tag: string;
  /** Where a click on it leads. */
  address: string;
}

const KINDS: Record<string, Record<string, string>> = {
  en: {
    decision: "It is your turn",
    opening: "Open your placement, in the browser in which you placed",
    deadline: "Your time is running out",
    over: "The game is over",
    stopped: "The game has stopped",
    other: "There is news at your table",
  },
  de: {
    decision: "Du bist dran",
    opening: "Öffne deine Aufstellung, in dem Browser, in dem du aufgestellt hast",
    deadline: "Deine Zeit läuft ab",
    over: "Das Spiel ist zu Ende",
    stopped: "Das Spiel steht still",
    other: "An deinem Tisch gibt es Neues",
  },
};
const GAME = /^[a-z0-9]{1,20}$/;

/** What is shown; a message that cannot be read still says that there is news. */
export function shownOf(text: string, language: string): Shown {
  const words = KINDS[language] ?? KINDS.en ?? {};
  const { kind, game, title } = read(text);
  const known = GAME.test(game) ? game : "";
  return {
    title: words[kind] ?? words.other ?? "",
    body: title,
    tag: known || "rubicon",
    address: known === "" ? "/" : `/games/${known}`,
  };
}

function read(text: string): PushMessage {
  const nothing = { kind: "", game: "", title: "" };
  try {
    const found: unknown = JSON.parse(text);
    return typeof found === "object" && found !== null ? texts({ ...nothing, ...found }) : nothing;
  } catch {
    return nothing;
  }
}

const texts = ({ kind, game, title }: PushMessage): PushMessage => ({ kind: String(kind), game: String(game), title: String(title) });
