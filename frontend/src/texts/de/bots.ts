import type { botGroups as englishGroups, bots as english } from "../en/bots";

export const bots: typeof english = {
  expert: ["Experte", "Spielt vor jeder Entscheidung mehrere Pläne im Kopf weiter."],
  hard: ["Schwer", "Spielt in einer von vier Runden mehrere Pläne im Kopf weiter."],
  medium: ["Mittel", "Plant seine Züge und rechnet aus, wen er besiegen kann."],
  easy: ["Leicht", "Greift an, wo er stärker ist, und passt in einer von acht Runden nicht auf."],
  beginner: ["Anfänger", "Macht in drei von vier Runden irgendetwas Erlaubtes: Ein Kind kann ihn besiegen."],
  hunter: ["Jäger", "Rechnet aus, ob er in diesem Zug jemanden besiegen kann, und nimmt dessen Karten."],
  turtle: ["Schildkröte", "Sammelt Armeen hinter ihren Grenzen und übernimmt sich nie."],
  kingslayer: ["Königsmörder", "Hält klein, wer führt."],
  economist: ["Ökonom", "Nimmt Kontinente, hält sie und bricht die der anderen."],
  farmer: ["Bauer", "Nimmt jeden Zug ein sicheres Gebiet, für die Karte, und wartet."],
  expander: ["Siedler", "Wächst als zusammenhängende Fläche und bewacht seine Grenzen."],
  peaceful: ["Friedlich", "Greift nur an, wer ihn angegriffen hat."],
  greedy: ["Gierig", "Will Kontinente und greift an, wo er stärker ist."],
  random: ["Zufall", "Irgendein erlaubter Zug: leicht, zum Lernen der Regeln."],
};

export const botGroups: typeof englishGroups = { levels: "Stufen", characters: "Charaktere" };
