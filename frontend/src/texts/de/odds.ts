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
  defendAt: (place) => `Verteidiger, Gebiet ${place}`,
  further: "Noch ein Gebiet dahinter",
  remove: (place) => `Gebiet ${place} entfernen`,
  toTakeAll: (count) => `für die Eroberung aller ${count} Gebiete`,
  armiesAtTheEnd: "Armeen auf dem Gebiet, das zuletzt angriff",
  solid: "erobert",
  hatched: "nicht erobert",
};
