/** Notifications on this device: whether they are possible, whether they are on, and the switch. */

import { api, Refused, type Answer } from "../../api/client";
import { account } from "../../state/account.svelte";
import { registerWorker } from "../../worker/register";

export type PushDevice = Answer<"/api/v1/me/push", "get">[number];
/** Why this device cannot be told, or `ready`. */
export type PushState = "unknown" | "off" | "insecure" | "unsupported" | "denied" | "ready";

const KEY = "rubicon.push"; // the number of this device at the server
const MAX_LABEL = 40; // characters

export class Push {
  state = $state<PushState>("unknown");
  on = $state(false);
  devices = $state.raw<readonly PushDevice[]>([]);
  #worker: ServiceWorkerRegistration | null = null;

  /** Find out what is possible here, and which devices the server knows. */
  async load(): Promise<void> {
    this.devices = await api.get("/api/v1/me/push");
    this.state = await this.#possible();
    const subscribed = await this.#worker?.pushManager.getSubscription();
    const own = kept();
    this.on = subscribed != null && this.devices.some((device) => device.id === own);
  }

  /** Ask the person, then the browser's notification service, then the server. */
  async start(): Promise<void> {
    const key = account.offer?.push;
    if (key == null || this.#worker === null) return;
    if ((await Notification.requestPermission()) !== "granted") {
      this.state = Notification.permission === "denied" ? "denied" : this.state;
      return;
    }
    const wanted = { userVisibleOnly: true, applicationServerKey: bytesOf(key) };
    const { endpoint, keys } = (await this.#worker.pushManager.subscribe(wanted)).toJSON();
    const body = { endpoint: endpoint ?? "", keys: { p256dh: keys?.p256dh ?? "", auth: keys?.auth ?? "" }, label: labelOf(navigator.userAgent) };
    const { device } = await api.post("/api/v1/me/push", { body });
    if (device !== undefined) keep(device);
    await this.load();
  }

  /** This device is told no more. */
  async stop(): Promise<void> {
    await (await this.#worker?.pushManager.getSubscription())?.unsubscribe();
    const own = kept();
    if (own !== null) await this.remove(own);
  }

  async remove(device: number): Promise<void> {
    await api.delete("/api/v1/me/push", { query: { device } });
    await this.load();
  }

  async #possible(): Promise<PushState> {
    if (account.offer?.push == null) return "off";
    if (!isSecureContext) return "insecure";
    const worker = await registerWorker();
    if (worker === null || !("pushManager" in worker) || !("Notification" in globalThis)) return "unsupported";
    this.#worker = worker;
    return Notification.permission === "denied" ? "denied" : "ready";
  }
}

/** Before somebody signs out: nothing of the account comes to this device any more, or (`everywhere`) to any. */
export async function endPush(everywhere = false): Promise<void> {
  const own = kept();
  if (own === null && !everywhere) return;
  const worker = await navigator.serviceWorker?.getRegistration();
  await (await worker?.pushManager?.getSubscription())?.unsubscribe();
  await api.delete("/api/v1/me/push", { query: { device: everywhere ? null : own } }).catch((error: unknown) => {
    if (!(error instanceof Refused)) throw error; // the server has forgotten it already
  });
}

function kept(): number | null {
  try {
    return Number(localStorage.getItem(KEY) ?? NaN) || null;
  } catch {
    return null;
  }
}

function keep(device: number): void {
  try {
    localStorage.setItem(KEY, String(device));
  } catch {
    // without storage the list of devices still has it
  }
}

/** The bytes of a text in base64url. */
export function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  const padded = text.replaceAll("-", "+").replaceAll("_", "/").padEnd(Math.ceil(text.length / 4) * 4, "=");
  return Uint8Array.from(atob(padded), (letter) => letter.charCodeAt(0));
}

const BROWSERS = [["Firefox", /Firefox\//], ["Edge", /Edg\//], ["Opera", /OPR\//], ["Chrome", /Chrome\//], ["Safari", /Safari\//]] as const;
const SYSTEMS = [["Android", /Android/], ["iPhone", /iPhone/], ["iPad", /iPad/], ["Windows", /Windows/], ["Mac", /Mac OS X/], ["Linux", /Linux/]] as const;

/** A name for this device in the list of all: "Firefox, Android". */
export function labelOf(agent: string): string {
  const first = (known: readonly (readonly [string, RegExp])[]) => known.find(([, pattern]) => pattern.test(agent))?.[0];
  return [first(BROWSERS), first(SYSTEMS)].filter((part) => part !== undefined).join(", ").slice(0, MAX_LABEL);
}
