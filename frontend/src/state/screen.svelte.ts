/** How much room there is: the layouts of the game screen differ by it. */

const NARROW = "(max-width: 1199px)";
const PHONE = "(max-width: 767px), (max-height: 500px)"; // upright, or on its side

class Screen {
  #narrow = matchMedia(NARROW);
  #phone = matchMedia(PHONE);
  /** No room for a panel at the right: it slides in. */
  narrow = $state(this.#narrow.matches);
  /** A drawer and a bar of tabs below the map, or beside it. */
  phone = $state(this.#phone.matches);

  constructor() {
    this.#narrow.addEventListener("change", () => (this.narrow = this.#narrow.matches));
    this.#phone.addEventListener("change", () => (this.phone = this.#phone.matches));
  }
}

export const screen = new Screen();
