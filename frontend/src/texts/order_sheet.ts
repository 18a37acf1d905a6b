import { orderSheet as german } from "./de/order_sheet";
import { orderSheet as english } from "./en/order_sheet";
import { pageTexts } from "./page_texts";

export const orderSheetTexts = pageTexts(english, german);
