export const objectives = {
  goals: {
    cities: (count: number) => `Control ${count} cities`,
    territories: (count: number) => `Control ${count} territories`,
    continent: (_: number, name: string) => `Control ${name}`,
    continents: (count: number) => `Control ${count} complete continents`,
    enemy_capitals: (count: number) => (count === 1 ? "Control 1 enemy capital" : `Control ${count} enemy capitals`),
    cities_in_turn: (count: number) => `Take ${count} cities in one turn`,
    territories_in_turn: (count: number) => `Take ${count} territories in one turn`,
    continent_in_turn: () => "Take an entire continent in one turn",
  } as Record<string, (count: number, continent: string) => string>,
  rewards: {
    airfield: "Airfield",
    additional_manoeuvre: "Additional manoeuvre",
    starting_manoeuvre: "Starting manoeuvre",
    guaranteed_card: "Guaranteed card",
    attack_die: "Attack die",
    defence_die: "Defence die",
    two_troops: "Two armies a turn",
  } as Record<string, string>,
  airfieldHint: "Tap one of your territories for the airfield.",
  claimWith: (place: string) => `Claim, airfield in ${place}`,
  signs: { capital: "capital", city: "city", airfield: "airfield, best die +1 here and beside it" },
};
