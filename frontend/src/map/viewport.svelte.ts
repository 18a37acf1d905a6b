/** Which part of the board is shown, and how large: pan, zoom, fit. */

export interface Frame {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Where the board is drawn: its origin, in pixels of the element, and pixels a unit. */
export interface Place {
  readonly left: number;
  readonly top: number;
  readonly scale: number;
}

const REDRAWN = 3; // times larger or smaller than it was drawn: then it is drawn again, gesture or not

const CLOSEST = 6; // times the size at which the whole board fits

export class Viewport {
  /** The size of the element, in pixels. */
  width = $state(1);
  height = $state(1);
  /** Pixels a unit, and where the board's origin is, in pixels. */
  scale = $state(1);
  left = $state(0);
  top = $state(0);
  /** The whole board is shown, and stays so when the element changes its size. */
  fitted = $state(true);
  /** A gesture is under way: the board moves as the picture that was drawn last. */
  moving = $state(false);
  readonly #boardWidth: number;
  readonly #boardHeight: number;

  constructor(boardWidth: number, boardHeight: number) {
    this.#boardWidth = boardWidth;
    this.#boardHeight = boardHeight;
  }

  get place(): Place {
    return { left: this.left, top: this.top, scale: this.scale };
  }

  /** Whether the picture drawn at a place still serves: a gesture moves it, and it is sharp enough. */
  serves(drawn: Place): boolean {
    const larger = this.scale / drawn.scale;
    return this.moving && larger < REDRAWN && larger > 1 / REDRAWN;
  }

  /** How a picture drawn at a place is moved to where the board is now, as CSS. */
  movedFrom(drawn: Place): string {
    const larger = this.scale / drawn.scale;
    const [x, y] = [this.left - drawn.left * larger, this.top - drawn.top * larger];
    return x === 0 && y === 0 && larger === 1 ? "none" : `translate(${x.toFixed(2)}px, ${y.toFixed(2)}px) scale(${larger.toFixed(5)})`;
  }

  /** The scale at which the whole board is seen. */
  get whole(): number {
    return Math.min(this.width / this.#boardWidth, this.height / this.#boardHeight);
  }

  /** The largest scale. */
  get closest(): number {
    return this.whole * CLOSEST;
  }

  /** The part of the board that is seen, in its units. */
  get seen(): Frame {
    const { scale } = this;
    return {
      x: -this.left / scale,
      y: -this.top / scale,
      width: this.width / scale,
      height: this.height / scale,
    };
  }

  /**
   * The element has a new size. Where only its height changes (a drawer below it opens), what is
   * shown stays where it is as far as possible: a second tap meets what the first one met.
   */
  resize(width: number, height: number): void {
    const middle = this.toBoard(this.width / 2, this.height / 2);
    const before = { scale: this.scale, top: this.top };
    const sameWidth = Math.abs(width - this.width) < 1;
    this.width = Math.max(1, width);
    this.height = Math.max(1, height);
    if (this.fitted || this.scale < this.whole) {
      this.fit();
      const room = this.height - this.#boardHeight * this.scale;
      if (sameWidth && this.scale === before.scale) this.top = Math.min(Math.max(0, before.top), Math.max(0, room));
    } else if (sameWidth) {
      this.#keepInside();
    } else {
      this.left = this.width / 2 - middle[0] * this.scale;
      this.top = this.height / 2 - middle[1] * this.scale;
      this.#keepInside();
    }
  }

  /** Show the whole board. */
  fit(): void {
    this.scale = this.whole;
    this.left = (this.width - this.#boardWidth * this.scale) / 2;
    this.top = (this.height - this.#boardHeight * this.scale) / 2;
    this.fitted = true;
  }

  /** Show a part of the board as large as it fits. */
  show(frame: Frame): void {
    const scale = Math.min(this.width / frame.width, this.height / frame.height);
    this.scale = this.#bounded(scale);
    this.left = this.width / 2 - (frame.x + frame.width / 2) * this.scale;
    this.top = this.height / 2 - (frame.y + frame.height / 2) * this.scale;
    this.#keepInside();
  }

  /** Zoom by a factor; the point of the element at x, y (pixels) stays where it is. */
  zoom(factor: number, x = this.width / 2, y = this.height / 2): void {
    const scale = this.#bounded(this.scale * factor);
    this.left = x - ((x - this.left) * scale) / this.scale;
    this.top = y - ((y - this.top) * scale) / this.scale;
    this.scale = scale;
    this.#keepInside();
  }

  /** Move the board by pixels. */
  pan(dx: number, dy: number): void {
    this.left += dx;
    this.top += dy;
    this.#keepInside();
  }

  /** A point of the element, in pixels, as a point of the board. */
  toBoard(x: number, y: number): [number, number] {
    return [(x - this.left) / this.scale, (y - this.top) / this.scale];
  }

  #bounded(scale: number): number {
    return Math.min(Math.max(scale, this.whole), this.closest);
  }

  /** The board covers the element, or is in its middle where it is smaller. */
  #keepInside(): void {
    const inside = (offset: number, size: number, room: number) =>
      size <= room ? (room - size) / 2 : Math.min(0, Math.max(room - size, offset));
    this.left = inside(this.left, this.#boardWidth * this.scale, this.width);
    this.top = inside(this.top, this.#boardHeight * this.scale, this.height);
    this.fitted = this.scale <= this.whole * 1.001;
  }
}
