import { fairDice as german } from "./de/fair_dice";
import { fairDice as english } from "./en/fair_dice";
import { pageTexts } from "./page_texts";

export const fairDiceTexts = pageTexts(english, german);
