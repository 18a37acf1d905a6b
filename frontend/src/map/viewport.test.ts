import { describe, expect, it } from "vitest";

import { Viewport } from "./viewport.svelte";

function shown(width: number, height: number): Viewport {
  const viewport = new Viewport(1200, 800);
  viewport.resize(width, height);
  return viewport;
}

describe("the viewport", () => {
  it("shows the whole board in the middle", () => {
    const viewport = shown(600, 600);
    expect(viewport.scale).toBe(0.5);
    expect([viewport.left, viewport.top]).toEqual([0, 100]);
  });

  it("keeps the point under the pointer when it zooms", () => {
    const viewport = shown(1200, 800);
    viewport.zoom(2, 300, 200);
    expect(viewport.toBoard(300, 200)).toEqual([300, 200]);
    expect(viewport.fitted).toBe(false);
  });

  it("shows no less than fits when the element grows", () => {
    const viewport = shown(300, 200);
    viewport.zoom(1.2);
    viewport.resize(1200, 800);
    expect(viewport.scale).toBe(1);
    expect(viewport.fitted).toBe(true);
  });

  it("never shows more than the board, nor less than a sixth of it", () => {
    const viewport = shown(1200, 800);
    viewport.zoom(0.1);
    expect(viewport.scale).toBe(1);
    viewport.zoom(100);
    expect(viewport.scale).toBe(6);
  });

  it("cannot be dragged off the board", () => {
    const viewport = shown(1200, 800);
    viewport.zoom(2, 0, 0);
    viewport.pan(500, 500);
    expect([viewport.left, viewport.top]).toEqual([0, 0]);
    viewport.pan(-9999, -9999);
    expect(viewport.seen).toEqual({ x: 600, y: 400, width: 600, height: 400 });
  });

  it("shows a part of the board", () => {
    const viewport = shown(400, 400);
    viewport.show({ x: 100, y: 100, width: 200, height: 200 });
    expect(viewport.scale).toBeCloseTo(2, 9);
    expect(viewport.seen.x).toBeCloseTo(100, 9);
  });

  it("stays where it is when a drawer below it opens", () => {
    const whole = shown(390, 600);
    const { top } = whole;
    whole.resize(390, 440);
    expect([whole.fitted, whole.top]).toEqual([true, top]);
    whole.resize(390, 300); // no room for that
    expect(whole.top).toBe(40);
    const close = shown(390, 600);
    close.zoom(4, 200, 300);
    const point = close.toBoard(100, 100);
    close.resize(390, 440);
    expect(close.toBoard(100, 100)).toEqual(point);
  });

  it("keeps its middle when the element changes its size", () => {
    const viewport = shown(1200, 800);
    viewport.zoom(3, 600, 400);
    viewport.resize(800, 800);
    expect(viewport.toBoard(400, 400).map(Math.round)).toEqual([600, 400]);
  });
});

describe("a gesture", () => {
  it("moves the picture that was drawn, so that every point lies where it belongs", () => {
    const viewport = shown(1200, 800);
    const drawn = viewport.place;
    viewport.moving = true;
    viewport.zoom(1.5, 300, 200);
    viewport.pan(-20, 10);
    expect(viewport.serves(drawn)).toBe(true);
    const [, x, y, larger] = /translate\((.+)px, (.+)px\) scale\((.+)\)/.exec(viewport.movedFrom(drawn))!.map(Number);
    const seen = (at: number, origin: number) => at * drawn.scale + origin;
    expect(x! + larger! * seen(700, drawn.left)).toBeCloseTo(viewport.left + 700 * viewport.scale, 1);
    expect(y! + larger! * seen(500, drawn.top)).toBeCloseTo(viewport.top + 500 * viewport.scale, 1);
  });

  it("needs a new picture when it ends, or when the old one is too coarse", () => {
    const viewport = shown(1200, 800);
    const drawn = viewport.place;
    expect(viewport.movedFrom(drawn)).toBe("none");
    expect(viewport.serves(drawn)).toBe(false);
    viewport.moving = true;
    viewport.zoom(4);
    expect(viewport.serves(drawn)).toBe(false);
  });
});
