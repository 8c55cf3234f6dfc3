/** An action that a button starts and that may fail. Only one runs at a time. */
export class Attempt {
  busy = $state(false);
  /** The error of the last run; undefined if it succeeded. */
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
