/** A table before its game: who is game master, and the rebels. */
export const masters = {
  title: "Game master",
  kinds: { none: "Nobody", host: "You", person: "Somebody else" },
  hints: {
    none: "The software runs the game alone: it rolls, deals, announces and keeps the time.",
    host: "You may give time, seat stand-ins and write to all. Everybody can read what you did. Nobody can touch the dice.",
    person: "Whom you name may give time, seat stand-ins and write to all, with a seat or without.",
  },
  who: "Colour of a seat, or a player's name",
  name: "Name",
  isMaster: (name: string) => `${name} is game master.`,
  rebels: "Rebels",
  rebelsHint: "They stand on the board when the game begins, defend, and never attack.",
  territory: "Territory",
  armies: "Armies",
  add: "Add",
  remove: (name: string) => `Remove the rebels of ${name}`,
};
