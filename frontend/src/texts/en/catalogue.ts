import { board } from "./board";
import { common } from "./common";
import { game } from "./game";
import { log } from "./log";
import { review } from "./review";
import { start } from "./start";

export const en = { common, board, game, log, review, start };
