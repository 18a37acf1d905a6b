import { board } from "./board";
import { common } from "./common";
import { start } from "./start";

export const en = { common, board, start };
