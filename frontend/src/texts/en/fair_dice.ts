export const fairDice = {
  title: "Fair dice",
  lead: "Usually you must trust somebody’s dice. Here every roll can be checked, while the game runs and when it is over. This page says what that protects you from, and what it does not.",
  how: "How a roll is made",
  steps: [
    ["Everybody brings a secret.", "The server has one, a player’s program can have one, as the page in your browser has, and so can an independent dice server that somebody else runs. Each hashes its secret many thousand times and shows only the last hash before the game."],
    ["An order is given.", "A signed line in the transcript says whose decision it is and how many dice it needs. Nothing can be put between this line and its answer."],
    ["Everybody adds one link.", "Each gives the hash before the one it gave last. All can check that it belongs; nobody can work out the next one. The server’s own link comes last, with the answer."],
    ["The dice follow from the links,", "and from nothing else: no time, no place in the log, no words of an order."],
  ] as [string, string][],
  who: "Who can do what",
  columns: ["who", "can", "cannot"],
  rows: [
    ["The operator alone, with your program in the roll", "read cards and missions, and placements that no program has sealed; stop the game, or go on in a fork that everybody sees; call your program silent and so choose between two rolls, or leave it out: your program sees that at once", "choose or know a roll in which your link stands, beyond that"],
    ["The operator, with no player’s program in the roll", "know coming dice, and tell a friend when to attack", "change a die, drop or repeat a roll behind a fingerprint that somebody has kept"],
    ["The operator together with a player, no other program in the roll", "choose the dice", "change a die behind a fingerprint that somebody has kept"],
    ["The operator with an honest independent dice server", "stop the game; read cards and missions", "know or choose the first roll of an order, or a card"],
    ["Another player, without the operator", "be silent: his clock runs, and his second silence ends his part in the dice", "know or choose"],
    ["The operator, when your program is a page that he sends you", "all of the rows without your program: such a page can read your secret and what you have sealed", "–"],
  ],
  check: "Check a game",
  checkHow: "Each game has a page “Check the dice”, which reads the whole transcript in your own browser. To trust no page at all, download the transcript and check it with the program at home: rubicon verify FILE.",
  kind: "Fair dice are not kind dice: six defenders in a row will hold against all odds, once in a while.",
};
