import type { Catalogue } from "../texts.svelte";

export const settings: Catalogue["settings"] = {
  theme: "Farben",
  system: "System",
  light: "Hell",
  dark: "Dunkel",
  language: "Sprache",
  speed: "Bewegung",
  full: "Voll",
  fast: "Schnell",
  none: "Keine",
  switches: {
    sound: "Töne",
    patterns: "Muster auf dem Land",
    pieces: "Figuren statt Zahlen",
    keys: "Einzelne Tasten wirken, solange die Karte den Fokus hat",
  },
  resign: "Aufgeben",
  resignTitle: "Aufgeben?",
  resignText: (territories: number) =>
    territories === 0
      ? "Du verlässt das Spiel endgültig. Das lässt sich nicht zurücknehmen."
      : `Du verlässt das Spiel endgültig und gibst ${territories === 1 ? "dein Gebiet" : `deine ${territories} Gebiete`} auf. Das lässt sich nicht zurücknehmen.`,
  keepPlaying: "Weiterspielen",
};
