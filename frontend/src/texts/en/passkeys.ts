export const passkeys = {
  title: "Passkeys",
  hint: "Sign in with the lock of your device: fingerprint, face, PIN or a security key. No password, no e-mail.",
  none: "No passkey yet.",
  name: "Name of the passkey",
  add: "Add a passkey",
  dates: (created: string, used: string | null) => (used === null ? `since ${created}, not used yet` : `since ${created}, last used ${used}`),
  remove: "Remove",
  removeNamed: (name: string) => `Remove ${name}`,
  removeAsk: (name: string) => `Stop signing in with ${name}?`,
  keep: "Keep it",
  signIn: "Sign in with a passkey",
  signInHint: "If you have added one to your account.",
  problems: {
    cancelled: "Nothing was chosen, or it took too long. Try again.",
    known: "This device has a passkey for this account already.",
    failed: "Your browser could not do that. Try again, or use another device.",
  },
};
