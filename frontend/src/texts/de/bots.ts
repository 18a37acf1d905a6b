import type { bots as english } from "../en/bots";

export const bots: typeof english = {
  strategist: ["Stratege", "Spielt mehrere Pläne im Kopf weiter und nimmt den, der am öftesten gewinnt."],
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
