import { pass as german } from "./de/pass";
import { pass as english } from "./en/pass";
import { pageTexts } from "./page_texts";

export const passTexts = pageTexts(english, german);
