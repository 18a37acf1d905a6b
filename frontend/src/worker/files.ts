/** Which requests the service worker answers, and from where. */

/** From the cache: the app's own files, whose names have a hash of their content. */
export const isAppFile = (path: string): boolean => path.startsWith("/assets/");

/** The offline page and what it needs; it must work without any other file. */
export const OFFLINE_PAGE = "/offline.html";
export const OFFLINE_FILES = [OFFLINE_PAGE, "/offline.css", "/offline.js", "/theme.js", "/icon.svg"];

/** A page of the app, whose answer comes from the server or else is the offline page. */
const isPage = (path: string): boolean => !path.startsWith("/api/");

/** How a request is answered; null: as if there were no worker, also every answer of the API. */
export function answering(request: { method: string; mode: string; url: string }, origin: string): "file" | "page" | null {
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== origin) return null;
  if (request.mode === "navigate") return isPage(url.pathname) ? "page" : null;
  return isAppFile(url.pathname) || OFFLINE_FILES.includes(url.pathname) ? "file" : null;
}
