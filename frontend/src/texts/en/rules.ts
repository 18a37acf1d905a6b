export const rules = {
  rulesets: "Rule sets",
  contents: "Contents",
  players: (least: number, most: number) => (least === most ? `${least} players.` : `${least} to ${most} players.`),
};
