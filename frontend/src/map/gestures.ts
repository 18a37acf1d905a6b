/** Taps, drags, pinches and the wheel on the map, told apart. */

import type { Viewport } from "./viewport.svelte";

const DRAG_STARTS = 6; // pixels
const DOUBLE_TAP = 300; // milliseconds

export interface Gestures {
  /** A tap or click on a territory, or on the sea (null); `touched`: with a finger. */
  tap(territory: string | null, touched: boolean): void;
  /** A badge is dragged: from a territory, to what is under the pointer. */
  drag?(from: string, over: string | null, done: boolean): void;
  hover?(territory: string | null): void;
}

interface Held {
  readonly id: number;
  readonly startX: number;
  readonly startY: number;
  x: number;
  y: number;
}

/** An action for the map's element: `use:` or an attachment calls it with the element. */
export function listen(element: SVGSVGElement, viewport: Viewport, gestures: Gestures) {
  const held = new Map<number, Held>();
  let moved = false;
  let pinched = false;
  let dragged: string | null = null;
  let grabbed: string | null = null;
  let lastTap = 0;

  const place = (event: PointerEvent | WheelEvent): [number, number] => {
    const box = element.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };

  function down(event: PointerEvent) {
    if (event.button !== 0) return;
    const [x, y] = place(event);
    held.set(event.pointerId, { id: event.pointerId, startX: x, startY: y, x, y });
    if (held.size === 1) {
      moved = pinched = false;
      grabbed = badgeAt(event);
      dragged = null;
    } else {
      pinched = true;
      cancelDrag();
    }
  }

  function move(event: PointerEvent) {
    const pointer = held.get(event.pointerId);
    const [x, y] = place(event);
    if (pointer === undefined) {
      gestures.hover?.(territoryAt(event));
      return;
    }
    const [dx, dy] = [x - pointer.x, y - pointer.y];
    if (held.size === 2) pinch(event.pointerId, x, y);
    else if (moved || Math.hypot(x - pointer.startX, y - pointer.startY) > DRAG_STARTS) {
      if (!moved) element.setPointerCapture(event.pointerId);
      moved = true;
      if (grabbed !== null && gestures.drag !== undefined && !pinched) {
        dragged = grabbed;
        gestures.drag(dragged, territoryUnder(event), false);
      } else viewport.pan(dx, dy);
    }
    pointer.x = x;
    pointer.y = y;
  }

  function pinch(id: number, x: number, y: number) {
    const [one, other] = [...held.values()] as [Held, Held];
    const still = one.id === id ? other : one;
    const before = held.get(id)!;
    const was = Math.hypot(before.x - still.x, before.y - still.y) || 1;
    const now = Math.hypot(x - still.x, y - still.y) || 1;
    viewport.zoom(now / was, (x + still.x) / 2, (y + still.y) / 2);
    viewport.pan((x - before.x) / 2, (y - before.y) / 2);
  }

  function up(event: PointerEvent) {
    if (!held.delete(event.pointerId)) return;
    if (dragged !== null) {
      gestures.drag?.(dragged, territoryUnder(event), true);
      dragged = null;
    } else if (!moved && !pinched && held.size === 0) tap(event);
    grabbed = null;
  }

  function tap(event: PointerEvent) {
    const territory = territoryAt(event);
    const now = event.timeStamp;
    if (territory === null && now - lastTap < DOUBLE_TAP) viewport.zoom(1.8, ...place(event));
    lastTap = now;
    gestures.tap(territory, event.pointerType === "touch");
  }

  function cancel(event: PointerEvent) {
    held.delete(event.pointerId);
    cancelDrag();
  }

  function cancelDrag() {
    if (dragged !== null) gestures.drag?.(dragged, null, true);
    dragged = grabbed = null;
  }

  function wheel(event: WheelEvent) {
    event.preventDefault();
    viewport.zoom(Math.exp(-event.deltaY / (event.ctrlKey ? 100 : 500)), ...place(event));
  }

  const listeners: [string, (event: never) => void][] = [
    ["pointerdown", down],
    ["pointermove", move],
    ["pointerup", up],
    ["pointercancel", cancel],
    ["wheel", wheel],
  ];
  for (const [kind, listener] of listeners) {
    element.addEventListener(kind, listener as EventListener, { passive: kind !== "wheel" });
  }
  return () => {
    for (const [kind, listener] of listeners) {
      element.removeEventListener(kind, listener as EventListener);
    }
  };
}

function territoryAt(event: Event): string | null {
  return territoryOf(event.target as Element | null);
}

/** While the pointer is captured its events say nothing of what is under it. */
export function territoryUnder(event: PointerEvent): string | null {
  return territoryOf(document.elementFromPoint(event.clientX, event.clientY));
}

function badgeAt(event: PointerEvent): string | null {
  const badge = (event.target as Element | null)?.closest<SVGElement>("[data-badge]");
  return badge?.dataset.badge ?? null;
}

function territoryOf(element: Element | null): string | null {
  const found = element?.closest<SVGElement>("[data-territory], [data-badge]");
  return found?.dataset.territory ?? found?.dataset.badge ?? null;
}
