import { odds as german } from "./de/odds";
import { odds as english } from "./en/odds";
import { pageTexts } from "./page_texts";

export const oddsTexts = pageTexts(english, german);
