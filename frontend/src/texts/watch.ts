import { watch as german } from "./de/watch";
import { watch as english } from "./en/watch";
import { pageTexts } from "./page_texts";

export const watchTexts = pageTexts(english, german);
