import type { pages as english } from "../en/pages";

const armeen = (count: number) => (count === 1 ? "1 Armee" : `${count} Armeen`);

export const pages: typeof english = {
  pages: "Seiten dieses Spiels",
  names: { map: "Karte", cards: "Handkarten", rolls: "Würfel", rules: "Regeln", messages: "Nachrichten", master: "Spielleitung" },
  setByMaster: "von der Spielleitung",
  play: "Zu deinem Zug",
  watch: "Zuschauen",
  round: (round: number) => (round === 0 ? "Aufbau" : `Runde ${round}`),
  over: "Das Spiel ist zu Ende",
  paused: "Pause",
  toMove: (name: string) => `${name} ist am Zug`,
  until: (time: string) => `bis ${time}`,
  awarded: (name: string, count: number) => `${name} bekommt ${armeen(count)}`,
  items: ({ territories, continents, capitals, rewards }) =>
    `${[`${territories} für Gebiete`, continents > 0 ? `${continents} für Kontinente` : "", capitals > 0 ? `${capitals} für Hauptstädte` : "", rewards > 0 ? `${rewards} für Belohnungen` : ""].filter((part) => part !== "").join(", ")}. Armeen für Karten kommen dazu.`,
  continents: "Armeen je Zug für einen ganzen Kontinent",
  everybody: "Alle",
  player: "Spieler",
  armies: "Armeen",
  territories: "Gebiete",
  shortTerritories: "Geb.",
  shortCards: "Karten",
  award: "Zuwachs",
  rebels: "Rebellen",
  rebelsHold: (places) => `Rebellen und neutrale Armeen halten ${places.join(", ")}. Sie verteidigen und greifen nie an.`,
  yourOrders: "Deine Daueraufträge",
  everywhere: "Alle Gebiete",
  standing: { none: "du wirst jedes Mal gefragt", "1": "verteidigt mit einem Würfel", "2": "verteidigt mit zwei Würfeln", max: "verteidigt mit so vielen Würfeln wie erlaubt" },
  allTerritories: (count) => `Alle ${count} Gebiete als Tabelle`,
  territory: "Gebiet",
  owner: "Besitzer",
  cardPages: "Kartenseiten",
  countOfCards: (count) => (count === 1 ? "1 Karte" : `${count} Karten`),
  cardsOf: (colour) => `Karten von ${colour}`,
  mustTrade: "muss tauschen",
  hiddenHand: (name, count) => `In diesem Spiel sind die Karten verdeckt. ${name} hat ${count === 1 ? "1 Karte" : `${count} Karten`}.`,
  noCards: "Keine Karten.",
  designs: { infantry: "Infanterie", cavalry: "Kavallerie", artillery: "Artillerie", wild: "Joker" },
  stars: (count) => (count === 1 ? "1 Stern" : `${count} Sterne`),
  heldBy: (name) => `gehalten von ${name}`,
  worth: "Was ein Satz wert ist",
  traded: (count, next) =>
    `${count === 0 ? "Bisher wurde kein Satz getauscht" : count === 1 ? "Bisher wurde ein Satz getauscht" : `Bisher wurden ${count} Sätze getauscht`}; der nächste bringt ${next}. Sätze: drei gleiche Zeichen, drei verschiedene, oder zwei beliebige und ein Joker.`,
  dealtAndTraded: "Bekommen und getauscht",
  dealt: (card) => `${card} bekommen`,
  dealtHidden: "eine Karte bekommen",
  tradedFor: (cards, count) => `${cards.join(", ")} gegen ${armeen(count)} getauscht`,
  nothingYet: "Noch nichts.",
  drawnLikeDice: "Karten werden gezogen wie Würfel geworfen: Niemand sucht sie aus.",
  checkThem: "Nachprüfen",
  everyRoll: "Jeder Wurf dieses Spiels",
  rollsSoFar: (count) => `Bisher ${count === 1 ? "1 Wurf" : `${count} Würfe`}. Niemand kann einen aussuchen, ändern, wiederholen oder weglassen: kein Spieler und auch nicht die Spielleitung.`,
  chainAfter: "Kopf der Würfelkette:",
  checkAll: "Alle Würfe nachprüfen",
  whichRolls: "Welche Würfe",
  all: "Alle",
  withMe: "Mit mir",
  thisRound: "Diese Runde",
  findRoll: "Wurf suchen: Nummer oder Gebiet",
  turnOfRolls: (round, count) => `${round === 0 ? "Aufbau" : `Runde ${round}`} · ${count === 1 ? "1 Wurf" : `${count} Würfe`}`,
  noRolls: "Keine Würfe.",
  moreRolls: "Weitere Würfe",
  fates: "Gefüllte Würfel haben ihr Paar gewonnen, umrandete verloren; blasse hatten kein Gegenüber. Gleichstand gewinnt, wer verteidigt.",
  write: "Nachricht schreiben",
  to: "An",
  message: "Nachricht",
  send: "Senden",
  sent: "Gesendet.",
  toMaster: "an die Spielleitung",
  toOne: (name) => `an ${name}`,
  masterCalled: (name) => (name === "" ? "Spielleitung" : `${name}, Spielleitung`),
  noMessages: "Noch keine Nachrichten.",
  whatWaits: "Worauf gewartet wird",
  runBy: (name) => `geleitet von ${name}`,
  runBySoftware: "vom Programm geleitet",
  decides: "Muss entscheiden",
  decidesUntil: (time) => `Muss entscheiden, bis ${time}`,
  nothing: "Nichts",
  late: "Zeit ist um",
  freeSeat: "frei: ein Bot spielt, bis jemand den Platz nimmt",
  botPlays: (bot) => `${bot} spielt`,
  awayUntil: (time) => `abwesend bis ${time}`,
  can: "Was du tun kannst",
  cannot: "Was du nicht tun kannst",
  masterCannot: "Was die Spielleitung nicht tun kann",
  cannotDo: [
    "Einen Wurf aussuchen, ändern, wiederholen oder weglassen, oder ihn sehen, bevor er fällt.",
    "Armeen, Karten oder Befehle von Spielern ändern.",
    "Sehen, was verdeckt ist.",
    "Etwas zurücknehmen, dem ein Würfel oder eine Karte gefolgt ist. Alle zusammen können von dort ein neues Spiel beginnen.",
    "Etwas tun, ohne dass es in diesem Protokoll steht.",
  ],
  auditLog: "Protokoll",
  openToAll: "für alle zu lesen",
  nothingDone: "Bisher ist neben den Regeln nichts geschehen.",
  software: "Das Programm",
  allPlayers: "Die Spieler",
  did: ({ event, text }, seat, nameOf) => {
    const [word = "", first = "", second = ""] = text.split(" ");
    const rest = text.slice(word.length + 1);
    switch (event === "master" ? word : event) {
      case "EXTEND":
        return `gab allen, die entscheiden müssen, ${first} Stunden mehr.`;
      case "PROCESS":
        return "ließ einen Bot für alle spielen, deren Zeit um ist.";
      case "BOT":
        return `bestellte eine Vertretung: ${second} spielt für ${nameOf(first)}.`;
      case "REPLACE":
        return `gab den Platz von ${nameOf(first)} für jemand anderen frei.`;
      case "UNDO":
        return "nahm die letzte Entscheidung zurück. Kein Würfel und keine Karte lag dahinter.";
      case "ANNOUNCE":
        return `schrieb an alle: „${rest}“`;
      case "BANNER":
        return rest === "" ? "entfernte das Banner." : `setzte das Banner: ${rest}`;
      case "FORK":
        return `schlägt ein neues Spiel ab Zeile ${first} des Protokolls vor. Alle müssen dafür stimmen.`;
      case "bot":
        return text === "" ? "spielt wieder selbst." : `ließ ${text} für ${seat} spielen.`;
      case "late":
        return `stellte fest, dass die Zeit von ${seat} um ist.`;
      case "extend":
        return "gaben allen, die entscheiden müssen, ihre Zeit noch einmal.";
      case "pause":
        return text === "on" ? "unterbrachen das Spiel." : "setzten das Spiel fort.";
      case "fork":
        return "spielen als neues Spiel weiter, ab einer früheren Zeile.";
      case "away":
        return text === "" ? "ist zurück." : `ist von ${word} bis ${first} abwesend${second === "" ? "" : `; solange spielt ${second}`}.`;
      case "erased":
        return "hat Rubicon verlassen; der Platz gehört niemandem mehr.";
      case "lost-lines":
        return "hielt das Spiel an: Beim Wiederherstellen gingen Würfel verloren.";
      default:
        return "beendete das Spiel.";
    }
  },
  acts: {
    EXTEND: { title: "Mehr Zeit geben", what: "allen, für die Entscheidung, die jetzt fällig ist", when: "jetzt läuft für niemanden eine Zeit", word: "EXTEND 12 HOURS" },
    ANNOUNCE: { title: "An alle schreiben", what: "auf dem Weg, den alle gewählt haben", when: "das Spiel ist zu Ende", word: "ANNOUNCE …" },
    BOT: { title: "Einen Bot spielen lassen", what: "bis der Spieler zurück ist", when: "wenn jemand zu spät oder abwesend ist oder zustimmt", word: "BOT red greedy" },
    REPLACE: { title: "Einen Platz freigeben", what: "für jemand anderen, mit einem Link für eine Person", when: "wenn jemand zu spät ist oder zustimmt", word: "REPLACE red CONFIRM" },
    PROCESS: { title: "Ohne Antwort weiter", what: "ein Bot spielt für alle, deren Zeit um ist", when: "wenn jemandes Zeit um ist", word: "PROCESS" },
    UNDO: { title: "Zurücknehmen", what: "bis zum letzten Würfel oder zur letzten Karte, nie weiter", when: "seitdem kam ein Würfel, eine Karte oder ein Geheimnis", word: "UNDO" },
    FORK: { title: "Neuen Anfang vorschlagen", what: "ein neues Spiel ab einer früheren Zeile, wenn alle dafür stimmen", when: "das Spiel ist zu Ende", word: "FORK 120 CONFIRM" },
    BANNER: { title: "Banner setzen", what: "eine Zeile über den Seiten des Spiels", when: "das Spiel ist zu Ende", word: "…" },
  },
  masterIsRead: "Alles, was du tust, steht unten, wo es alle lesen können.",
  hours: "Stunden",
  seat: "Platz",
  bot: "Bot",
  bannerLine: "Die Zeile; leer für keine",
  lineOfLog: "Zeile des Protokolls",
  undoes: (name) => `Das nimmt die letzte Entscheidung von ${name} zurück.`,
  seatIsFree: "Der Platz ist frei. Schick diesen Link einer Person: Wer ihn zuerst öffnet, kann den Platz nehmen. Du selbst kannst es nicht.",
  linkForOne: "Link für eine Person",
  yourSeat: "Dein Platz",
  youMayAgree: "Wenn du nicht weiterspielen kannst, stimm zu, dass die Spielleitung deinen Platz einem Bot oder jemand anderem gibt.",
  youAgreed: "Du hast zugestimmt, dass die Spielleitung deinen Platz einem Bot oder jemand anderem geben darf.",
  agree: "Zustimmen",
  seatForYou: "Ein Platz für dich",
  seatForYouHint: "Wer hier spielte, ist gegangen. Du kannst den Platz nehmen und weiterspielen; bis dahin spielt ein Bot.",
  takeSeat: "Diesen Platz nehmen",
};
