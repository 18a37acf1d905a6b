/** A line of orders in pieces that are drawn differently: words of the language, mistakes, remarks. */

export interface Piece {
  readonly text: string;
  readonly kind: "plain" | "verb" | "bad" | "remark";
}

/** The pieces of a line; a problem without a length is about the rest of the line. */
export function pieces(line: string, problems: readonly { column: number; length: number }[]): Piece[] {
  const remark = /(\/\/|#).*$/.exec(line)?.index ?? line.length;
  const bad = (index: number) => problems.some(({ column, length }) => index >= column - 1 && index < column - 1 + (length || line.length));
  const kinds = Array.from(line, (_, index): Piece["kind"] => (index >= remark ? "remark" : bad(index) ? "bad" : "plain"));
  for (const { index, 0: word } of line.slice(0, remark).matchAll(/\b[A-Z]{2,}\b/g)) {
    for (let place = index; place < index + word.length; place++) if (kinds[place] === "plain") kinds[place] = "verb";
  }
  const found: { text: string; kind: Piece["kind"] }[] = [];
  Array.from(line).forEach((letter, index) => {
    const last = found.at(-1);
    if (last !== undefined && last.kind === kinds[index]) last.text += letter;
    else found.push({ text: letter, kind: kinds[index]! });
  });
  return found;
}
