export const fairDice = {
  title: "Fair dice",
  lead: "Usually you must trust someone else’s dice. Here you can check every roll, during the game and after it. This page explains what that protects you from, and what it does not.",
  how: "How a roll is made",
  steps: [
    ["Every participant has a secret.", "The server has one; a player’s program can have one, like the page in your browser; and so can an independent dice server that someone else runs. Each hashes its secret thousands of times and shows only the last hash before the game."],
    ["An order is given.", "A signed line in the transcript says whose decision it is and how many dice it needs. Nothing can come between this line and its answer."],
    ["Every participant adds one link.", "Each gives the hash before the one it gave last. Anyone can check that it belongs; no one can work out the next one. The server’s own link comes last, with the answer."],
    ["The dice follow from the links,", "and from nothing else: not from the time, a place in the log, or the words of an order."],
  ] as [string, string][],
  who: "Who can do what",
  columns: ["who", "can", "cannot"],
  rows: [
    ["The operator alone, with your program in the roll", "read cards and missions, and placements that no program has sealed; stop the game, or continue in a fork that everyone sees; call your program silent and so choose between two rolls, or leave it out: your program sees that immediately", "beyond that, choose or know a roll that includes your link"],
    ["The operator, with no player’s program in the roll", "know coming dice, and advise a friend when to attack", "change a die, or drop or repeat a roll, after a fingerprint that someone has kept"],
    ["The operator together with a player, no other program in the roll", "choose the dice", "change a die after a fingerprint that someone has kept"],
    ["The operator with an honest independent dice server", "stop the game; read cards and missions", "know or choose the first roll of an order, or a card"],
    ["Another player, without the operator", "be silent: his clock runs, and his second silence ends his part in the dice", "know or choose"],
    ["The operator, when your program is a page that he sends you", "all of the rows without your program: such a page can read your secret and what you have sealed", "–"],
  ],
  check: "Check a game",
  checkHow: "Each game has a page “Check the dice”, which reads the whole transcript in your own browser. If you trust no page at all, download the transcript and check it with your own program: rubicon verify FILE.",
  kind: "Fair dice are not kind dice: once in a while, six defenders in a row will hold against all odds.",
};
