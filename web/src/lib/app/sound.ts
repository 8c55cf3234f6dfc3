/**
 * The table's sounds: bursts of noise, as cards and knuckles make them, synthesized when they are played. Each lasts
 * less than 200 ms and carries nothing that the page does not also show.
 */

export type Sound = 'draw' | 'take' | 'meld' | 'lay' | 'discard' | 'turn' | 'rummy' | 'tick' | 'sheet';

/** The gain that brings all sounds to about -20 dB on average; the compressor keeps the peaks below 0. */
const VOLUME = 2;

let context: AudioContext | null = null;
let out: GainNode | null = null;
let noise: AudioBuffer | null = null;

/** Start the audio context. Call this on a press or a key, because browsers allow no sound before. */
export function wake(): void {
  if (typeof AudioContext === 'undefined') return;
  if (!context) {
    context = new AudioContext({ latencyHint: 'interactive' });
    out = new GainNode(context, { gain: VOLUME });
    out
      .connect(new DynamicsCompressorNode(context, { threshold: -14, ratio: 8 }))
      .connect(context.destination);
  }
  if (context.state === 'suspended') void context.resume().catch(() => undefined);
}

function hiss(context: AudioContext): AudioBuffer {
  if (noise) return noise;
  noise = new AudioBuffer({ length: context.sampleRate / 2, sampleRate: context.sampleRate });
  const samples = noise.getChannelData(0);
  // Any noise will do as long as it is the same each time.
  let seed = 1;
  for (let i = 0; i < samples.length; i++) {
    seed = (seed * 48271) % 2147483647;
    samples[i] = seed / 1073741823.5 - 1;
  }
  return noise;
}

interface Rustle {
  /** The start in seconds from now; `long` is the length in seconds. */
  at?: number;
  long: number;
  /** The middle of the band in Hz at the beginning (`from`) and at the end (`to`), and how narrow the band is. */
  from: number;
  to?: number;
  narrow?: number;
  loud?: number;
  /** The seconds until the sound is at its loudest. */
  rise?: number;
}

/** Paper on cloth: a band of noise that moves and fades. */
function rustle(
  context: AudioContext,
  { at = 0, long, from, to = from, narrow = 1, loud = 0.4, rise = 0.004 }: Rustle,
): void {
  if (!out) return;
  const start = context.currentTime + at;
  const source = new AudioBufferSourceNode(context, { buffer: hiss(context), loop: true });
  const band = new BiquadFilterNode(context, { type: 'bandpass', Q: narrow, frequency: from });
  band.frequency.setValueAtTime(from, start);
  band.frequency.exponentialRampToValueAtTime(to, start + long);
  source
    .connect(band)
    .connect(faded(context, start, long, loud, rise))
    .connect(out);
  source.start(start, Math.random() * 0.2);
  source.stop(start + long);
}

function faded(context: AudioContext, start: number, long: number, loud: number, rise: number): GainNode {
  const gain = new GainNode(context, { gain: 0 });
  gain.gain.setValueAtTime(0, start);
  gain.gain.linearRampToValueAtTime(loud, start + rise);
  gain.gain.exponentialRampToValueAtTime(0.001, start + long);
  return gain;
}

/** A card or a knuckle on the table: a flick, and the thump of the wood below it. */
function tap(context: AudioContext, at: number, loud = 0.8): void {
  rustle(context, { at, long: 0.045, from: 2600, to: 1400, narrow: 0.8, loud });
  thump(context, at, loud);
}

function thump(context: AudioContext, at: number, loud: number): void {
  rustle(context, { at, long: 0.06, from: 180, to: 90, narrow: 2, loud: loud * 1.5, rise: 0.002 });
}

const SOUNDS: Record<Sound, (context: AudioContext, cards: number) => void> = {
  draw: (context) => rustle(context, { long: 0.14, from: 3800, to: 1800, loud: 1.1, rise: 0.03 }),
  take: (context, cards) => {
    const flicks = Math.min(Math.max(cards, 2), 12);
    const step = Math.min(0.02, 0.15 / flicks);
    for (let i = 0; i < flicks; i++) {
      rustle(context, { at: i * step, long: 0.035, from: 3000 + 110 * i, narrow: 1.4, loud: 0.9 });
    }
  },
  meld: (context) => {
    tap(context, 0);
    tap(context, 0.075, 0.65);
  },
  lay: (context) => tap(context, 0),
  discard: (context) => {
    rustle(context, { long: 0.09, from: 1500, to: 600, narrow: 0.6, loud: 0.95 });
    thump(context, 0, 0.6);
  },
  turn: (context) => tap(context, 0, 0.5),
  rummy: (context) => {
    for (const at of [0, 0.06, 0.12]) tap(context, at, 1);
  },
  tick: (context) => thump(context, 0, 0.5),
  sheet: (context) => {
    rustle(context, { long: 0.12, from: 1200, to: 4200, narrow: 0.7, loud: 0.5, rise: 0.07 });
    rustle(context, { at: 0.12, long: 0.07, from: 2600, to: 900, narrow: 0.7, loud: 0.45 });
  },
};

/** Play a sound if the browser allows it; `cards` is the size of a take. The caller checks the setting. */
export function play(sound: Sound, cards = 1): void {
  if (context?.state === 'running') SOUNDS[sound](context, cards);
}
