import type { odds as english } from "../en/odds";

export const odds: typeof english = {
  title: "Chancen eines Kampfes",
  hint: "Genaue Chancen, nichts wird simuliert. Die Zahl der Angreifer zählt alle Armeen auf dem Gebiet, auch die, die zurückbleibt.",
  attack: "Angreifer",
  defend: "Verteidiger",
  rules: "Regeln",
  toTake: "für die Eroberung",
  stopAt: (armies) => (armies === 1 ? "Angriff bis zum Ende" : `Halt bei ${armies} Armeen`),
  stopColumn: "Angriff",
  takeColumn: "Eroberung",
  loseColumn: "du verlierst",
  killColumn: "sie verlieren",
};
