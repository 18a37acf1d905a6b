/** The checker that players can also run by themselves: docs/check_dice.js. */
declare module "*/docs/check_dice.js" {
  /** The first bad line of a transcript: why, and its number from 0. */
  export class Bad extends Error {
    readonly why: string;
    readonly seq: number;
  }
  export class NoTranscript extends Bad {}
  export function check(
    text: string,
    options?: { heads?: [number, string][]; key?: string | null },
  ): Promise<{ rows: [string, string][]; text: string }>;
}
