import type { settings as english } from "../en/settings";

export const settings: typeof english = {
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
    keys: "Einzelne Tasten wirken (E beendet die Phase, R würfelt …)",
  },
};
