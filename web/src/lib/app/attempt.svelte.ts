/** An action that a button starts, one at a time, and that may fail. */
export class Attempt {
  busy = $state(false);
  /** Why it failed the last time. */
  trouble = $state.raw<unknown>(undefined);

  async run(work: () => Promise<void>): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    this.trouble = undefined;
    try {
      await work();
    } catch (reason) {
      this.trouble = reason;
    } finally {
      this.busy = false;
    }
  }
}
