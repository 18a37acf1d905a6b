import { push as german } from "./de/push";
import { push as english } from "./en/push";
import { pageTexts } from "./page_texts";

export const pushTexts = pageTexts(english, german);
