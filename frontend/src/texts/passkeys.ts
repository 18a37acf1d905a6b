import { passkeys as german } from "./de/passkeys";
import { passkeys as english } from "./en/passkeys";
import { pageTexts } from "./page_texts";

export const passkeysTexts = pageTexts(english, german);
