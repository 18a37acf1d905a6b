export const odds = {
  title: "Odds of a battle",
  hint: "Exact chances, nothing is simulated. The number of attackers counts all armies on the territory, the one that stays included.",
  attack: "Attackers",
  defend: "Defenders",
  rules: "Rules",
  toTake: "to take the territory",
  stopAt: (armies: number) => (armies === 1 ? "attacking to the end" : `stopping with ${armies} left`),
  stopColumn: "Attack",
  takeColumn: "take it",
  loseColumn: "you lose",
  killColumn: "they lose",
};
