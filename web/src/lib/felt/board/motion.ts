/**
 * Animations of cards: each flies from where it was seen last to where it lies now.
 *
 * Before an update is shown the positions of all cards are stored; after it a copy of each card that moved flies over
 * the table, and the card itself appears when the copy has arrived. If the visitor prefers reduced motion, source and
 * target are outlined for a second instead.
 */
import { mount, tick, unmount } from 'svelte';

import Card from '$lib/cards/Card.svelte';
import type { Change } from '$lib/net/tableStore.svelte';
import type { TableEvent } from '$lib/net/protocol';
import { scrollerOf } from '$lib/felt/layout/scrollEdges';
import { held } from '$lib/felt/hand/handSort';
import { paceOf } from './pace';

const IN = 'cubic-bezier(.2,.8,.2,1)';
const DRAW_MS = 180;
const TAKE_MS = 240;
const APART_MS = 25;
const LAY_MS = 260;
const DISCARD_MS = 200;
const DEAL_MS = 60;
const OUTLINE_MS = 1_000;
const FULL_FROM = 72;
/** Plays made while the player was away are shown at double speed, within this time at most. */
const AGAIN = 0.5;
const AGAIN_MS = 2_000;

type Box = { left: number; top: number; width: number; height: number };
type Flight = {
  from: Box | null;
  source: Element | null;
  to: Element;
  card: string;
  back: boolean;
  ms: number;
  delay: number;
};

/** The flight of a card, face up, from where it was seen. */
const flight = (to: Element, from: Box | null, card: string, ms: number, delay = 0): Flight => ({
  from,
  source: null,
  to,
  card,
  back: false,
  ms,
  delay,
});

export function lessMotion(): boolean {
  return (
    matchMedia('(prefers-reduced-motion: reduce)').matches ||
    document.documentElement.dataset.motion === 'none'
  );
}

export class Motion {
  readonly #root: HTMLElement;
  #boxes = new Map<string, Box>();
  #handBefore: string[] = [];
  #sky: HTMLElement | null = null;
  /** The events since the remembered positions that were not animated. */
  #unseen: Change | null = null;
  /** The number of the last event that was shown or is in `#unseen`. */
  #last: number;

  /** Show what moves on this table after the event of this number. */
  constructor(root: HTMLElement, last = 0) {
    this.#root = root;
    this.#last = last;
    const back = (): void => {
      if (!root.isConnected) document.removeEventListener('visibilitychange', back);
      else this.#catchUp();
    };
    document.addEventListener('visibilitychange', back);
  }

  /** Store where everything lies. */
  remember(): void {
    if (this.#unseen) return;
    this.#boxes.clear();
    for (const element of this.#root.querySelectorAll<HTMLElement>('[data-fly]')) {
      this.#boxes.set(element.dataset.fly!, seenAt(element));
    }
    this.#handBefore = [...this.#root.querySelectorAll<HTMLElement>('[data-key]')].map(
      (card) => card.dataset.key!,
    );
  }

  /** Show what an update has moved. */
  async show(change: Change): Promise<void> {
    const events = change.events.filter(({ number }) => number > this.#last);
    this.#last = Math.max(this.#last, ...events.map(({ number }) => number));
    const away = document.visibilityState === 'hidden';
    if (change.whole || away || this.#unseen) {
      const { before, youBefore, events: earlier } = this.#unseen ?? { ...change, events: [] };
      this.#unseen = { ...change, before, youBefore, events: [...earlier, ...events] };
    }
    await tick();
    if (away) return;
    if (this.#unseen) this.#catchUp();
    else
      this.#begin(
        events.flatMap((event) => this.#flights(event, change)),
        paceOf(change.after),
      );
  }

  /** Animate what happened in the deal in progress while the page did not show it. */
  #catchUp(): void {
    const unseen = this.#unseen;
    if (!unseen || document.visibilityState === 'hidden') return;
    this.#unseen = null;
    let total = 0;
    const flights = unseen.events
      .slice(unseen.events.findLastIndex(({ kind }) => kind === 'deal') + 1)
      .flatMap((event) => {
        const start = total;
        const parts = this.#flights(event, unseen).map((part) => ({ ...part, delay: start + part.delay }));
        total = Math.max(total, ...parts.map(({ ms, delay }) => ms + delay));
        return parts;
      });
    this.#begin(flights, Math.min(AGAIN, AGAIN_MS / total));
  }

  /** Begin these flights; each takes this part of its usual time. */
  #begin(flights: Flight[], pace: number): void {
    if (lessMotion()) {
      for (const { source, to } of flights) {
        for (const element of [source, to]) outline(element);
      }
      return;
    }
    for (const flight of flights) {
      this.#fly({ ...flight, ms: flight.ms * pace, delay: flight.delay * pace });
    }
  }

