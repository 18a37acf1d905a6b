import type { rules as english } from "../en/rules";

export const rules: typeof english = {
  rulesets: "Regelwerke",
  contents: "Inhalt",
  players: (least, most) => (least === most ? `${least} Spieler.` : `${least} bis ${most} Spieler.`),
  ofGame: "Regeln dieses Spiels",
  toGame: "Zum Spiel",
  print: "Drucken",
  search: "In den Regeln suchen",
  notFound: (words) => `Keine Regel enthält „${words}“.`,
  changed: "Anders als üblich:",
  unchanged: "Dieses Spiel folgt genau dem Regelwerk",
  outside: "Aus einem anderen Regelwerk: es füllt eine Lücke in diesem",
};
