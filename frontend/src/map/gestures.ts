/** Taps, drags, pinches and the wheel on the map, told apart. */

import type { Viewport } from "./viewport.svelte";

const DRAG_STARTS = 6; // pixels
const DOUBLE_TAP = 300; // milliseconds
const WHEEL_ENDS = 160; // milliseconds without another turn of the wheel

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

/** Listen to the map's element, which stays where it is while the board in it moves. */
export function listen(element: HTMLElement, viewport: Viewport, gestures: Gestures) {
  const held = new Map<number, Held>();
  let moved = false;
  let pinched = false;
  let dragged: string | null = null;
  let grabbed: string | null = null;
  let lastTap = 0;
  let wheelEnds: ReturnType<typeof setTimeout> | undefined;
  let box = { left: 0, top: 0 };

  const place = (event: PointerEvent | WheelEvent): [number, number] => {
    // Read once for a gesture: reading it for each event would lay the page out again.
    if (held.size === 0 && !viewport.moving) box = element.getBoundingClientRect();
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
    if (pointer === undefined) {
      gestures.hover?.(territoryAt(event));
      return;
    }
    const [x, y] = place(event);
    const [dx, dy] = [x - pointer.x, y - pointer.y];
    if (held.size === 2) pinch(event.pointerId, x, y);
    else if (moved || Math.hypot(x - pointer.startX, y - pointer.startY) > DRAG_STARTS) {
      if (!moved) element.setPointerCapture(event.pointerId);
      moved = true;
      if (grabbed !== null && gestures.drag !== undefined && !pinched) {
        dragged = grabbed;
        gestures.drag(dragged, territoryUnder(event), false);
      } else {
        viewport.moving = true;
        viewport.pan(dx, dy);
      }
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
    viewport.moving = true;
    viewport.zoom(now / was, (x + still.x) / 2, (y + still.y) / 2);
    viewport.pan((x - before.x) / 2, (y - before.y) / 2);
  }

  function up(event: PointerEvent) {
    if (!held.delete(event.pointerId)) return;
    rest();
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
    rest();
    cancelDrag();
  }

  function cancelDrag() {
    if (dragged !== null) gestures.drag?.(dragged, null, true);
    dragged = grabbed = null;
  }

  function wheel(event: WheelEvent) {
    event.preventDefault();
    const [x, y] = place(event);
    viewport.moving = true;
    viewport.zoom(Math.exp(-event.deltaY / (event.ctrlKey ? 100 : 500)), x, y);
    clearTimeout(wheelEnds);
    wheelEnds = setTimeout(rest, WHEEL_ENDS);
  }

  /** The board is drawn anew where nothing holds it any more. */
  function rest() {
    if (held.size === 0) viewport.moving = false;
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
    clearTimeout(wheelEnds);
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
