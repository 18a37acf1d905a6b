/** What the map is given, and what it says back. It knows no rules. */

export const SEATS = ["red", "blue", "green", "yellow", "grey", "black"] as const;
export type Seat = (typeof SEATS)[number];
export type Owner = Seat | "neutral";
export type Point = readonly [number, number];

/** How a board is drawn, in units of its own: x to the right, y down. */
export interface Geometry {
  readonly width: number;
  readonly height: number;
  readonly territories: readonly TerritoryShape[];
  readonly lanes: readonly Lane[];
  readonly continents: readonly ContinentPlate[];
  readonly seas: readonly SeaName[];
  readonly borders: { readonly inner: string; readonly continent: string };
  readonly lakes: string;
  readonly graticule: string;
}

export interface TerritoryShape {
  readonly id: string;
  readonly name: string;
  /** An SVG path. */
  readonly path: string;
  /** The middle of the badge. */
  readonly badge: Point;
  /** x, y, width, height of the path. */
  readonly box: readonly [number, number, number, number];
  readonly label: { readonly lines: readonly string[]; readonly dx: number; readonly dy: number };
  /** The name runs out over the sea. */
  readonly afloat: boolean;
  /** Too small to hit: an invisible disc around the badge is tapped as well. */
  readonly small: boolean;
}

export interface Lane {
  readonly from: string;
  readonly to: string;
  /** It leaves the map on one side and comes back on the other. */
  readonly wraps: boolean;
  readonly paths: readonly string[];
  readonly ends: readonly Point[];
}

export interface ContinentPlate {
  readonly id: string;
  readonly name: string;
  readonly bonus: number;
  readonly at: Point;
  readonly territories: readonly string[];
}

export interface SeaName {
  readonly lines: readonly string[];
  readonly at: Point;
}

/** What stands on a territory; `armies` is null where it is hidden. */
export interface Holding {
  readonly owner: Owner | null;
  readonly armies: number | null;
  readonly city?: boolean;
  readonly capital?: Seat | null;
  readonly airfield?: boolean;
}

export type Holdings = Readonly<Record<string, Holding>>;

export interface Arrow {
  readonly from: string;
  readonly to: string;
  readonly kind: "attack" | "move" | "past";
  /** The number of the order line that it stands for. */
  readonly step?: number;
  /** Armies that attack or move: more are drawn wider. */
  readonly armies?: number;
}

/** What is marked on the map. */
export interface Marks {
  readonly selected?: string | null;
  /** The chance to take each target (0 to 1); null while it is computed. */
  readonly targets?: Readonly<Record<string, number | null | undefined>>;
  /** What can be chosen now; everything else is drawn fainter. Without it all is drawn in full. */
  readonly selectable?: ReadonlySet<string>;
  readonly arrows?: readonly Arrow[];
  /** Armies placed but not sent yet, by territory. */
  readonly placed?: Readonly<Record<string, number>>;
}

/** How a person likes the map. */
export interface MapStyle {
  readonly names: boolean;
  readonly patterns: boolean;
  readonly pieces: boolean;
}
