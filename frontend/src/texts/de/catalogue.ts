import type { en } from "../en/catalogue";
import { board } from "./board";
import { common } from "./common";
import { dice } from "./dice";
import { game } from "./game";
import { log } from "./log";
import { review } from "./review";
import { start } from "./start";

/** The same texts in German; the type makes it complete. */
export const de: typeof en = { common, board, dice, game, log, review, start };
