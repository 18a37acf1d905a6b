/** The boards, as the map draws them: each is fetched once. */

import { api, type Answer } from "../api/client";
import type { Geometry, Lane, TerritoryShape } from "../map/types";

export type BoardData = Answer<"/api/v1/boards/{name}", "get">;
type Drawing = Answer<"/api/v1/boards/{name}/geometry", "get">;

export interface Board {
  readonly data: BoardData;
  readonly geometry: Geometry;
  /** All territories that border one, by its id. */
  readonly neighbours: ReadonlyMap<string, readonly string[]>;
  readonly names: ReadonlyMap<string, string>;
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
  const neighbours = new Map<string, string[]>();
  for (const { between } of data.borders) {
    const [one, other] = between as [string, string];
    neighbours.set(one, [...(neighbours.get(one) ?? []), other]);
    neighbours.set(other, [...(neighbours.get(other) ?? []), one]);
  }
  const names = new Map(data.territories.map((each) => [each.id, each.name]));
  return { data, geometry: geometry(data, drawing, names), neighbours, names };
}

function geometry(data: BoardData, drawing: Drawing, names: Map<string, string>): Geometry {
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
        label: shape.label,
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
    seas: drawing.seas.map((sea) => ({ lines: sea.lines, at: [sea.x, sea.y] as const })),
    borders: drawing.borders,
    lakes: drawing.lakes,
    graticule: drawing.graticule,
  };
}
