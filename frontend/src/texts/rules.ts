import { rules as german } from "./de/rules";
import { rules as english } from "./en/rules";
import { pageTexts } from "./page_texts";

export const rulesTexts = pageTexts(english, german);
