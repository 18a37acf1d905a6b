import type { fairDice as english } from "../en/fair_dice";

export const fairDice: typeof english = {
  title: "Faire Würfel",
  lead: "Sonst muss man jemandes Würfeln trauen. Hier lässt sich jeder Wurf prüfen, während des Spiels und danach. Diese Seite sagt, wovor das schützt und wovor nicht.",
  how: "Wie ein Wurf entsteht",
  steps: [
    ["Jeder bringt ein Geheimnis mit.", "Der Server hat eins, das Programm eines Spielers kann eins haben, so wie die Seite in deinem Browser, und ebenso ein unabhängiger Würfelserver, den jemand anders betreibt. Jeder hasht sein Geheimnis viele tausend Mal und zeigt vor dem Spiel nur den letzten Hash."],
    ["Ein Befehl wird gegeben.", "Eine unterschriebene Zeile im Protokoll sagt, wessen Entscheidung es ist und wie viele Würfel sie braucht. Zwischen diese Zeile und ihre Antwort lässt sich nichts schieben."],
    ["Jeder fügt ein Glied hinzu.", "Jeder gibt den Hash vor dem, den er zuletzt gab. Alle können prüfen, dass er dazugehört; niemand kann den nächsten ausrechnen. Das Glied des Servers kommt zuletzt, mit der Antwort."],
    ["Die Würfel folgen aus den Gliedern", "und aus nichts sonst: keine Zeit, kein Platz im Protokoll, keine Worte eines Befehls."],
  ] as [string, string][],
  who: "Wer was kann",
  columns: ["wer", "kann", "kann nicht"],
  rows: [
    ["Der Betreiber allein, mit deinem Programm im Wurf", "Karten und Missionen lesen, und Aufstellungen, die kein Programm versiegelt hat; das Spiel anhalten oder in einer Abzweigung fortsetzen, die alle sehen; dein Programm für stumm erklären und so zwischen zwei Würfen wählen, oder es auslassen: Das sieht dein Programm sofort", "darüber hinaus einen Wurf wählen oder kennen, in dem dein Glied steht"],
    ["Der Betreiber, ohne Programm eines Spielers im Wurf", "kommende Würfel kennen und einem Freund sagen, wann er angreifen soll", "einen Würfel ändern, einen Wurf weglassen oder wiederholen, hinter einem Fingerabdruck, den jemand aufgehoben hat"],
    ["Der Betreiber zusammen mit einem Spieler, ohne anderes Programm im Wurf", "die Würfel wählen", "einen Würfel ändern, hinter einem Fingerabdruck, den jemand aufgehoben hat"],
    ["Der Betreiber mit einem ehrlichen unabhängigen Würfelserver", "das Spiel anhalten; Karten und Missionen lesen", "den ersten Wurf eines Befehls oder eine Karte kennen oder wählen"],
    ["Ein anderer Spieler, ohne den Betreiber", "stumm sein: Seine Uhr läuft, und das zweite Schweigen beendet seinen Anteil an den Würfeln", "kennen oder wählen"],
    ["Der Betreiber, wenn dein Programm eine Seite ist, die er dir schickt", "alles aus den Zeilen ohne dein Programm: Eine solche Seite kann dein Geheimnis lesen und was du versiegelt hast", "–"],
  ],
  check: "Ein Spiel prüfen",
  checkHow: "Jedes Spiel hat eine Seite „Die Würfel prüfen“, die das ganze Protokoll in deinem eigenen Browser liest. Willst du keiner Seite trauen, lade das Protokoll herunter und prüfe es mit dem Programm zu Hause: rubicon verify DATEI.",
  kind: "Faire Würfel sind keine freundlichen Würfel: Ab und zu halten sechs Verteidiger hintereinander gegen jede Wahrscheinlichkeit.",
};
