import type { push as english } from "../en/push";

export const push: typeof english = {
  title: "Benachrichtigungen",
  on: "Sag mir, wenn ich dran bin",
  onHint: "Eine Nachricht auf diesem Gerät, auch wenn diese Seite geschlossen ist. Sie öffnet das Spiel.",
  insecure: "Benachrichtigungen brauchen eine sichere Adresse (https). Diese Seite kam über einfaches http.",
  unsupported: "Dieser Browser kann keine Benachrichtigungen zeigen. Auf einem iPhone: Lege die Seite zuerst auf den Startbildschirm.",
  off: "Dieser Server verschickt keine Benachrichtigungen.",
  denied: "Du hast Benachrichtigungen dieser Seite gesperrt. Die Einstellungen deines Browsers für diese Seite erlauben sie wieder.",
  failed: "Der Benachrichtigungsdienst deines Browsers ist nicht zu erreichen. Versuch es später noch einmal.",
  devices: "Geräte, die Bescheid bekommen",
  unnamed: "Ein Gerät",
  remove: "Entfernen",
  removeDevice: (label) => `${label} entfernen`,
};
