/** Names and lines of the bots; a bot that is not here has the server's name. */
export const bots: Record<string, [label: string, line: string]> = {
  expert: ["Expert", "Plays several plans on in its mind before every decision."],
  hard: ["Hard", "Mostly plays several plans on in its mind, and takes the best one."],
  medium: ["Medium", "Plans its turns, counts who can be eliminated, and is careless at times."],
  easy: ["Easy", "Wants continents, attacks where it is stronger, and forgets to guard."],
  beginner: ["Beginner", "Plays for continents, and now and then anything: a child can beat it."],
  hunter: ["Hunter", "Counts whether somebody can be eliminated this turn, and takes the cards."],
  turtle: ["Turtle", "Hoards armies behind its borders and never overextends."],
  kingslayer: ["Kingslayer", "Holds down whoever leads."],
  economist: ["Economist", "Takes continents, holds them, and breaks those of others."],
  farmer: ["Farmer", "Takes one safe territory a turn, for the card, and waits."],
  expander: ["Expander", "Grows as one connected mass and guards its borders."],
  peaceful: ["Peaceful", "Attacks only players who have attacked it."],
  greedy: ["Greedy", "Wants continents, and attacks where it is stronger."],
  random: ["Random", "Any legal move: easy, to learn the rules."],
};

export const botGroups = { levels: "Levels", characters: "Characters" };