  #at(name: string): HTMLElement | null {
    return this.#root.querySelector<HTMLElement>(`[data-fly="${CSS.escape(name)}"]`);
  }

  #flights(event: TableEvent, change: Change): Flight[] {
    const seat = event.seat ?? -1;
    const mine = seat === change.youAfter.seat;
    switch (event.kind) {
      case 'draw':
        return this.#draw(seat, mine, event, change);
      case 'take':
      case 'call':
        return this.#take(seat, mine, event, change);
      case 'meld':
      case 'lay':
        return this.#lay(seat, mine, event, change);
      case 'discard':
        return this.#discard(seat, mine, event, change);
      case 'deal':
        return this.#deal(change);
      default:
        return [];
    }
  }

  #draw(seat: number, mine: boolean, event: TableEvent, change: Change): Flight[] {
    const key = mine ? this.#fresh(change, event.card ? [event.card] : [])[0] : undefined;
    const to = mine ? (key ? this.#at(`hand:${key}`) : null) : this.#at(`seat:${seat}`);
    if (!to) return [];
    const from = this.#boxes.get('stock') ?? null;
    return [{ ...flight(to, from, event.card ?? '', DRAW_MS), source: this.#at('stock'), back: true }];
  }

  /** Return the keys of these cards in the hand that were not there before the change, in the order of `cards`. */
  #fresh(change: Change, cards: readonly string[]): string[] {
    const before = new Set(this.#handBefore);
    const keys = held(change.youAfter.hand).map(({ key }) => key);
    const left = keys.filter((key) => !before.has(key));
    return cards.flatMap((card) => {
      const index = left.findIndex((key) => key.startsWith(`${card}#`));
      return index < 0 ? [] : left.splice(index, 1);
    });
  }

  #take(seat: number, mine: boolean, event: TableEvent, change: Change): Flight[] {
    const cards = event.cards ?? [];
    const keys = mine ? this.#fresh(change, cards) : [];
    return cards.flatMap((card, index) => {
      const to = mine
        ? keys[index]
          ? this.#at(`hand:${keys[index]}`)
          : null
        : (this.#at(`known:${seat}:${card}`) ?? this.#at(`seat:${seat}`));
      if (!to) return [];
      const from = this.#boxes.get(`pile:${change.before.pile.lastIndexOf(card)}`) ?? null;
      return [flight(to, from, card, TAKE_MS, index * APART_MS)];
    });
  }

  #lay(seat: number, mine: boolean, event: TableEvent, change: Change): Flight[] {
    const meld = change.after.melds.find(({ number }) => number === event.meld);
    return (event.laid ?? []).flatMap(({ card, place }, index) => {
      const at =
        meld?.cards.findIndex(
          (placed) =>
            placed.card === card && placed.seat === seat && (place == null || placed.place === place),
        ) ?? -1;
      const to = this.#at(`meld:${event.meld}:${at}:${card}`);
      return to ? [flight(to, this.#leftHand(seat, mine, card, change), card, LAY_MS, index * APART_MS)] : [];
    });
  }

  #leftHand(seat: number, mine: boolean, card: string, { before }: Change): Box | null {
    if (mine) {
      const key = this.#handBefore.find((other) => other.startsWith(`${card}#`));
      // A card that was drawn or taken unseen lay there before.
      const pile = before.pile.lastIndexOf(card);
      return this.#boxes.get(key ? `hand:${key}` : pile < 0 ? 'stock' : `pile:${pile}`) ?? null;
    }
    return this.#boxes.get(`known:${seat}:${card}`) ?? this.#boxes.get(`seat:${seat}`) ?? null;
  }

  #discard(seat: number, mine: boolean, event: TableEvent, change: Change): Flight[] {
    if (!event.card) return [];
    const to = this.#at(`pile:${change.after.pile.lastIndexOf(event.card)}`);
    const from = this.#leftHand(seat, mine, event.card, change);
    return to ? [flight(to, from, event.card, DISCARD_MS)] : [];
  }

  #deal(change: Change): Flight[] {
    const stock = this.#at('stock');
    const from = stock?.getBoundingClientRect() ?? null;
    const own = [...this.#root.querySelectorAll<HTMLElement>('[data-key]')];
    const seats = change.after.seats
      .map((_, seat) => this.#at(`seat:${seat}`))
      .filter((seat) => seat !== null);
    const hands = own.map((to, index) => ({ to, card: to.dataset.card ?? '', delay: index * DEAL_MS }));
    const others = seats.map((to, index) => ({ to, card: '', delay: index * DEAL_MS }));
    return [...hands, ...others].map(({ to, card, delay }) => ({
      ...flight(to, from, card, DRAW_MS, delay),
      back: true,
    }));
  }

  #fly({ from, to, card, back, ms, delay }: Flight): void {
    const goal = to.getBoundingClientRect();
    if (!from || goal.width === 0) return;
    const ownHand = to instanceof HTMLElement && to.dataset.key !== undefined;
    const fan = to instanceof HTMLElement && to.dataset.fly?.startsWith('seat:') === true;
    const width = fan ? Math.min(goal.width, goal.height / 1.4) : goal.width;
    const strip = to instanceof HTMLElement && to.dataset.fly?.startsWith('pile:') === true;
    const height = strip ? goal.height : width * 1.4;
    const left = fan ? goal.left + (goal.width - width) / 2 : goal.left;
    const box = document.createElement('div');
    box.style.cssText = `position:fixed;left:${left}px;top:${goal.top}px;width:${width}px;height:${height}px;will-change:transform`;
    const face = strip ? 'strip' : width >= FULL_FROM ? 'full' : 'index';
    const likeness = mount(Card, {
      target: box,
      props: back ? { card: '', face: 'back', width } : { card, face, width, ...(strip ? { height } : {}) },
    });
    this.#overlay().append(box);
    const dx = from.left + Math.min(from.width, width) / 2 - (left + width / 2);
    const dy = from.top + from.height / 2 - (goal.top + height / 2);
    const scale = Math.max(0.3, Math.min(2.5, from.height / height));
    const flight = box.animate(
      [{ transform: `translate(${dx}px, ${dy}px) scale(${scale})` }, { transform: 'none' }],
      { duration: ms, delay, easing: IN, fill: 'backwards' },
    );
    if (!fan) to.animate([{ opacity: 0 }, { opacity: 0 }], { duration: ms + delay });
    void flight.finished
      .catch(() => undefined)
      .then(() => {
        void unmount(likeness);
        box.remove();
        if (ownHand && back) turnOver(to);
      });
  }

  /** The layer above everything else, which takes no clicks. */
  #overlay(): HTMLElement {
    if (!this.#sky?.isConnected) {
      this.#sky = document.createElement('div');
      this.#sky.setAttribute('aria-hidden', 'true');
      this.#sky.style.cssText = 'position:fixed;inset:0;pointer-events:none;z-index:200;overflow:hidden';
      this.#root.append(this.#sky);
    }
    return this.#sky;
  }
}

/** Where something is seen; what is scrolled out of sight, at the edge behind which it lies. */
function seenAt(element: Element): Box {
  const { left, top, width, height } = element.getBoundingClientRect();
  const around = scrollerOf(element)?.getBoundingClientRect();
  if (!around) return { left, top, width, height };
  const lowest = Math.max(around.top, around.bottom - height);
  return { left, top: Math.max(around.top, Math.min(lowest, top)), width, height };
}

/** A back turns only when it arrives in the player's own hand. */
function turnOver(element: Element): void {
  const face = element.firstElementChild;
  face?.animate([{ transform: 'scaleX(0.05)' }, { transform: 'none' }], { duration: 120, easing: IN });
}

/** Outline an element for a while: a style, because an animation would be motion. */
function outline(element: Element | null): void {
  element?.setAttribute('data-moved', '');
  setTimeout(() => element?.removeAttribute('data-moved'), OUTLINE_MS);
}
