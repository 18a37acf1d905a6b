/** The address in the browser, and moving between the app's screens without loading a page. */

class Route {
  path = $state(location.pathname);
  query = $state(new URLSearchParams(location.search));

  constructor() {
    addEventListener("popstate", () => this.#read());
    addEventListener("click", (event) => this.#follow(event));
  }

  /** Show another address; `replace` leaves no step to come back to. */
  go(address: string, replace = false): void {
    history[replace ? "replaceState" : "pushState"](null, "", address);
    this.#read();
    scrollTo(0, 0);
  }

  #read(): void {
    this.path = location.pathname;
    const query = new URLSearchParams(location.search);
    // A step within the page asks for nothing again.
    if (query.toString() !== this.query.toString()) this.query = query;
  }

  /** A click on a link to one of the app's own addresses. */
  #follow(event: MouseEvent): void {
    const plain = !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (event.defaultPrevented || event.button !== 0 || !plain) return;
    const link = (event.target as Element | null)?.closest("a");
    if (link == null || link.target !== "" || link.hasAttribute("download")) return;
    if (link.origin !== location.origin || link.pathname.startsWith("/api/")) return;
    const within = link.hash !== "" && link.pathname === location.pathname && link.search === location.search;
    if (within) return; // the browser goes there by itself
    event.preventDefault();
    this.go(link.pathname + link.search + link.hash);
  }
}

export const route = new Route();
