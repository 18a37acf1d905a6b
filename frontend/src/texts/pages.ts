import { pages as german } from "./de/pages";
import { pages as english } from "./en/pages";
import { pageTexts } from "./page_texts";

export const pagesTexts = pageTexts(english, german);
