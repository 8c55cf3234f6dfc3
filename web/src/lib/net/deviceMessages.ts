/** What a page and the worker with the tables of this device send each other. */

export type ToWorker =
  | { kind: 'start'; name: string }
  | { kind: 'request'; id: number; method: string; path: string; body: string }
  | { kind: 'connect'; id: number; table: string }
  | { kind: 'send'; id: number; text: string }
  | { kind: 'close'; id: number }
  | { kind: 'export'; id: number }
  | { kind: 'import'; id: number; file: Uint8Array };

export type FromWorker =
  /** The start has reached this step. */
  | { kind: 'step'; step: number }
  | { kind: 'ready'; damaged: number }
  /** The tables cannot be played here, or no longer; `code` says why. */
  | { kind: 'stopped'; code: string; message: string }
  | {
      kind: 'answer';
      id: number;
      status: number;
      body: Uint8Array<ArrayBuffer>;
      media: string;
      disposition: string;
    }
  /** The worker could not do what this request asked for. */
  | { kind: 'failed'; id: number; message: string }
  | { kind: 'opened' | 'closed'; id: number }
  | { kind: 'message'; id: number; text: string }
  | { kind: 'exported'; id: number; file: Uint8Array<ArrayBuffer> }
  | { kind: 'imported'; id: number; code: string };

/** The steps of a start: the runtime, the parts of rum500, the stored tables. */
export const STEPS = 3;
