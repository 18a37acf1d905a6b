/**
 * Runs beside the pages: notifications, and a page that says so where the server cannot be reached.
 *
 * It caches the app's own files alone, whose names have a hash of their content; never an answer of
 * the API. Pages come from the server. A new version waits until the last page of the old one is
 * closed: until then that page may want files that the server has no more.
 */

import { answering, isAppFile, OFFLINE_FILES, OFFLINE_PAGE } from "./files";
import { shownOf } from "./notification";

/** From the build: the files of this version, and those that every page needs. */
declare const __APP_FILES__: { all: string[]; first: string[] };

// The types of workers and of pages exclude each other: what is used here, and no more.
interface ExtendableEvent extends Event {
  waitUntil(done: Promise<unknown>): void;
}
interface FetchEvent extends ExtendableEvent {
  request: Request;
  preloadResponse: Promise<Response | undefined>;
  respondWith(answer: Promise<Response>): void;
}
interface PushEvent extends ExtendableEvent {
  data: { text(): string } | null;
}
interface NotificationEvent extends ExtendableEvent {
  notification: Notification;
}
interface WindowClient {
  url: string;
  focus(): Promise<WindowClient>;
}
interface Worker {
  registration: ServiceWorkerRegistration;
  clients: { claim(): Promise<void>; matchAll(wanted: object): Promise<WindowClient[]>; openWindow(url: string): Promise<WindowClient | null> };
  location: Location;
  addEventListener<Kind extends Event>(kind: string, listener: (event: Kind) => void): void;
}

const worker = self as unknown as Worker;
const CACHE = "app";
const language = new URL(worker.location.href).searchParams.get("language") ?? "en";

worker.addEventListener<ExtendableEvent>("install", (event) => event.waitUntil(install()));
worker.addEventListener<ExtendableEvent>("activate", (event) => event.waitUntil(activate()));
worker.addEventListener<FetchEvent>("fetch", (event) => {
  const answer = answering(event.request, worker.location.origin);
  if (answer === "page") event.respondWith(page(event));
  else if (answer === "file") event.respondWith(file(event.request));
});
worker.addEventListener<PushEvent>("push", (event) => {
  const { title, address, ...shown } = shownOf(event.data?.text() ?? "", language);
  const options = { ...shown, lang: language, icon: "/icon-192.png", data: { address } };
  event.waitUntil(worker.registration.showNotification(title, options));
});
worker.addEventListener<NotificationEvent>("notificationclick", (event) => {
  event.notification.close();
  const { address } = event.notification.data as { address: string };
  event.waitUntil(show(address));
});

async function install(): Promise<void> {
  const cache = await caches.open(CACHE);
  // Past the browser's own cache: these names have no hash.
  await cache.addAll(OFFLINE_FILES.map((path) => new Request(path, { cache: "reload" })));
  await cache.addAll(__APP_FILES__.first.map((name) => `/${name}`));
}

/** Forget the files of older versions, and answer for the pages that are open already. */
async function activate(): Promise<void> {
  const cache = await caches.open(CACHE);
  const kept = new Set(__APP_FILES__.all.map((name) => `/${name}`));
  for (const request of await cache.keys()) {
    const { pathname } = new URL(request.url);
    if (isAppFile(pathname) && !kept.has(pathname)) await cache.delete(request);
  }
  await worker.registration.navigationPreload?.enable(); // the worker's start delays no page
  await worker.clients.claim();
}

async function page(event: FetchEvent): Promise<Response> {
  try {
    return (await event.preloadResponse) ?? (await fetch(event.request));
  } catch (error) {
    const offline = await caches.match(OFFLINE_PAGE);
    if (offline === undefined) throw error;
    return offline;
  }
}

async function file(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url);
  const kept = await caches.match(request);
  if (kept !== undefined && isAppFile(pathname)) return kept;
  try {
    const found = await fetch(request);
    if (found.ok && isAppFile(pathname)) await (await caches.open(CACHE)).put(request, found.clone());
    return found;
  } catch (error) {
    if (kept !== undefined) return kept; // of the offline page
    throw error;
  }
}

/** The page of a game: one that is open already, or a new one. */
async function show(address: string): Promise<void> {
  const open = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  const same = open.find((client) => new URL(client.url).pathname === address);
  if (same !== undefined) await same.focus();
  else await worker.clients.openWindow(address);
}
