import { account } from "./account";
import { board } from "./board";
import { botGroups, bots } from "./bots";
import { cards } from "./cards";
import { common } from "./common";
import { game } from "./game";
import { hints } from "./hints";
import { objectives } from "./objectives";
import { lobby } from "./lobby";
import { log } from "./log";
import { mission } from "./mission";
import { newGame } from "./new_game";
import { news } from "./news";
import { ownDice } from "./own_dice";
import { rulesets } from "./rulesets";
import { sealing } from "./sealing";
import { start } from "./start";
import { table } from "./table";
import { talk } from "./talk";
import { waiting } from "./waiting";

export const en = {
  account,
  board,
  botGroups,
  bots,
  cards,
  common,
  game,
  hints,
  objectives,
  lobby,
  log,
  mission,
  newGame,
  news,
  ownDice,
  rulesets,
  sealing,
  start,
  table,
  talk,
  waiting,
};
