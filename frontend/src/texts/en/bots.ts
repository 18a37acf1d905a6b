/** Names and lines of the bots; a bot that is not here has the server's name. */
export const bots: Record<string, [label: string, line: string]> = {
  expert: ["Expert", "Thinks several plans through before every decision."],
  hard: ["Hard", "Thinks several plans through in one round of four."],
  medium: ["Medium", "Plans its turns, and counts who can be eliminated."],
  easy: ["Easy", "Attacks where it is stronger, and is careless in one round of eight."],
  beginner: ["Beginner", "Makes any legal moves in three of four rounds: a child can beat it."],
  hunter: ["Hunter", "Checks whether it can eliminate a player this turn, and takes the cards."],
  turtle: ["Turtle", "Hoards armies behind its borders and never overextends."],
  kingslayer: ["Kingslayer", "Holds down the leader."],
  economist: ["Economist", "Takes continents, holds them, and breaks those of others."],
  farmer: ["Farmer", "Takes one safe territory a turn, for the card, and waits."],
  expander: ["Expander", "Grows as one connected mass and guards its borders."],
  peaceful: ["Peaceful", "Attacks only players who have attacked it."],
  greedy: ["Greedy", "Wants continents, and attacks where it is stronger."],
  random: ["Random", "Any legal move: easy, to learn the rules."],
};

export const botGroups = { levels: "Levels", characters: "Characters" };
