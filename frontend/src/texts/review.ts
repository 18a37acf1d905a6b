import { review as german } from "./de/review";
import { review as english } from "./en/review";
import { pageTexts } from "./page_texts";

export const reviewTexts = pageTexts(english, german);
