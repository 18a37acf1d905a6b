import { board } from "./board";
import { common } from "./common";
import { game } from "./game";
import { help } from "./help";
import { hints } from "./hints";
import { log } from "./log";
import { settings } from "./settings";
import { start } from "./start";

export const en = { common, board, game, help, hints, log, settings, start };
