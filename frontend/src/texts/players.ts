import { players as german } from "./de/players";
import { players as english } from "./en/players";
import { pageTexts } from "./page_texts";

export const playersTexts = pageTexts(english, german);
