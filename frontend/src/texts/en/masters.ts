/** A table before its game: who is game master, and the rebels. */
export const masters = {
  title: "Game master",
  kinds: { none: "No one", host: "You", person: "Someone else" },
  hints: {
    none: "The software runs the game alone: it rolls, deals, announces and keeps the time.",
    host: "You may give time, seat stand-ins and write to all. Everyone can read what you did. No one can touch the dice.",
    person: "The person you name may give time, seat stand-ins and write to all, with or without a seat.",
  },
  who: "Colour of a seat, or a player's name",
  name: "Name",
  isMaster: (name: string) => `${name} is game master.`,
  rebels: "Rebels",
  rebelsHint: "They are on the board when the game begins, defend, and never attack.",
  territory: "Territory",
  armies: "Armies",
  add: "Add",
  remove: (name: string) => `Remove the rebels of ${name}`,
};
