// A page as a visitor may write it: choose a transcript, read the table or the first bad line.
import * as checker from "/check_dice.js";
import { verdictsOf } from "/verdicts.js";

const output = document.querySelector("output");
document.querySelector("input").addEventListener("change", async (event) => {
  const [verdict] = await verdictsOf(checker, [{ text: await event.target.files[0].text() }]);
  output.textContent = verdict;
});
globalThis.verdictsOf = (cases) => verdictsOf(checker, cases); // for the tests
output.textContent = "ready";
