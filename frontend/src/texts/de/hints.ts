import type { Catalogue } from "../texts.svelte";

export const hints: Catalogue["hints"] = {
  list: {
    yours: "Die Gebiete in deiner Farbe, mit deinem Abzeichen, gehören dir. Die Zahl zählt deine Armeen.",
    place: "Wähle ein eigenes Gebiet, um dort eine Armee aufzustellen. Grenzen mit starken Nachbarn brauchen sie am meisten.",
    select: "Jetzt greif an: Wähle ein eigenes Gebiet mit mindestens zwei Armeen.",
    target: "Jedes Ziel zeigt deine Aussicht. Wähle eines, und dann noch einmal, um anzugreifen.",
    end: "Genug? Der Knopf unter der Karte beendet deine Angriffe. Wer ein Gebiet erobert hat, zieht eine Karte.",
  },
  gotIt: "Verstanden",
  noMore: "Keine Hinweise mehr",
};
