/** Names and lines of the bundled rulesets; a ruleset that is not here has those of the server. */
export const rulesets: Record<string, [label: string, line: string]> = {
  classic: ["Classic", "World conquest as in the book of 1993. Sets of cards bring more and more."],
  "secret-mission": ["Secret mission", "Everyone gets a secret mission. Complete yours first."],
  "two-player": ["Two players", "You, a friend, and forty neutral armies in between."],
  "two-player-50": ["Two players, 50", "Divide the world between you, 50 armies each."],
  email: ["E-mail", "Open hands; a whole turn in one e-mail. Days between moves."],
  basic: ["Basic", "The short instruction: no wild cards, armies move anywhere."],
  revised: ["Revised, 2008", "Three objectives and your own capital win. Cities, airfields, rewards."],
  "revised-conquest": ["Revised, conquest", "Objectives bring rewards, but the whole world wins."],
  capital: ["Capital", "Hold your headquarters and capture all the others."],
  digest: ["Digest", "A literal reading of the 1993 book."],
};
