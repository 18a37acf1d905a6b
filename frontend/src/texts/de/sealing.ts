import type { sealing as english } from "../en/sealing";

export const sealing: typeof english = {
  byBrowser: "Deine Aufstellung bleibt in diesem Browser, bis alle aufgestellt haben. Die anderen bekommen nur ein Siegel, das später zeigt, dass du nichts geändert hast.",
  byServer: "Deine Aufstellung bleibt den anderen verborgen, bis alle aufgestellt haben. Der Server bewahrt sie auf, weil dieser Browser an den Würfeln nicht mitwirkt.",
  title: "Deine Aufstellung ist in diesem Browser versiegelt",
  waits: "Niemand sonst hat sie. Sie öffnet sich von selbst, wenn alle fertig sind. Du darfst die Seite schließen; komm dann in diesem Browser zurück, damit sie sich rechtzeitig öffnen kann.",
  opens: "Alle sind fertig: Deine Aufstellung wird geöffnet.",
  placed: "Was du aufgestellt hast",
  elsewhereTitle: "Deine Aufstellung ist in einem anderen Browser versiegelt",
  elsewhere: "Nur der Browser, in dem du aufgestellt hast, kann sie öffnen. Öffne dieses Spiel dort und lass die Seite offen, bis alle fertig sind. Wird sie nicht rechtzeitig geöffnet, zählt sie nicht: Dann geschieht, was der Tisch für Spieler vorsieht, deren Zeit um ist.",
  otherTabSeals: "Ein anderer Tab dieses Browsers wirkt an diesem Spiel mit: Stell deine Armeen dort auf, oder schließ ihn.",
  notSealed: "Deine Aufstellung ließ sich nicht versiegeln, und nichts davon wurde gesendet.",
  notSealedHint: "Warte einen Moment und drück noch einmal. Hilft das nicht, lade die Seite neu.",
  notWhole: "Das ist noch keine ganze Aufstellung.",
  notWholeHint: "Stell alle deine Armeen auf, in Gebieten, in denen du darfst.",
};
