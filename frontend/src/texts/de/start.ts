import type { start as english } from "../en/start";

export const start: typeof english = {
  promise: "Die gedruckten Regeln, und Würfel, die jeder prüfen kann. Kein Konto, nichts zu kaufen.",
  playNow: (bots) => (bots === 1 ? "Jetzt gegen 1 Bot spielen" : `Jetzt gegen ${bots} Bots spielen`),
  opponents: "Gegner",
  rules: "Regeln",
  ofTen: "von zehn Regelwerken",
  invite: "Freunde per Link einladen",
  passAndPlay: "Reihum an einem Gerät",
  hints: "Kurze Hinweise begleiten deinen ersten Zug. Du kannst jederzeit gehen und wiederkommen.",
  yourGames: "Deine Spiele",
  needYou: (count) => (count === 1 ? "1 wartet auf dich" : `${count} warten auf dich`),
  noGames: "Noch keine Spiele",
  noGamesHint: "Dein erstes Spiel ist einen Klick entfernt.",
  openTables: "Offene Tische",
  noTables: "Gerade ist kein Tisch offen. Eröffne einen und verschicke den Link.",
  join: "Mitspielen",
  watch: "Zuschauen",
  points: [
    ["Würfel zum Nachprüfen", "Vor dem Spiel versiegelt, danach geöffnet. Dein Browser prüft jeden Wurf."],
    ["Genaue Chancen vor dem Wurf", "Für einen Kampf, einen Weg oder den ganzen Zug. Du bestimmst, wann Schluss ist."],
    ["Zehn Regelwerke, genau", "1993, Missionen, Hauptstädte, 2008 und mehr. Jede Regel nennt ihre Quelle."],
    ["Frei und offen", "Im Browser, per E-Mail oder im Terminal. Ein eigener Server mit einem Befehl."],
  ] as [string, string][],
};
