/** Rulebooks: of a ruleset, or of the very rules that a game is played by. */

import { api, type Answer } from "../../api/client";
import type { Language } from "../../state/device.svelte";

type Ruleset = Answer<"/api/v1/rulesets/{name}", "get">;
export type Chapter = Ruleset["rulebook"][number];

export interface Rulebook {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly players: readonly number[];
  readonly chapters: readonly Chapter[];
  /** Of a game: its options that differ from the ruleset, as the server writes them. */
  readonly changed: string;
}

/** The rulebook of a ruleset. */
export async function rulebookOf(name: string, language: Language): Promise<Rulebook> {
  const found = await api.get("/api/v1/rulesets/{name}", { path: { name }, query: { language } });
  const { title, description, players, rulebook } = found;
  return { name, title, description, players, chapters: rulebook, changed: "" };
}

/** The rulebook of a game, with the options of its own. */
export async function rulebookOfGame(game: string, invite: string | null, language: Language): Promise<Rulebook> {
  const table = await api.get("/api/v1/tables/{game}", { path: { game }, query: { invite } });
  const [ruleset, board] = [withoutVersion(table.ruleset), withoutVersion(table.board)];
  const body = { ruleset, board, options: optionsOf(table.options), language };
  const [checked, own] = await Promise.all([
    api.post("/api/v1/rulesets/check", { body }),
    api.get("/api/v1/rulesets/{name}", { path: { name: ruleset }, query: { language } }),
  ]);
  return {
    name: ruleset,
    title: own.title,
    description: own.description,
    players: checked.players,
    chapters: checked.rulebook,
    changed: table.options,
  };
}

/** Options as a table lists them, `setup.place=all_at_once; cards=false`, by their names. */
export function optionsOf(text: string): Record<string, string> {
  const parts = text.split(";").map((part) => part.trim()).filter((part) => part !== "");
  return Object.fromEntries(parts.map((part) => [part.slice(0, part.indexOf("=")), part.slice(part.indexOf("=") + 1)]));
}

/** The address of a chapter within the page. */
export function anchor(title: string): string {
  return title.toLowerCase().replace(/[^\p{L}0-9]+/gu, "-");
}

/** The chapters with only those blocks that have the words; all of them for no words. */
export function containing(chapters: readonly Chapter[], words: string): readonly Chapter[] {
  const wanted = words.trim().toLowerCase();
  if (wanted === "") return chapters;
  const has = (text: string) => text.toLowerCase().includes(wanted);
  return chapters.flatMap((chapter) => {
    const blocks = has(chapter.title)
      ? chapter.blocks
      : chapter.blocks.filter(
          (block) =>
            block.texts.some((sentence) => has(sentence.text.replaceAll("**", "")) || sentence.sources.some((source) => has(source.id))) ||
            block.rows.some((row) => row.some(has)),
        );
    return blocks.length === 0 ? [] : [{ ...chapter, blocks }];
  });
}

/** A text in parts, of which every second one is the searched words. */
export function marked(text: string, words: string): string[] {
  const wanted = words.trim().toLowerCase();
  if (wanted === "") return [text];
  const parts: string[] = [];
  const lower = text.toLowerCase();
  let from = 0;
  for (let at = lower.indexOf(wanted); at >= 0; at = lower.indexOf(wanted, from)) {
    parts.push(text.slice(from, at), text.slice(at, at + wanted.length));
    from = at + wanted.length;
  }
  return [...parts, text.slice(from)];
}

function withoutVersion(name: string): string {
  return name.split(" ")[0] ?? "";
}
