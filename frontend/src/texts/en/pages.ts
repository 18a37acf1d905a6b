/** The pages of a game: map, cards, dice, messages, game master. */

interface Items {
  readonly territories: number;
  readonly continents: number;
  readonly capitals: number;
  readonly rewards: number;
}
interface LogEntry {
  readonly event: string;
  readonly text: string;
}

const armies = (count: number) => (count === 1 ? "1 army" : `${count} armies`);

export const pages = {
  pages: "Pages of this game",
  names: { map: "Map", cards: "Cards", rolls: "Dice", rules: "Rules", messages: "Messages", master: "Game master" },
  setByMaster: "set by the game master",
  play: "To your move",
  watch: "Watch",
  round: (round: number) => (round === 0 ? "Set-up" : `round ${round}`),
  over: "The game is over",
  paused: "paused",
  toMove: (name: string) => `${name} to move`,
  until: (time: string) => `until ${time}`,
  awarded: (name: string, count: number) => `${name} is awarded ${armies(count)}`,
  items: ({ territories, continents, capitals, rewards }: Items) =>
    `${[`${territories} for territories`, continents > 0 ? `${continents} for continents` : "", capitals > 0 ? `${capitals} for capitals` : "", rewards > 0 ? `${rewards} for rewards` : ""].filter((part) => part !== "").join(", ")}. Armies for cards come on top.`,
  continents: "Armies each turn for a whole continent",
  everybody: "All players",
  player: "Player",
  armies: "armies",
  territories: "territories",
  shortTerritories: "terr.",
  shortCards: "cards",
  award: "award",
  rebels: "Rebels",
  rebelsHold: (places: readonly string[]) => `Rebels and neutral armies hold ${places.join(", ")}. They defend and never attack.`,
  yourOrders: "Your standing orders",
  everywhere: "All territories",
  standing: { none: "you are asked each time", "1": "defends with one die", "2": "defends with two dice", max: "defends with as many dice as allowed" } as Record<string, string>,
  allTerritories: (count: number) => `All ${count} territories as a table`,
  territory: "Territory",
  owner: "Owner",
  cardPages: "Card pages",
  countOfCards: (count: number) => (count === 1 ? "1 card" : `${count} cards`),
  cardsOf: (colour: string) => `Cards of the ${colour.toLowerCase()} army`,
  mustTrade: "must trade",
  hiddenHand: (name: string, count: number) => `In this game hands are hidden. ${name} holds ${count === 1 ? "1 card" : `${count} cards`}.`,
  noCards: "No cards.",
  designs: { infantry: "infantry", cavalry: "cavalry", artillery: "artillery", wild: "wild card" } as Record<string, string>,
  stars: (count: number) => (count === 1 ? "1 star" : `${count} stars`),
  heldBy: (name: string) => `held by ${name}`,
  worth: "What a set is worth",
  traded: (count: number, next: number) =>
    `${count === 0 ? "No set is traded so far" : count === 1 ? "One set is traded so far" : `${count} sets are traded so far`}; the next one brings ${next}. Sets: three of one design, one of each, or any two and a wild card.`,
  dealtAndTraded: "Dealt and traded",
  dealt: (card: string) => `dealt ${card}`,
  dealtHidden: "dealt a card",
  tradedFor: (cards: readonly string[], count: number) => `traded ${cards.join(", ")} for ${armies(count)}`,
  nothingYet: "Nothing yet.",
  drawnLikeDice: "Cards are drawn like dice: no one chooses them.",
  checkThem: "Check them",
  everyRoll: "Every roll of this game",
  rollsSoFar: (count: number) => `${count === 1 ? "1 roll" : `${count} rolls`} so far. No one can choose, change, repeat or drop one: not a player, and not the game master.`,
  chainAfter: "Head of the dice chain:",
  checkAll: "Check all rolls",
  whichRolls: "Which rolls",
  all: "All",
  withMe: "With me",
  thisRound: "This round",
  findRoll: "Find a roll: number or territory",
  turnOfRolls: (round: number, count: number) => `${round === 0 ? "set-up" : `round ${round}`} · ${count === 1 ? "1 roll" : `${count} rolls`}`,
  noRolls: "No rolls to show.",
  moreRolls: "More rolls",
  fates: "Filled dice won their pair; outlined ones lost it, faint ones had no partner. Ties go to the defender.",
  write: "Write a message",
  to: "To",
  message: "Message",
  send: "Send",
  sent: "Sent.",
  toMaster: "to the game master",
  toOne: (name: string) => `to ${name}`,
  masterCalled: (name: string) => (name === "" ? "Game master" : `${name}, game master`),
  noMessages: "No messages yet.",
  whatWaits: "What waits",
  runBy: (name: string) => `run by ${name}`,
  runBySoftware: "run by the software",
  decides: "Must decide",
  decidesUntil: (time: string) => `Must decide, until ${time}`,
  nothing: "Nothing",
  late: "time is over",
  freeSeat: "free: a bot plays until someone takes the seat",
  botPlays: (bot: string) => `${bot} plays`,
  awayUntil: (time: string) => `away until ${time}`,
  can: "What you can do",
  cannot: "What you cannot do",
  masterCannot: "What the game master cannot do",
  cannotDo: [
    "Choose, change, repeat or drop a roll, or see one before it is thrown.",
    "Change the armies, cards or orders of a player.",
    "See what is hidden.",
    "Take back anything that a die or a card has followed. All players together may start a new game from there.",
    "Act without a line in this log.",
  ],
  auditLog: "Audit log",
  openToAll: "open to all players",
  nothingDone: "No requests so far.",
  software: "The software",
  allPlayers: "The players",
  did: ({ event, text }: LogEntry, seat: string, nameOf: (colour: string) => string): string => {
    const [word = "", first = "", second = ""] = text.split(" ");
    const rest = text.slice(word.length + 1);
    switch (event === "master" ? word : event) {
      case "EXTEND":
        return `gave every player with a pending decision ${first} more hours.`;
      case "PROCESS":
        return "let a bot play for all whose time is over.";
      case "BOT":
        return `seated a stand-in: ${second} plays for ${nameOf(first)}.`;
      case "REPLACE":
        return `freed the seat of ${nameOf(first)} for another player.`;
      case "UNDO":
        return "took back the last decision. No die or card had followed it.";
      case "ANNOUNCE":
        return `wrote to all: “${rest}”`;
      case "BANNER":
        return rest === "" ? "removed the banner." : `set the banner: ${rest}`;
      case "FORK":
        return `proposes a new game from line ${first} of the log. All players must vote for it.`;
      case "bot":
        return text === "" ? "plays again." : `let ${text} play for ${seat}.`;
      case "late":
        return `noted that the time of ${seat} is over.`;
      case "extend":
        return "gave every player with a pending decision the full time again.";
      case "pause":
        return text === "on" ? "paused the game." : "resumed the game.";
      case "fork":
        return "continued as a new game, from an earlier line.";
      case "away":
        return text === "" ? "is back." : `is away from ${word} to ${first}${second === "" ? "" : `; ${second} plays meanwhile`}.`;
      case "erased":
        return "has left Rubicon; the seat no longer has an owner.";
      case "lost-lines":
        return "stopped the game: dice were lost in a restore.";
      default:
        return "ended the game.";
    }
  },
  acts: {
    EXTEND: { title: "Give more time", what: "to all players, for the pending decision", when: "no player's clock is running", word: "EXTEND 12 HOURS" },
    ANNOUNCE: { title: "Write to all", what: "by each player's own channel", when: "the game is over", word: "ANNOUNCE …" },
    BOT: { title: "Let a bot play", what: "until the player is back", when: "when a player is late, is away or agrees", word: "BOT red greedy" },
    REPLACE: { title: "Free a seat", what: "for another player, by a link for one person", when: "when a player is late or agrees", word: "REPLACE red CONFIRM" },
    PROCESS: { title: "Continue without them", what: "a bot plays for all players whose time is over", when: "when a player's time is over", word: "PROCESS" },
    UNDO: { title: "Take back", what: "to the last die or card, never past it", when: "a die, a card or a secret came since", word: "UNDO" },
    FORK: { title: "Propose another beginning", what: "a new game from an earlier line, if all players vote for it", when: "the game is over", word: "FORK 120 CONFIRM" },
    BANNER: { title: "Set the banner", what: "a line above the pages of the game", when: "the game is over", word: "…" },
  },
  masterIsRead: "Everything you do is listed below, where all players can read it.",
  hours: "Hours",
  seat: "Seat",
  bot: "Bot",
  bannerLine: "The line; empty for none",
  lineOfLog: "Line of the log",
  undoes: (name: string) => `This takes back the last decision of ${name}.`,
  seatIsFree: "The seat is free. Send this link to one person: the first to open it can take the seat. You cannot take it yourself.",
  linkForOne: "Link for one person",
  yourSeat: "Your seat",
  youMayAgree: "If you cannot continue, agree that the game master gives your seat to a bot or to another player.",
  youAgreed: "You agreed that the game master may give your seat to a bot or to another player.",
  agree: "Agree",
  seatForYou: "A seat for you",
  seatForYouHint: "The player of a seat has left. You can take the seat and play on; until then a bot plays it.",
  takeSeat: "Take this seat",
};
