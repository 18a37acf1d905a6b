import type { rulesets as english } from "../en/rulesets";

export const rulesets: typeof english = {
  classic: ["Klassisch", "Weltherrschaft wie im Buch von 1993. Kartensätze bringen immer mehr."],
  "secret-mission": ["Geheimauftrag", "Jeder bekommt einen geheimen Auftrag. Erfülle deinen zuerst."],
  "two-player": ["Zu zweit", "Du, ein Gegner und vierzig neutrale Armeen dazwischen."],
  "two-player-50": ["Zu zweit, 50", "Teilt die Welt unter euch auf, je 50 Armeen."],
  email: ["E-Mail", "Offene Karten; ein ganzer Zug in einer E-Mail. Tage zwischen den Zügen."],
  basic: ["Einfach", "Die kurze Anleitung: keine Joker, Armeen ziehen überallhin."],
  revised: ["Ausgabe 2008", "Drei Ziele und die eigene Hauptstadt gewinnen. Städte, Flugplätze, Belohnungen."],
  "revised-conquest": ["2008, Eroberung", "Ziele bringen Belohnungen, aber nur die ganze Welt gewinnt."],
  capital: ["Hauptquartier", "Halte dein Hauptquartier und erobere alle anderen."],
  digest: ["Digest", "Das Buch von 1993, wörtlich genommen."],
};
