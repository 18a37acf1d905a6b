/** Cards explained in a few words; the rules of the game have the rest. */
export const cards = {
  ask: "How cards work",
  get: "Take a territory in your turn, and you draw a card as it ends: one a turn, however much you take.",
  set: "A set is three cards with the same sign, or three with different signs. A wild card stands for any.",
  trade: "At the beginning of a turn you can trade a set for armies. Who holds 5 cards must.",
  next: (armies: number) => `The next set brings ${armies} armies.`,
  later: (values: string) => `After it: ${values}.`,
  owned: "A card of a territory that is yours can bring 2 armies more, there.",
  stars: "Each card has one star or two. The more stars you trade at once, the more armies they bring:",
  starsColumn: "Stars",
  armies: "Armies",
  rules: "The exact rules of this game",
};
