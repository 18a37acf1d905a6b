import type { cards as english } from "../en/cards";

export const cards: typeof english = {
  ask: "Wie Karten gehen",
  get: "Eroberst du in deinem Zug ein Gebiet, ziehst du am Ende eine Karte: eine je Zug, wie viel du auch eroberst.",
  set: "Ein Satz sind drei Karten mit demselben Zeichen oder drei mit verschiedenen. Ein Joker steht für jedes.",
  trade: "Zu Beginn eines Zuges kannst du einen Satz gegen Armeen tauschen. Wer 5 Karten hat, muss es.",
  next: (armies) => `Der nächste Satz bringt ${armies} Armeen.`,
  later: (values) => `Danach: ${values}.`,
  owned: "Die Karte eines Gebiets, das dir gehört, kann dort 2 Armeen mehr bringen.",
  stars: "Jede Karte hat einen oder zwei Sterne. Je mehr Sterne du auf einmal tauschst, desto mehr Armeen bringen sie:",
  starsColumn: "Sterne",
  armies: "Armeen",
  rules: "Die genauen Regeln dieses Spiels",
};
