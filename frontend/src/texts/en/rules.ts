export const rules = {
  rulesets: "Rule sets",
  contents: "Contents",
  players: (least: number, most: number) => (least === most ? `${least} players.` : `${least} to ${most} players.`),
  ofGame: "Rules of this game",
  toGame: "To the game",
  print: "Print",
  search: "Search the rules",
  notFound: (words: string) => `No rule has “${words}”.`,
  changed: "Other than usual:",
  unchanged: "This game is played exactly by the rulebook",
  outside: "From another rulebook: it fills a gap of this one",
};
