import type { en } from "../en/catalogue";
import { board } from "./board";
import { common } from "./common";
import { game } from "./game";
import { help } from "./help";
import { hints } from "./hints";
import { log } from "./log";
import { settings } from "./settings";
import { start } from "./start";

/** The same texts in German; the type makes it complete. */
export const de: typeof en = { common, board, game, help, hints, log, settings, start };
