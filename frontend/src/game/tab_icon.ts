/** The icon of the browser's tab: in the colour of the own seat while it is that seat's turn. */

const SHAPES =
  '<path d="M-2 25C6 27 7 18 14 18S22 9 34 9" fill="none" stroke="ON" stroke-width="4.6"/><circle cx="10" cy="9.5" r="3.1" fill="ON"/><circle cx="23" cy="22.5" r="3.1" fill="ON"/>';
const USUAL = "/icon.svg";

/** The icon as an address, in two colours. */
export function iconAddress(ground: string, on: string): string {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="${ground}"/>${SHAPES.replaceAll("ON", on)}</svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}

/** Show the icon in a seat's colour, or (null) as usual. */
export function showTabIcon(seat: string | null): void {
  const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  if (link === null) return;
  if (seat === null) {
    link.href = USUAL;
    return;
  }
  const probe = document.createElement("i");
  probe.className = `seat-${seat}`;
  document.body.append(probe);
  const colours = getComputedStyle(probe);
  link.href = iconAddress(colours.getPropertyValue("--solid").trim(), colours.getPropertyValue("--on").trim());
  probe.remove();
}
