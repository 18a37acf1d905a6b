import type { Catalogue } from "../texts.svelte";

export const objectives: Catalogue["objectives"] = {
  goals: {
    cities: (count) => `Halte ${count} Städte`,
    territories: (count) => `Halte ${count} Gebiete`,
    continent: (_, name) => `Halte ${name}`,
    continents: (count) => `Halte ${count} ganze Kontinente`,
    enemy_capitals: (count) => (count === 1 ? "Halte 1 feindliche Hauptstadt" : `Halte ${count} feindliche Hauptstädte`),
    cities_in_turn: (count) => `Erobere ${count} Städte in einem Zug`,
    territories_in_turn: (count) => `Erobere ${count} Gebiete in einem Zug`,
    continent_in_turn: () => "Erobere einen ganzen Kontinent in einem Zug",
  },
  rewards: {
    airfield: "Flugplatz",
    additional_manoeuvre: "Zusätzliches Manöver",
    starting_manoeuvre: "Manöver zu Beginn",
    guaranteed_card: "Sichere Karte",
    attack_die: "Angriffswürfel",
    defence_die: "Verteidigungswürfel",
    two_troops: "Zwei Armeen je Zug",
  },
  airfieldHint: "Tippe auf ein eigenes Gebiet für den Flugplatz.",
  claimWith: (place) => `Nehmen, Flugplatz in ${place}`,
  signs: { capital: "Hauptstadt", city: "Stadt", airfield: "Flugplatz, bester Würfel +1 hier und nebenan" },
};
