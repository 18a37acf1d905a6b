/** Why a game ended, in the language of the app. */

import { texts } from "./texts.svelte";

const OPERATOR = "closed by the operator: "; // then the words of whoever runs the server

/** In a sentence, by the server's reason; empty where a victory speaks for itself. */
export function endingWords(reason: string): string {
  const { endings, closedByOperator } = texts().news;
  return reason.startsWith(OPERATOR) ? closedByOperator(reason.slice(OPERATOR.length)) : (endings[reason] ?? reason);
}
