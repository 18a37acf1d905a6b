/** Starts the service worker, where the address is secure; without it everything else works. */

import { device } from "../state/device.svelte";

/** The worker cannot read what was chosen on this device: the language is part of its address. */
const address = () => `/service_worker.js?language=${device.choices.language}`;

const workersPossible = (): boolean => isSecureContext && "serviceWorker" in navigator;

export async function registerWorker(): Promise<ServiceWorkerRegistration | null> {
  if (!workersPossible()) return null;
  try {
    return await navigator.serviceWorker.register(address());
  } catch {
    return null; // switched off in this browser, or storage is full
  }
}
