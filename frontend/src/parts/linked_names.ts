/** Names of people within a text. */

export interface Part {
  readonly text: string;
  /** The seat that the text names; null for words in between. */
  readonly colour: string | null;
}

const LETTER = /[\p{L}\p{N}]/u;

/** A text in parts: names of people, as whole words, and what stands between them. Longer names go first. */
export function namesIn(text: string, people: readonly { readonly colour: string; readonly name: string }[]): Part[] {
  const sorted = people.filter(({ name }) => name !== "").sort((one, other) => other.name.length - one.name.length);
  const parts: Part[] = [];
  let from = 0;
  for (let at = 0; at < text.length; ) {
    const found = sorted.find(({ name }) => text.startsWith(name, at) && alone(text, at, name.length));
    if (found === undefined) at++;
    else {
      if (at > from) parts.push({ text: text.slice(from, at), colour: null });
      parts.push({ text: found.name, colour: found.colour });
      at = from = at + found.name.length;
    }
  }
  if (from < text.length) parts.push({ text: text.slice(from), colour: null });
  return parts;
}

function alone(text: string, at: number, length: number): boolean {
  return !LETTER.test(text[at - 1] ?? "") && !LETTER.test(text[at + length] ?? "");
}
