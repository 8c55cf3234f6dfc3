/** The link of a table that shows one position: questions go to the server over HTTP, and one play is returned. */
import type { Advice, Link, Reply, Request, TableLink } from '$lib/net/connection.svelte';
import type { PositionAdvice, PositionQuestion, SeatPosition } from '$lib/net/protocol';
import { TableStore } from '$lib/net/tableStore.svelte';

/** Asks the rules about the position. Rejects if the server cannot be reached. */
export type Asking = (question: PositionQuestion) => Promise<PositionAdvice>;
/** Hands a play back: its code, or as it was typed. */
export type Playing = (play: string) => Promise<Reply>;

const NOT_NOW: Reply = { ok: false, reason: { code: 'table.undo' } };

export class PositionLink implements TableLink {
  readonly id = '';
  readonly link: Link = { state: 'live' };
  readonly table: TableStore;
  readonly #ask: Asking;
  readonly #play: Playing;

  constructor({ options, shared, you, events }: SeatPosition, ask: Asking, play: Playing) {
    this.table = new TableStore({
      type: 'sync',
      re: '',
      table: '',
      number: 1,
      gap: false,
      missed: events,
      options,
      shared,
      you,
      chat: [],
    });
    this.#ask = ask;
    this.#play = play;
  }

  async send(request: Request): Promise<Reply> {
    if (request.type === 'play') return this.#play(request.play);
    if (request.type === 'say') return this.#play(request.text);
    return NOT_NOW;
  }

  async ask(
    about: 'turn' | 'cards' | 'take' | 'hint',
    { cards = [], count = 0 }: { cards?: string[]; count?: number } = {},
  ): Promise<Advice | null> {
    if (about === 'hint') return null;
    return this.#ask({ about, cards, count }).then(
      (advice) => ({ ...advice, hint: null }),
      () => null,
    );
  }

  /** A position does not change, and its link is never lost. */
  onchange(): () => void {
    return () => undefined;
  }

  onbefore(): () => void {
    return () => undefined;
  }

  retry(): void {}
}
