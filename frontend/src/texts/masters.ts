import { masters as german } from "./de/masters";
import { masters as english } from "./en/masters";
import { pageTexts } from "./page_texts";

export const mastersTexts = pageTexts(english, german);
