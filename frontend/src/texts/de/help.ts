import type { help as english } from "../en/help";

export const help: typeof english = {
  steps: [
    "Verstärken: Wähle deine Gebiete auf der Karte, jedes Mal eine Armee.",
    "Angreifen: Wähle dein Gebiet, dann ein Ziel. Jedes Ziel zeigt deine Aussicht. Wähle es noch einmal, um anzugreifen.",
    "Nach einer Eroberung sagst du, wie viele Armeen einziehen.",
    "Verlegen: Verschiebe einmal Armeen von einem deiner Gebiete in ein anderes, dann beende deinen Zug.",
  ],
  keys: "Tasten",
  keysHint: "Sie wirken auf der ganzen Seite, außer wo du schreibst. Die Einstellungen schalten einzelne Tasten ab.",
  list: [
    ["← ↑ → ↓", "zum Nachbarn in dieser Richtung"],
    ["N", "nächstes Gebiet, das handeln kann"],
    ["T", "nächstes Ziel"],
    ["↵", "wählen; angreifen; einziehen"],
    ["R", "einmal würfeln"],
    ["+ −", "eine Armee mehr oder weniger"],
    ["[ ]", "den Angriff früher oder später beenden"],
    ["E", "die Phase beenden"],
    ["Z", "zurücknehmen"],
    ["M .", "ganze Karte; aktuelle Entscheidung"],
    ["0 … 9", "so viele Armeen"],
    ["A … Z", "auf der Karte, andere Buchstaben: zu einem Gebiet nach seinem Namen"],
    ["Esc", "einen Schritt zurück"],
  ],
};
