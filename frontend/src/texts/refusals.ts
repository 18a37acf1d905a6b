/** What the server refuses, in the language of the app: by its stable code; English is the server's own. */

import { device } from "../state/device.svelte";
import german from "./de/refusals.json?url"; // data, loaded with the first refusal

export type RefusalTexts = Readonly<Record<string, readonly [message: string, suggestion: string]>>;
type Body = Record<string, unknown>;

let known: Promise<RefusalTexts> | null = null;

/** The body of a refusal in the language of the app; as the server worded it where the texts cannot be loaded. */
export async function refusalInWords(body: Body): Promise<Body> {
  if (device.choices.language === "en") return body;
  known ??= fetch(german).then((answer) => answer.json() as Promise<RefusalTexts>);
  try {
    return worded(body, await known);
  } catch {
    known = null;
    return body;
  }
}

/** A refusal and the problems that it lists, each in these texts if they have its code. */
export function worded(body: Body, texts: RefusalTexts): Body {
  const problems = Array.isArray(body.problems) ? { problems: (body.problems as Body[]).map((each) => worded(each, texts)) } : {};
  const found = typeof body.code === "string" ? texts[body.code] : undefined;
  if (found === undefined) return { ...body, ...problems };
  return { ...body, ...problems, message: found[0], suggestion: found[1] };
}
