/** A player as a sentence names them: the reader is "you". */
export interface Who {
  readonly name: string;
  readonly me: boolean;
}

const says = (who: Who, one: string, you: string) => (who.me ? `You ${you}` : `${who.name} ${one}`);
const whom = (who: Who) => (who.me ? "you" : who.name);

export const log = {
  took: (place: string, from: string) => `${place} taken from ${from}`,
  attacked: (from: string, to: string) => `${from} attacks ${to}`,
  battleLosses: (rolls: number, mine: number, theirs: number) => `${rolls === 1 ? "" : `${rolls} rolls, `}−${mine} · −${theirs}`,
  eliminated: (who: Who, by: Who) => `${says(who, "is out", "are out")}, by ${whom(by)}`,
  drew: (who: Who) => `${says(who, "draws", "draw")} a card`,
  traded: (who: Who, armies: number) => `${says(who, "trades", "trade")} a set for ${armies}`,
  received: (who: Who, armies: number) => `${says(who, "receives", "receive")} ${armies}`,
  spoils: (who: Who, victim: Who, cards: number) =>
    `${says(who, "takes", "take")} ${cards === 0 ? "everything" : cards === 1 ? "a card" : `${cards} cards`} from ${whom(victim)}`,
  discarded: (place: string, armies: number) => `${armies} leave ${place}: armies are out of pieces`,
  missionShown: (who: Who, mission: string) => `${says(who, "shows", "show")} the mission: ${mission}`,
  turnBegan: (who: Who, round: number) => `Round ${round}: ${whom(who)}`,
  begins: (who: Who) => says(who, "begins", "begin"),
  won: (who: Who) => says(who, "wins", "win"),
  drawn: "The game is drawn",
  claimed: (place: string) => `Claims ${place}`,
  placed: (armies: number, place: string) => `Places ${armies} on ${place}`,
  movedIn: (armies: number, place: string) => (place === "" ? `Moves ${armies} in` : `Moves ${armies} into ${place}`),
  fortified: (from: string, to: string, armies: number) => `Moves ${armies} from ${from} to ${to}`,
  capital: (place: string) => `Capital: ${place}`,
  offered: "Offers a card",
  objective: (objective: string, place: string) => `Claims “${objective}”${place === "" ? "" : `, airfield in ${place}`}`,
  resigned: (who: Who) => says(who, "resigns", "resign"),
  voted: (who: Who, motion: string) => `${says(who, "votes", "vote")}: ${motion}`,
  unvoted: (who: Who, motion: string) => `${says(who, "withdraws", "withdraw")} the vote: ${motion}`,
  paused: "The game is paused",
  resumed: "The game goes on",
  extended: "Everybody who must decide gets the time once more",
  botPlays: (who: Who) => (who.me ? "A bot plays for you" : `A bot plays for ${who.name}`),
  playsAgain: (who: Who) => says(who, "plays again", "play again"),
  late: (who: Who) => (who.me ? "Your time is over" : `${who.name} is out of time`),
  away: (who: Who, days: string) => `${says(who, "is away", "are away")}: ${days}`,
  back: (who: Who) => says(who, "is back", "are back"),
  erased: (who: Who) => `${who.name} has erased their account`,
  undone: (who: Who) => `${says(who, "takes", "take")} a decision back`,
  forked: "The game goes on from an earlier moment, as a new game",
  linesLost: "The server has lost dice: the game can only go on as a new one",
};
