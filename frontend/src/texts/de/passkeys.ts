import type { passkeys as english } from "../en/passkeys";

export const passkeys: typeof english = {
  title: "Passkeys",
  hint: "Melde dich mit der Sperre deines Geräts an: Fingerabdruck, Gesicht, PIN oder Sicherheitsschlüssel. Ohne Passwort, ohne E-Mail.",
  none: "Noch kein Passkey.",
  name: "Name des Passkeys",
  add: "Passkey anlegen",
  dates: (created, used) => (used === null ? `seit ${created}, noch nicht benutzt` : `seit ${created}, zuletzt benutzt ${used}`),
  remove: "Entfernen",
  removeNamed: (name) => `${name} entfernen`,
  removeAsk: (name) => `Mit ${name} nicht mehr anmelden?`,
  keep: "Behalten",
  signIn: "Mit Passkey anmelden",
  signInHint: "Wenn du in deinem Konto einen angelegt hast.",
  problems: {
    cancelled: "Es wurde nichts gewählt, oder es hat zu lange gedauert. Versuche es noch einmal.",
    known: "Dieses Gerät hat schon einen Passkey für dieses Konto.",
    failed: "Dein Browser konnte das nicht. Versuche es noch einmal oder nimm ein anderes Gerät.",
  },
};
