import type { masters as english } from "../en/masters";

export const masters: typeof english = {
  title: "Spielleitung",
  kinds: { none: "Niemand", host: "Du", person: "Jemand anderes" },
  hints: {
    none: "Das Programm leitet das Spiel allein: Es würfelt, teilt aus, kündigt an und achtet auf die Zeit.",
    host: "Du kannst Zeit geben, Vertretungen bestellen und an alle schreiben. Alle können lesen, was du getan hast. Die Würfel kann niemand anrühren.",
    person: "Wen du benennst, kann Zeit geben, Vertretungen bestellen und an alle schreiben, mit oder ohne Platz am Tisch.",
  },
  who: "Farbe eines Platzes oder Name",
  name: "Benennen",
  isMaster: (name) => `${name} leitet das Spiel.`,
  rebels: "Rebellen",
  rebelsHint: "Sie stehen auf dem Brett, wenn das Spiel beginnt, verteidigen und greifen nie an.",
  territory: "Gebiet",
  armies: "Armeen",
  add: "Hinzufügen",
  remove: (name) => `Rebellen von ${name} entfernen`,
};
