/** One request of a panel: busy, done, or refused in the server's words. */

export class PanelRequest {
  busy = $state(false);
  done = $state(false);
  problem = $state("");

  async send(request: () => Promise<unknown>): Promise<boolean> {
    this.busy = true;
    this.done = false;
    this.problem = "";
    try {
      await request();
      this.done = true;
    } catch (error) {
      this.problem = error instanceof Error ? error.message : String(error);
    } finally {
      this.busy = false;
    }
    return this.done;
  }
}
