/** The boards, as the map draws them: each is fetched once. */

import { api, type Answer } from "../api/client";
import type { Geometry, Lane, TerritoryShape } from "../map/types";
import { device, type Language } from "./device.svelte";

export type BoardData = Answer<"/api/v1/boards/{name}", "get">;
type Drawing = Answer<"/api/v1/boards/{name}/geometry", "get">;

/** A board; its names follow the language of the app. */
export class Board {
  readonly #served: BoardData;
  readonly #drawing: Drawing;
  /** All territories that border one, by its id. */
  readonly neighbours: ReadonlyMap<string, readonly string[]>;
  readonly data: BoardData = $derived.by(() => named(this.#served, device.choices.language));
  /** The names of territories, by their ids. */
  readonly names: ReadonlyMap<string, string> = $derived(new Map(this.data.territories.map((each) => [each.id, each.name])));
  readonly geometry: Geometry = $derived.by(() => geometry(this.data, this.#drawing, this.names, device.choices.language));

  constructor(served: BoardData, drawing: Drawing) {
    this.#served = served;
    this.#drawing = drawing;
    this.neighbours = neighbours(served);
  }
}

const SMALL = 12; // units from the badge to the nearest border: too little to tap

const fetched = new Map<string, Promise<Board>>();

/** A board by its name; asked for again after a failure. */
export function board(name: string): Promise<Board> {
  let found = fetched.get(name);
  if (found === undefined) {
    found = fetchBoard(name);
    found.catch(() => fetched.delete(name));
    fetched.set(name, found);
  }
  return found;
}

async function fetchBoard(name: string): Promise<Board> {
  const [data, drawing] = await Promise.all([
    api.get("/api/v1/boards/{name}", { path: { name } }),
    api.get("/api/v1/boards/{name}/geometry", { path: { name } }),
  ]);
  return new Board(data, drawing);
}

/** The board with the names of a language, where it has them. */
export function named(served: BoardData, language: Language): BoardData {
  const inLanguage = <Thing extends { name: string; names: Record<string, string> }>(thing: Thing): Thing => ({
    ...thing,
    name: thing.names[language] ?? thing.name,
  });
  return { ...served, territories: served.territories.map(inLanguage), continents: served.continents.map(inLanguage) };
}

function neighbours(data: BoardData): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const { between } of data.borders) {
    const [one, other] = between as [string, string];
    found.set(one, [...(found.get(one) ?? []), other]);
    found.set(other, [...(found.get(other) ?? []), one]);
  }
  return found;
}

function geometry(data: BoardData, drawing: Drawing, names: ReadonlyMap<string, string>, language: Language): Geometry {
  const plates = new Map(drawing.plates.map((plate) => [plate.continent, plate]));
  return {
    width: drawing.width,
    height: drawing.height,
    territories: drawing.territories.map((shape): TerritoryShape => {
      const [left, top, right, bottom] = shape.box as [number, number, number, number];
      return {
        id: shape.id,
        name: names.get(shape.id) ?? shape.id,
        path: shape.d,
        badge: shape.disc as [number, number],
        box: [left, top, right - left, bottom - top],
        label: { ...shape.label, lines: shape.label.names[language] ?? shape.label.lines },
        afloat: shape.label.afloat,
        small: shape.inradius < SMALL,
      };
    }),
    lanes: drawing.lanes.map((lane): Lane => {
      const [from, to] = lane.between as [string, string];
      return { from, to, wraps: lane.wrap, paths: lane.d, ends: lane.ends as [number, number][] };
    }),
    continents: data.continents.flatMap((continent) => {
      const plate = plates.get(continent.id);
      if (plate === undefined) return [];
      const { id, name, bonus, territories } = continent;
      return [{ id, name, bonus, territories, at: [plate.x, plate.y] as const }];
    }),
    seas: drawing.seas.map((sea) => ({ lines: sea.names[language] ?? sea.lines, at: [sea.x, sea.y] as const })),
    borders: drawing.borders,
    lakes: drawing.lakes,
    graticule: drawing.graticule,
  };
}
