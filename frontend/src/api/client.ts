/** Requests to the server, typed by its OpenAPI document. */

import { texts } from "../texts/texts.svelte";
import type { paths } from "./schema";

declare global {
  var rubiconEarly: Map<string, Promise<Response>> | undefined;
}

globalThis.rubiconEarly ??= new Map(); // early.js does nothing where the app is quicker

type Method = "get" | "post" | "patch" | "delete";
type PathWith<Kind extends Method> = {
  [Path in keyof paths]: paths[Path] extends Record<Kind, unknown> ? Path : never;
}[keyof paths];
type Operation<Path extends keyof paths, Kind extends Method> = paths[Path] extends Record<Kind, infer Found> ? Found : never;
type Content<Found> = Found extends { content: { "application/json": infer Body } } ? Body : Found extends { content: { "text/plain": infer Text } } ? Text : undefined;
type Responses<Found> = Found extends { responses: infer All } ? All : never;
export type Answer<Path extends keyof paths, Kind extends Method> = {
  [Status in keyof Responses<Operation<Path, Kind>>]: Status extends 200 | 201 | 202
    ? Content<Responses<Operation<Path, Kind>>[Status]>
    : never;
}[keyof Responses<Operation<Path, Kind>>];
type Body<Path extends keyof paths, Kind extends Method> = Operation<Path, Kind> extends { requestBody?: { content: { "application/json": infer Sent } } } ? Sent : undefined;
type Query<Path extends keyof paths, Kind extends Method> = Operation<Path, Kind> extends { parameters: { query?: infer Asked } } ? Asked : undefined;
type Places<Path extends keyof paths, Kind extends Method> = Operation<Path, Kind> extends { parameters: { path: infer Named } } ? Named : undefined;

interface Options<Path extends keyof paths, Kind extends Method> {
  path?: Places<Path, Kind>;
  query?: Query<Path, Kind>;
  body?: Body<Path, Kind>;
  signal?: AbortSignal;
}

/** What the server refuses, in the language of the app: what is wrong, what to do, a stable code. */
export class Refused extends Error {
  readonly code: string;
  readonly suggestion: string;
  readonly status: number;
  /** Everything else that the server says about it. */
  readonly details: Readonly<Record<string, unknown>>;

  constructor(status: number, body: Record<string, unknown>) {
    super(typeof body.message === "string" ? body.message : `HTTP ${status}`);
    this.status = status;
    this.code = typeof body.code === "string" ? body.code : `http/${status}`;
    this.suggestion = typeof body.suggestion === "string" ? body.suggestion : "";
    this.details = body;
  }
}

/** The server cannot be reached. */
export class Unreachable extends Error {}

// What a proxy says while the server behind it restarts; the server's own refusals are JSON.
const PROXY_ALONE = [502, 503, 504];

async function send<Path extends keyof paths, Kind extends Method>(
  kind: Kind,
  path: Path,
  options: Options<Path, Kind>,
  token: string | null,
): Promise<Answer<Path, Kind>> {
  const headers: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {};
  // Beside the browser's account a request neither sends its cookie nor takes a new one.
  const init: RequestInit = { method: kind.toUpperCase(), headers, credentials: token === null ? "same-origin" : "omit" };
  if (options.body !== undefined) {
    init.body = JSON.stringify(options.body);
    headers["content-type"] = "application/json";
  }
  if (options.signal !== undefined) init.signal = options.signal;
  const asked = address(path, options.path, options.query);
  const early = kind === "get" && token === null ? await earlyAnswer(asked) : undefined;
  const response =
    early ??
    (await fetch(asked, init).catch((error: unknown) => {
      if (error instanceof DOMException && error.name === "AbortError") throw error;
      throw new Unreachable(texts().start.neverReached, { cause: error });
    }));
  const text = await response.text();
  const json = (response.headers.get("content-type") ?? "").includes("json");
  const body: unknown = json && text !== "" ? JSON.parse(text) : text;
  if (response.ok) return body as Answer<Path, Kind>;
  if (!json && PROXY_ALONE.includes(response.status)) throw new Unreachable(texts().start.neverReached);
  throw new Refused(response.status, typeof body === "object" && body !== null ? await inWords({ ...body }) : {});
}

/** A refusal in the language of the app; the script for it comes with the first one. */
async function inWords(body: Record<string, unknown>): Promise<Record<string, unknown>> {
  const found = await import("../texts/refusals").catch(() => null); // without the server: in its own words
  return found === null ? body : found.refusalInWords(body);
}

/** What public/early.js asked for before the scripts were there, once; undefined if nothing came of it. */
async function earlyAnswer(asked: string): Promise<Response | undefined> {
  const found = globalThis.rubiconEarly?.get(asked);
  globalThis.rubiconEarly?.delete(asked);
  const answer = await found?.catch(() => undefined);
  return answer?.ok === true ? answer : undefined;
}

/** What early.js has asked of games is old now: a later question is about a later state. */
export function forgetEarly(): void {
  const asked = [...(globalThis.rubiconEarly?.keys() ?? [])];
  for (const each of asked) if (each.startsWith("/api/v1/games/")) globalThis.rubiconEarly?.delete(each);
}

function address(path: string, places: unknown, query: unknown): string {
  let found = path;
  for (const [name, value] of Object.entries(places ?? {})) {
    found = found.replace(`{${name}}`, encodeURIComponent(String(value)));
  }
  const asked = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    if (Array.isArray(value)) value.forEach((each) => asked.append(name, String(each)));
    else if (value !== undefined && value !== null) asked.set(name, String(value));
  }
  return asked.size > 0 ? `${found}?${asked}` : found;
}

/** Requests as the account of a token, as nobody (""), or as the account of the browser's cookie (null). */
export const apiOf = (token: string | null) => ({
  get: <Path extends PathWith<"get">>(path: Path, options: Options<Path, "get"> = {}) => send("get", path, options, token),
  post: <Path extends PathWith<"post">>(path: Path, options: Options<Path, "post"> = {}) => send("post", path, options, token),
  patch: <Path extends PathWith<"patch">>(path: Path, options: Options<Path, "patch"> = {}) => send("patch", path, options, token),
  delete: <Path extends PathWith<"delete">>(path: Path, options: Options<Path, "delete"> = {}) => send("delete", path, options, token),
});

export const api = apiOf(null);
export type Api = typeof api;
