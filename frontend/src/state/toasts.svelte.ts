/** Short news at the bottom of the page: one line each, for a few seconds. */

export interface Toast {
  readonly id: number;
  readonly text: string;
  /** In the accent colour: for the own turn only. */
  readonly accent: boolean;
  readonly action: { readonly text: string; readonly run: () => void } | null;
}

const MOST = 3; // at once; the oldest goes

export class Toasts {
  shown = $state.raw<readonly Toast[]>([]);
  #last = 0;

  show(text: string, more: Partial<Pick<Toast, "accent" | "action">> = {}): number {
    const toast = { id: ++this.#last, text, accent: more.accent ?? false, action: more.action ?? null };
    const others = this.shown.filter((each) => each.text !== text);
    this.shown = [...others, toast].slice(-MOST);
    return toast.id;
  }

  close(id: number): void {
    this.shown = this.shown.filter((each) => each.id !== id);
  }
}
