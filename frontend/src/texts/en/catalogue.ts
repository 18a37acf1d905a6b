import { account } from "./account";
import { board } from "./board";
import { bots } from "./bots";
import { cards } from "./cards";
import { common } from "./common";
import { dice } from "./dice";
import { fairDice } from "./fair_dice";
import { game } from "./game";
import { help } from "./help";
import { hints } from "./hints";
import { objectives } from "./objectives";
import { lobby } from "./lobby";
import { log } from "./log";
import { mission } from "./mission";
import { newGame } from "./new_game";
import { news } from "./news";
import { odds } from "./odds";
import { orderSheet } from "./order_sheet";
import { ownDice } from "./own_dice";
import { pass } from "./pass";
import { passkeys } from "./passkeys";
import { players } from "./players";
import { push } from "./push";
import { review } from "./review";
import { rules } from "./rules";
import { rulesets } from "./rulesets";
import { sealing } from "./sealing";
import { settings } from "./settings";
import { start } from "./start";
import { table } from "./table";
import { talk } from "./talk";
import { waiting } from "./waiting";
import { watch } from "./watch";

export const en = {
  account,
  board,
  bots,
  cards,
  common,
  dice,
  fairDice,
  game,
  help,
  hints,
  objectives,
  lobby,
  log,
  mission,
  newGame,
  news,
  odds,
  orderSheet,
  ownDice,
  pass,
  passkeys,
  players,
  push,
  review,
  rules,
  rulesets,
  sealing,
  settings,
  start,
  table,
  talk,
  waiting,
  watch,
};
