/** What a review points at in a replay. */

export interface Cues {
  /** On the timeline: a sign at a step. */
  marks: { at: number; sign: string; text: string }[];
  /** The cards of the play that is made next, and those of a better one. */
  played: string[];
  better: string[];
  /** The sign of the play that is made next; empty for the many without a mark. */
  sign: string;
  words: { played: string; better: string };
}

/** A replay without a review. */
export const NO_CUES: Cues = {
  marks: [],
  played: [],
  better: [],
  sign: '',
  words: { played: '', better: '' },
};
