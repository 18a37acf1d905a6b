import type { talk as english } from "../en/talk";

export const talk: typeof english = {
  phrases: {
    hello: "Hallo zusammen.",
    luck: "Viel Glück.",
    played: "Gut gespielt.",
    thanks: "Danke.",
    sorry: "Entschuldigung.",
    ouch: "Autsch!",
    dice: "Diese Würfel!",
    moment: "Einen Moment, bitte.",
    back: "Ich bin wieder da.",
    hurry: "Du bist dran, bitte.",
    again: "Revanche?",
    bye: "Tschüss, es war ein gutes Spiel.",
  },
  off: "An diesem Tisch wird nicht geplaudert.",
  choosePhrase: "Wähle einen Satz",
  watching: "Du schaust zu: Nur Spieler können schreiben.",
  somebody: "Jemand, der gegangen ist",
  more: (name) => `Was tun mit ${name}`,
  mute: (name) => `${name} an diesem Tisch stumm schalten`,
  unmute: (name) => `${name} wieder hören`,
  block: (name) => `${name} an allen Tischen blockieren`,
  report: "Diese Zeile der Verwaltung melden",
  reported: "Gemeldet. Die Verwaltung sieht die Zeile und wer sie schrieb.",
  mutedOnes: (names) => `Stumm: ${names}`,
};
