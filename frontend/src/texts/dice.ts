import { dice as german } from "./de/dice";
import { dice as english } from "./en/dice";
import { pageTexts } from "./page_texts";

export const diceTexts = pageTexts(english, german);
