import type { board as english } from "../en/board";

export const board: typeof english = {
  map: "Karte",
  yours: "deins",
  neutral: "neutral",
  free: "frei",
  armies: (count) => (count === null ? "verdeckte Armeen" : `${count} ${count === 1 ? "Armee" : "Armeen"}`),
  enemies: "Feindliche Nachbarn",
  noEnemies: "Keine feindlichen Nachbarn",
  capital: "Hauptstadt",
  city: "Stadt",
  airfield: "Flugplatz",
  chanceToTake: (chance) => `${chance} für die Eroberung`,
  zoomIn: "Näher",
  zoomOut: "Weiter weg",
  showAll: "Ganze Karte zeigen",
};
