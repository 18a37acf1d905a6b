import { describe, expect, it } from "vitest";

import { neighbourTowards } from "./neighbours";
import type { Geometry, TerritoryShape } from "./types";

function territory(id: string, x: number, y: number): TerritoryShape {
  const label = { lines: [id], dx: 0, dy: 0 };
  return { id, name: id, path: "", badge: [x, y], box: [0, 0, 1, 1], label, afloat: false, small: false };
}

const geometry: Geometry = {
  width: 1000,
  height: 500,
  territories: [
    territory("middle", 500, 250),
    territory("north", 520, 100),
    territory("north_east", 700, 90),
    territory("west", 100, 260),
    territory("far_east", 950, 240),
  ],
  lanes: [{ from: "west", to: "far_east", wraps: true, paths: [], ends: [] }],
  continents: [],
  seas: [],
  borders: { inner: "", continent: "" },
  lakes: "",
  graticule: "",
};

describe("arrow keys", () => {
  it("choose the neighbour that lies closest to the direction", () => {
    const all = ["north", "north_east", "west"];
    expect(neighbourTowards(geometry, all, "middle", "ArrowUp")).toBe("north");
    expect(neighbourTowards(geometry, all, "middle", "ArrowLeft")).toBe("west");
    expect(neighbourTowards(geometry, all, "middle", "ArrowRight")).toBe("north_east");
  });

  it("choose nothing where no neighbour lies that way", () => {
    expect(neighbourTowards(geometry, ["north"], "middle", "ArrowDown")).toBeNull();
  });

  it("go over the edge of the map", () => {
    expect(neighbourTowards(geometry, ["far_east", "middle"], "west", "ArrowLeft")).toBe("far_east");
    expect(neighbourTowards(geometry, ["west"], "far_east", "ArrowRight")).toBe("west");
  });
});
