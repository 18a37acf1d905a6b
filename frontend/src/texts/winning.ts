import { winning as german } from "./de/winning";
import { winning as english } from "./en/winning";
import { pageTexts } from "./page_texts";

export const winningTexts = pageTexts(english, german);
