import { admin as german } from "./de/admin";
import { admin as english } from "./en/admin";
import { pageTexts } from "./page_texts";

export const adminTexts = pageTexts(english, german);
