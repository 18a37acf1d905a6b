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
    keys: "Single keys act while the map has the focus",
  },
  resign: "Resign",
  resignTitle: "Resign?",
  resignText: (territories: number) =>
    territories === 0
      ? "You leave the game for good. This cannot be undone."
      : `You leave the game for good, and with it ${territories === 1 ? "your territory" : `your ${territories} territories`}. This cannot be undone.`,
  keepPlaying: "Keep playing",
};
