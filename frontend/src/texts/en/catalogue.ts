import { board } from "./board";
import { common } from "./common";
import { dice } from "./dice";
import { game } from "./game";
import { log } from "./log";
import { review } from "./review";
import { start } from "./start";

export const en = { common, board, dice, game, log, review, start };
