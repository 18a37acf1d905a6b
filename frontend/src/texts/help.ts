import { help as german } from "./de/help";
import { help as english } from "./en/help";
import { pageTexts } from "./page_texts";

export const helpTexts = pageTexts(english, german);
