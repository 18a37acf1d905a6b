export const settings = {
  theme: "Theme",
  system: "System",
  light: "Light",
  dark: "Dark",
  language: "Language",
  speed: "Motion",
  full: "Full",
  fast: "Fast",
  none: "None",
  switches: {
    sound: "Sounds",
    patterns: "Patterns on the land",
    pieces: "Pieces instead of figures",
    keys: "Single keys act (E ends the phase, R rolls …)",
  },
};
