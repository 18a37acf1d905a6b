/** The texts of the administration in both languages: few people need them, so no catalogue has them. */

import { device } from "../../state/device.svelte";
import { admin as german } from "../../texts/de/admin";
import { admin as english } from "../../texts/en/admin";

export const adminTexts = (): typeof english => (device.choices.language === "de" ? german : english);
