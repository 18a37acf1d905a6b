/** What a game waits for besides a decision: whom, how long, and what happens then. */
export const waiting = {
  links: (names: string, seconds: number) => `This roll waits for ${names}: their browser adds a secret to the dice. In ${seconds} s it is rolled without.`,
  ownLink: (seconds: number) => `This roll waits for your browser, which adds your secret to the dice. In ${seconds} s it is rolled without.`,
  ownLinkComes: "Your browser is adding its secret to the dice. This takes a moment.",
  dice: "Waiting for the dice server. The order is saved, and is rolled exactly once as soon as it answers. Clocks are stopped.",
  "dice-refused": "The independent dice server has refused this roll. The game waits until the operator of this server has fixed that.",
  "lines-lost": "The server has lost dice of this game. It can only go on as a new game: vote for it under “At this table”.",
  typed: (names: string) => `Waiting for real dice: ${names} may roll them and enter what they show.`,
  openings: (names: string) => `Waiting for ${names}: their browser opens the sealed placement as soon as it shows this game.`,
  ownOpening: "Your browser opens your sealed placement. If you sealed it in another one, open the game there.",
  timeLeft: (time: string) => `Time left: ${time}.`,
  or: " or ",
};
