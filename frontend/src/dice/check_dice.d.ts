/** The checker that players can also run by themselves: docs/check_dice.js. */
declare module "*/docs/check_dice.js" {
  /** The first bad line of a transcript: why, and its number from 0. */
  export class Bad extends Error {
    constructor(why: string, seq: number);
    readonly why: string;
    readonly seq: number;
  }
  export class NoTranscript extends Bad {}
  export function check(
    text: string,
    options?: { heads?: [number, string][]; key?: string | null },
  ): Promise<{ rows: [string, string][]; text: string }>;

  export type Part = Uint8Array | string | number;
  /** H of the format: SHA-256 over parts, each behind its length. */
  export function H(tag: string, ...parts: Part[]): Uint8Array;
  export function hex(bytes: Uint8Array): string;
  export function bytesOf(digits: string): Uint8Array;
  /** The link with the index `until`, hashed forward from an earlier one. */
  export function forward(chain: { number: Uint8Array }, link: Uint8Array, index: number, until: number): Uint8Array;
  /** The index of a chain's link for a request; below 0 where the chain is used up. */
  export function indexFor(chain: { length: number; start: number }, n: number): number;

  /** A participant and its chain. */
  export interface Chain {
    readonly id: string;
    readonly seat: string;
    readonly key: string;
    readonly digits: string;
    readonly length: number;
    readonly start: number;
    readonly certified: boolean;
    readonly present: boolean;
  }
  /** A deposit as it stands in a line; hashes are hexadecimal digits. */
  export interface Deposit {
    readonly seat: string;
    readonly key: string;
    readonly nonce: string;
    readonly end: string;
    readonly length: number;
    readonly sig: string;
  }
  export interface RequestBody {
    readonly n: number;
    readonly seat: string;
    readonly decision: number;
    readonly signed: { readonly id: string; readonly head: string; readonly sig: string } | null;
  }
  /** A request, answered or not. */
  export interface OpenRequest {
    readonly n: number;
    readonly body: RequestBody;
    readonly head: Uint8Array;
    readonly chains: ReadonlyMap<string, Chain>;
    readonly listed: object | null;
    readonly draws: readonly Record<string, unknown>[];
  }
  interface Signed {
    readonly seq: number;
    readonly what: string;
    readonly keys: readonly string[];
    readonly sig: string;
    readonly message: Uint8Array;
  }
  /** What a seat has sealed; the hash is null for one that is out. */
  export interface Placement {
    readonly hash: string | null;
    readonly byClient: boolean;
    readonly opening: { readonly text: string | null } | null;
  }
  /** The state behind the lines read so far. */
  export class Checker {
    constructor(known: readonly [number, string][]);
    /** Check the next line; Bad where it is wrong. Signatures are only collected, in `pending`. */
    line(seq: number, line: string): void;
    readonly open: OpenRequest | null;
    readonly ended: object | null;
    readonly table: string;
    readonly server: string;
    readonly genesisHead: Uint8Array | null;
    readonly headText: string;
    /** Whether the server has signed the last line. */
    readonly signedLine: boolean;
    readonly chains: ReadonlyMap<string, Chain>;
    readonly keys: ReadonlyMap<string, { readonly seat: string; readonly certified: boolean }>;
    readonly bySeat: ReadonlyMap<string, { readonly silences: readonly unknown[] }>;
    readonly requests: readonly OpenRequest[];
    readonly placements: ReadonlyMap<string, Placement>;
    pending: Signed[];
  }
}
