import type { log as english } from "../en/log";

export const log: typeof english = {
  took: (place, from) => `${place} erobert aus ${from}`,
  attacked: (from, to) => `${from} greift ${to} an`,
  battleLosses: (rolls, mine, theirs) => `${rolls === 1 ? "" : `${rolls} Würfe, `}−${mine} · −${theirs}`,
  eliminated: (who, by) => `${who} scheidet aus, durch ${by}`,
  drew: (who) => `${who} zieht eine Karte`,
  traded: (who, armies) => `${who} tauscht einen Satz für ${armies}`,
  received: (who, armies) => `${who} erhält ${armies}`,
  turnBegan: (who, round) => `Runde ${round}: ${who}`,
  begins: (who) => `${who} beginnt`,
  won: (who) => `${who} gewinnt`,
  drawn: "Das Spiel endet unentschieden",
  claimed: (place) => `Nimmt ${place}`,
  placed: (armies, place) => `Setzt ${armies} auf ${place}`,
  movedIn: (armies, place) => (place === "" ? `Lässt ${armies} einrücken` : `Lässt ${armies} in ${place} einrücken`),
  fortified: (from, to, armies) => `Verlegt ${armies} von ${from} nach ${to}`,
  capital: (place) => `Hauptstadt: ${place}`,
};
