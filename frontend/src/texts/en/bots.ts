/** Names and lines of the bots; a bot that is not here has the server's name. */
export const bots: Record<string, [label: string, line: string]> = {
  greedy: ["Greedy", "Wants continents, and attacks where it is stronger."],
  random: ["Random", "Any legal move: easy, to learn the rules."],
};
