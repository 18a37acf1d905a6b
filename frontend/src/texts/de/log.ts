import type { Armies, log as english, Who } from "../en/log";

const sagt = (who: Who, er: string, du: string) => (who.me ? `Du ${du}` : `${who.name} ${er}`);

const wem = (who: Who) => (who.me ? "dir" : who.name);
const wen = (who: Who) => (who.me ? "dich" : who.name);
const armeen = (armies: number) => (armies === 1 ? "1 Armee" : `${armies} Armeen`);
const kampf = (from: string, armies: Armies | null) => `(aus ${from}${armies === null ? "" : `, ${armies.attacker}\u00a0gegen\u00a0${armies.defender}`})`;
const verliert = (who: Who, armies: number) => `${who.me ? "du verlierst" : `${who.name} verliert`} ${armies === 0 ? "keine" : armies}`;
const gross = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);

export const log: typeof english = {
  took: (who, victim, place, from, armies) => `${sagt(who, "erobert", "eroberst")} ${place} von ${wem(victim)} ${kampf(from, armies)}`,
  attacked: (who, victim, place, from, armies) => `${sagt(who, "greift", "greifst")} ${wen(victim)} in ${place} an ${kampf(from, armies)}`,
  battleLosses: (who, lost, victim, killed) => gross(`${verliert(who, lost)}, ${verliert(victim, killed)}`),
  rolls: (rolls) => (rolls === 2 ? "Beide Würfe" : `Alle ${rolls} Würfe`),
  rollOf: (number) => `Wurf ${number}`,
  eliminated: (who, by) => (by.name === "" ? sagt(who, "scheidet aus", "scheidest aus") : `${sagt(by, "schaltet", "schaltest")} ${wen(who)} aus`),
  drew: (who) => `${sagt(who, "zieht", "ziehst")} eine Karte`,
  traded: (who, armies) => `${sagt(who, "tauscht", "tauschst")} einen Satz Karten für ${armeen(armies)}`,
  received: (who, armies) => `${sagt(who, "erhält", "erhältst")} ${armeen(armies)}`,
  spoils: (who, victim, cards) =>
    `${sagt(who, "nimmt", "nimmst")} ${victim.me ? "dir" : victim.name} ${cards === 0 ? "alles" : cards === 1 ? "eine Karte" : `${cards} Karten`} ab`,
  discarded: (place, armies) => `${place} verliert ${armeen(armies)}: Es gibt keine Figuren mehr`,
  missionShown: (who, mission) => `${sagt(who, "zeigt", "zeigst")} den Auftrag: ${mission}`,
  turnBegan: (who, round) => `${who.me ? "Dein Zug beginnt" : `Der Zug von ${who.name} beginnt`} (Runde ${round})`,
  begins: (who) => sagt(who, "beginnt", "beginnst"),
  won: (who) => sagt(who, "gewinnt", "gewinnst"),
  drawn: "Das Spiel endet unentschieden",
  claimed: (who, place) => `${sagt(who, "nimmt", "nimmst")} ${place}`,
  placed: (who, armies, place) => `${sagt(who, "setzt", "setzt")} ${armeen(armies)} auf ${place}`,
  movedIn: (who, armies, place) => `${sagt(who, "lässt", "lässt")} ${armeen(armies)}${place === "" ? "" : ` in ${place}`} einrücken`,
  fortified: (who, from, to, armies) => `${sagt(who, "verlegt", "verlegst")} ${armeen(armies)} von ${from} nach ${to}`,
  capital: (who, place) => `${sagt(who, "macht", "machst")} ${place} zur Hauptstadt`,
  offered: (who) => `${sagt(who, "bietet", "bietest")} eine Karte an`,
  objective: (who, objective, place) => `${sagt(who, "erfüllt", "erfüllst")} „${objective}“${place === "" ? "" : `, mit einem Flugplatz in ${place}`}`,
  resigned: (who) => sagt(who, "gibt auf", "gibst auf"),
  voted: (who, motion) => `${sagt(who, "stimmt", "stimmst")} dafür: ${motion}`,
  unvoted: (who, motion) => `${sagt(who, "zieht", "ziehst")} die Stimme zurück: ${motion}`,
  paused: "Das Spiel ruht",
  resumed: "Das Spiel geht weiter",
  extended: "Wer entscheiden muss, erhält die Zeit noch einmal",
  botPlays: (who) => `Ein Bot spielt für ${who.me ? "dich" : who.name}`,
  playsAgain: (who) => `${sagt(who, "spielt", "spielst")} wieder selbst`,
  late: (who) => (who.me ? "Deine Zeit ist um" : `Die Zeit von ${who.name} ist um`),
  away: (who, days) => `${sagt(who, "ist", "bist")} abwesend: ${days}`,
  back: (who) => `${sagt(who, "ist", "bist")} wieder da`,
  erased: (who) => `${who.name} hat das Konto gelöscht`,
  undone: (who) => `${sagt(who, "nimmt", "nimmst")} eine Entscheidung zurück`,
  forked: "Das Spiel geht von einem früheren Moment aus als neues weiter",
  announced: (words: string) => `Spielleitung an alle: „${words}“`,
  masterAsked: (request: string) => `Spielleitung: ${request}`,
  linesLost: "Dem Server fehlen Würfe: Das Spiel kann nur als neues weitergehen",
};
