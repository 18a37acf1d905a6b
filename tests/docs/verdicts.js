// What docs/check_dice.js says to many transcripts, in Node and in a browser.

/** For each case the table, or the number of the bad entry and why. */
export async function verdictsOf({ check, Bad }, cases) {
  const verdicts = [];
  for (const { text, heads, key } of cases) {
    try {
      verdicts.push((await check(text, { heads, key })).text);
    } catch (error) {
      if (!(error instanceof Bad)) throw error;
      verdicts.push([error.seq, error.why]);
    }
  }
  return verdicts;
}
