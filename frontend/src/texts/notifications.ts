import { notifications as german } from "./de/notifications";
import { notifications as english } from "./en/notifications";
import { pageTexts } from "./page_texts";

export const notificationTexts = pageTexts(english, german);
