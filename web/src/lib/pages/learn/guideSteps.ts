/**
 * The steps of the first-deal guide. Which step fits follows from the actions that the server allows; nothing about
 * the rules is computed here.
 */

import { m } from '$lib/paraglide/messages';

import type { TableEvent, SuggestedPlay, You, Snapshot } from '$lib/net/protocol';

/** The table as the guide sees it; `advice` are the plays that the server suggests, empty out of turn. */
export interface Scene {
  shared: Snapshot;
  you: You;
  events: readonly TableEvent[];
  advice: readonly SuggestedPlay[];
  name: (seat: number) => string;
}

export interface GuideStep {
  id: string;
  /** Return whether this step fits now. */
  fits: (scene: Scene) => boolean;
  words: (scene: Scene) => string;
  /** Whether the step only explains something: it stays until the learner continues. */
  explains?: boolean;
}

type PlayName = You['may'][number];

const FEW_CARDS = 2;
const LARGE_PILE = 5;

const mine = ({ shared, you }: Scene): boolean => you.seat !== null && shared.actor === you.seat;
const playing = ({ shared }: Scene): boolean => shared.status === 'playing' && shared.waiting_for === 'play';
const may = (scene: Scene, what: PlayName): boolean =>
  playing(scene) && mine(scene) && scene.you.may.includes(what);
const suggests = (scene: Scene, kind: SuggestedPlay['kind']): boolean =>
  may(scene, 'lay') && scene.advice.some((option) => option.kind === kind);
const did = (scene: Scene, ...kinds: string[]): boolean =>
  scene.events.some((event) => event.seat === scene.you.seat && kinds.includes(event.kind));
const ended = ({ shared }: Scene): boolean => shared.sheet !== null;

/** Return another player that may go out soon. */
function nearlyOut({ shared, you }: Scene): number | null {
  const sizes = shared.hand_sizes;
  const seat = sizes.findIndex((size, at) => at !== you.seat && size > 0 && size <= FEW_CARDS);
  return seat < 0 ? null : seat;
}

/** The steps, the most important first. The first step that fits and was not given yet is shown. */
export const STEPS: readonly GuideStep[] = [
  {
    id: 'sheet',
    fits: ended,
    words: () => m.pages_guide_sheet(),
    explains: true,
  },
  {
    id: 'pick',
    fits: (scene) => scene.shared.waiting_for === 'draw' && mine(scene),
    words: () => m.pages_guide_pick(),
  },
  {
    id: 'cut',
    fits: (scene) => scene.shared.waiting_for === 'cut' && mine(scene),
    words: () => m.pages_guide_cut(),
  },
  {
    id: 'welcome',
    fits: (scene) => playing(scene) && scene.you.hand.length > 0,
    words: () => m.pages_guide_welcome(),
    explains: true,
  },
  {
    id: 'melds',
    fits: (scene) => playing(scene) && scene.you.hand.length > 0,
    words: () => m.pages_guide_melds(),
    explains: true,
  },
  {
    id: 'must',
    fits: (scene) => playing(scene) && mine(scene) && scene.shared.must_use !== null,
    words: () => m.pages_guide_must(),
  },
  {
    id: 'draw',
    fits: (scene) => may(scene, 'draw'),
    words: () => m.pages_guide_draw(),
  },
  {
    id: 'stock',
    fits: (scene) => !may(scene, 'draw') && (may(scene, 'take') || may(scene, 'end')),
    words: () => m.pages_guide_stock(),
  },
  {
    id: 'laid',
    fits: (scene) => !ended(scene) && did(scene, 'meld', 'lay'),
    words: () => m.pages_guide_laid(),
    explains: true,
  },
  {
    id: 'meld',
    fits: (scene) => suggests(scene, 'meld'),
    words: () => m.pages_guide_meld(),
  },
  {
    id: 'layoff',
    fits: (scene) => suggests(scene, 'lay'),
    words: () => m.pages_guide_layoff(),
  },
  {
    id: 'discard',
    fits: (scene) => may(scene, 'discard'),
    words: () => m.pages_guide_discard(),
  },
  {
    id: 'near',
    fits: (scene) => playing(scene) && nearlyOut(scene) !== null,
    words: (scene) => m.pages_guide_out_near({ name: scene.name(nearlyOut(scene) ?? 0) }),
    explains: true,
  },
  {
    id: 'risk',
    fits: (scene) => may(scene, 'take') && scene.shared.pile.length >= LARGE_PILE,
    words: () => m.pages_guide_risk(),
    explains: true,
  },
  {
    id: 'again',
    fits: (scene) => may(scene, 'draw') && did(scene, 'discard'),
    words: () => m.pages_guide_draw_again(),
  },
  {
    id: 'uses',
    fits: (scene) => may(scene, 'discard') && did(scene, 'discard'),
    words: () => m.pages_guide_uses(),
    explains: true,
  },
  {
    id: 'others',
    fits: (scene) => playing(scene) && !mine(scene) && scene.shared.pile.length > 0,
    words: (scene) => m.pages_guide_others({ name: scene.name(scene.shared.actor ?? 0) }),
    explains: true,
  },
  {
    id: 'high',
    fits: (scene) => playing(scene) && !mine(scene) && did(scene, 'discard'),
    words: () => m.pages_guide_high(),
    explains: true,
  },
  {
    id: 'done',
    fits: ended,
    words: () => m.pages_guide_done(),
  },
];

/** The steps after all others that fit were given: what to do now, or what to watch. */
const REMINDERS: readonly GuideStep[] = [
  ...STEPS.filter(({ explains }) => !explains),
  {
    id: 'watch',
    fits: (scene) => playing(scene) && !mine(scene),
    words: (scene) => m.pages_guide_others_again({ name: scene.name(scene.shared.actor ?? 0) }),
  },
  { id: 'wait', fits: () => true, words: () => m.pages_guide_wait() },
];

/** Return what to say now: the first step that fits and was not given yet, or else a reminder. */
export function stepFor(scene: Scene, seen: readonly string[]): GuideStep {
  const fresh = STEPS.find((step) => !seen.includes(step.id) && step.fits(scene));
  return fresh ?? REMINDERS.find((step) => step.fits(scene))!;
}
