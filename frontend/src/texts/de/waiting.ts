import type { waiting as english } from "../en/waiting";

export const waiting: typeof english = {
  links: (names, seconds) => `Dieser Wurf wartet auf ${names}: Der Browser dort gibt ein Geheimnis zu den Würfeln. In ${seconds} s wird ohne es gewürfelt.`,
  ownLink: (seconds) => `Dieser Wurf wartet auf deinen Browser, der dein Geheimnis zu den Würfeln gibt. In ${seconds} s wird ohne es gewürfelt.`,
  ownLinkComes: "Dein Browser gibt sein Geheimnis zu den Würfeln. Das dauert einen Augenblick.",
  dice: "Warten auf den Würfelserver. Der Befehl ist gespeichert und wird genau einmal gewürfelt, sobald er antwortet. Die Uhren stehen.",
  "dice-refused": "Der unabhängige Würfelserver hat diesen Wurf verweigert. Das Spiel steht, bis der Betreiber dieses Servers das behoben hat.",
  "lines-lost": "Der Server hat Würfe dieses Spiels verloren. Es kann nur als neues Spiel weitergehen: Stimme unter „An diesem Tisch“ dafür.",
  typed: (names) => `Warten auf echte Würfel: ${names} darf sie werfen und eingeben, was sie zeigen.`,
  openings: (names) => `Warten auf ${names}: Der Browser dort öffnet die versiegelte Aufstellung, sobald er dieses Spiel zeigt.`,
  ownOpening: "Dein Browser öffnet deine versiegelte Aufstellung. Hast du sie in einem anderen versiegelt, öffne das Spiel dort.",
  timeLeft: (time) => `Restzeit: ${time}.`,
  or: " oder ",
};
