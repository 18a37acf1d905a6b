import type { bots as english } from "../en/bots";

export const bots: typeof english = {
  greedy: ["Gierig", "Will Kontinente und greift an, wo er stärker ist."],
  random: ["Zufall", "Irgendein erlaubter Zug: leicht, zum Lernen der Regeln."],
};
