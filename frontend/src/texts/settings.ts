import { settings as german } from "./de/settings";
import { settings as english } from "./en/settings";
import { pageTexts } from "./page_texts";

export const settingsTexts = pageTexts(english, german);
