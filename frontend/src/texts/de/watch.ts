import type { watch as english } from "../en/watch";

export const watch: typeof english = {
  title: "Spiele zum Zuschauen",
  none: "Gerade läuft kein öffentliches Spiel.",
  watchTable: (title) => `Bei ${title} zuschauen`,
};
