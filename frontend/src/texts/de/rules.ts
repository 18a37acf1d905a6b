import type { rules as english } from "../en/rules";

export const rules: typeof english = {
  rulesets: "Regelwerke",
  contents: "Inhalt",
  players: (least, most) => (least === most ? `${least} Spieler.` : `${least} bis ${most} Spieler.`),
};
