import type { mission as english } from "../en/mission";

export const mission: typeof english = {
  texts: {
    M01: "Erobere Asien und Südamerika.",
    M02: "Erobere Asien und Afrika.",
    M03: "Erobere Nordamerika und Afrika.",
    M04: "Erobere Nordamerika und Australien.",
    M05: "Erobere Europa, Südamerika und einen dritten Kontinent deiner Wahl.",
    M06: "Erobere Europa, Australien und einen dritten Kontinent deiner Wahl.",
    M07: "Halte 18 Gebiete mit mindestens je zwei Armeen.",
    M08: "Halte 24 Gebiete.",
    M09: "Vernichte die roten Armeen.",
    M10: "Vernichte die blauen Armeen.",
    M11: "Vernichte die grünen Armeen.",
    M12: "Vernichte die gelben Armeen.",
    M13: "Vernichte die grauen Armeen.",
    M14: "Vernichte die schwarzen Armeen.",
  },
  outOfReach: (mission, needed) => `${mission} Das geht nicht mehr: Halte stattdessen ${needed} Gebiete.`,
  yours: "Dein Auftrag",
  onlyYou: "Nur du kannst ihn sehen.",
  hold: "Halten zum Aufdecken",
  holdHint: "Die Eingabetaste deckt auf und wieder zu.",
  secret: "Geheimauftrag",
  complete: "Erfüllt",
  reveal: "Aufdecken und gewinnen",
};
