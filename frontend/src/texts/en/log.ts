/** A player as a sentence names them: the reader is "you". */
export interface Who {
  readonly name: string;
  readonly me: boolean;
}

/** The armies of both sides before a battle. */
export interface Armies {
  readonly attacker: number;
  readonly defender: number;
}

const says = (who: Who, one: string, you: string) => (who.me ? `You ${you}` : `${who.name} ${one}`);
const whom = (who: Who) => (who.me ? "you" : who.name);

const armiesOf = (armies: number) => (armies === 1 ? "1 army" : `${armies} armies`);
const battle = (from: string, armies: Armies | null) => `(from ${from}${armies === null ? "" : `, ${armies.attacker}\u00a0against\u00a0${armies.defender}`})`;
const loses = (who: Who, armies: number) => `${who.me ? "you lose" : `${who.name} loses`} ${armies === 0 ? "none" : armies}`;
const capitalised = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);

export const log = {
  took: (who: Who, victim: Who, place: string, from: string, armies: Armies | null) => `${says(who, "takes", "take")} ${place} from ${whom(victim)} ${battle(from, armies)}`,
  attacked: (who: Who, victim: Who, place: string, from: string, armies: Armies | null) => `${says(who, "attacks", "attack")} ${whom(victim)} in ${place} ${battle(from, armies)}`,
  battleLosses: (who: Who, lost: number, victim: Who, killed: number) => capitalised(`${loses(who, lost)}, ${loses(victim, killed)}`),
  rolls: (rolls: number) => (rolls === 2 ? "Both rolls" : `All ${rolls} rolls`),
  rollOf: (number: number) => `Roll ${number}`,
  eliminated: (who: Who, by: Who) => (by.name === "" ? says(who, "is out of the game", "are out of the game") : `${says(by, "eliminates", "eliminate")} ${whom(who)}`),
  drew: (who: Who) => `${says(who, "draws", "draw")} a card`,
  traded: (who: Who, armies: number) => `${says(who, "trades", "trade")} a set of cards for ${armiesOf(armies)}`,
  received: (who: Who, armies: number) => `${says(who, "receives", "receive")} ${armiesOf(armies)}`,
  spoils: (who: Who, victim: Who, cards: number) =>
    `${says(who, "takes", "take")} ${cards === 0 ? "everything" : cards === 1 ? "a card" : `${cards} cards`} from ${whom(victim)}`,
  discarded: (place: string, armies: number) => `${place} loses ${armiesOf(armies)}: there are no more pieces`,
  missionShown: (who: Who, mission: string) => `${says(who, "shows", "show")} the mission: ${mission}`,
  turnBegan: (who: Who, round: number) => `${who.me ? "Your turn begins" : `${who.name}’s turn begins`} (round ${round})`,
  begins: (who: Who) => says(who, "begins", "begin"),
  won: (who: Who) => says(who, "wins", "win"),
  drawn: "The game is drawn",
  claimed: (who: Who, place: string) => `${says(who, "claims", "claim")} ${place}`,
  placed: (who: Who, armies: number, place: string) => `${says(who, "places", "place")} ${armiesOf(armies)} on ${place}`,
  movedIn: (who: Who, armies: number, place: string) => `${says(who, "moves", "move")} ${armiesOf(armies)} ${place === "" ? "in" : `into ${place}`}`,
  fortified: (who: Who, from: string, to: string, armies: number) => `${says(who, "moves", "move")} ${armiesOf(armies)} from ${from} to ${to}`,
  capital: (who: Who, place: string) => `${says(who, "makes", "make")} ${place} ${who.me ? "your" : "their"} capital`,
  offered: (who: Who) => `${says(who, "offers", "offer")} a card`,
  objective: (who: Who, objective: string, place: string) => `${says(who, "claims", "claim")} “${objective}”${place === "" ? "" : `, with an airfield in ${place}`}`,
  resigned: (who: Who) => says(who, "resigns", "resign"),
  voted: (who: Who, motion: string) => `${says(who, "votes", "vote")}: ${motion}`,
  unvoted: (who: Who, motion: string) => `${says(who, "withdraws", "withdraw")} the vote: ${motion}`,
  paused: "The game is paused",
  resumed: "The game goes on",
  extended: "Every player with a pending decision gets the full time again",
  botPlays: (who: Who) => (who.me ? "A bot plays for you" : `A bot plays for ${who.name}`),
  playsAgain: (who: Who) => says(who, "plays again", "play again"),
  late: (who: Who) => (who.me ? "Your time is over" : `${who.name} is out of time`),
  away: (who: Who, days: string) => `${says(who, "is away", "are away")}: ${days}`,
  back: (who: Who) => says(who, "is back", "are back"),
  erased: (who: Who) => `${who.name} has erased their account`,
  undone: (who: Who) => `${says(who, "takes", "take")} a decision back`,
  forked: "The game goes on from an earlier moment, as a new game",
  announced: (words: string) => `Game master to all: “${words}”`,
  masterAsked: (request: string) => `Game master: ${request}`,
  linesLost: "The server has lost dice: the game can only go on as a new one",
};
