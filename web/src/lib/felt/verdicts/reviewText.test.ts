import { describe, expect, it } from 'vitest';

import { overwriteGetLocale } from '$lib/paraglide/runtime';

import { discard, verdictOn } from '../../../testing/verdict';
import type { EventRate, LossReasonInfo, LossWhy, ReviewPlan, ReviewVerdict } from '$lib/net/protocol';
import { plainText } from '$lib/text/sentences';
import {
  barsLabel,
  conditionParts,
  halfOf,
  costText,
  lossText,
  markSpoken,
  playParts,
  reasonText,
  signed,
  signedWithHalf,
  storyParts,
  withHalf,
} from './reviewText';

let locale: 'de' | 'en' | 'es' | 'fa' | 'fr' = 'en';
overwriteGetLocale(() => locale);

const verdict = (more: Partial<ReviewVerdict>): ReviewVerdict =>
  verdictOn(discard('5S', '1'), discard('KD', '2'), more);

const reason = (code: string, points: number, more: Partial<LossReasonInfo> = {}): LossReasonInfo => ({
  code,
  points,
  error: 1,
  cards: [],
  played: null,
  best: null,
  ...more,
});

/** Return the sentences about a loss, a line each. */
function lossLines(why: Partial<LossWhy>, more: Partial<ReviewVerdict> = {}): string[] {
  const usual = verdict({ loss: 14, low: 11, high: 17 });
  const text = reasonText({ ...usual, ...more, why: { ...usual.why!, ...why } });
  return text ? [text.fact, ...text.parts].map((parts) => plainText(parts)) : [];
}

/** Return the sentence about the way of playing on. */
const conditionText = (about: Parameters<typeof conditionParts>[0], name: string | null = null): string =>
  plainText(conditionParts(about, name));

describe('how one plays on', () => {
  const ways = [
    { way: 'hold' as const, mark: 'good' as const, loss: 1, half: 1, best: 'discard 5S' },
    { way: 'lay' as const, mark: 'mistake' as const, loss: 12, half: 3, best: 'meld 5S 5H 5D' },
  ];

  it('is named where the mark depends on it', () => {
    expect(conditionText({ ways })).toBe(
      'Good only if you hold melds back afterwards. If you lay at once whatever you can, it costs 12\u00a0±\u00a03 points.',
    );
    const why = { ...verdict({}).why!, points: 5 };
    expect(conditionText({ ways, why, loss: 9 })).toMatch(
      /it costs as much as 12\u00a0±\u00a03 points at the start of a match\.$/,
    );
    const doubtful = [{ ...ways[0]!, mark: 'doubtful' as const }, ways[1]!];
    expect(conditionText({ ways: doubtful })).toMatch(/^This is true if you hold melds back afterwards/);
  });

  it('is said of another player by name', () => {
    expect(conditionText({ ways }, 'Ada')).toBe(
      'Good only if Ada holds melds back afterwards. If whatever can be laid is laid at once, it costs 12\u00a0±\u00a03 points.',
    );
    const other = ways
      .toReversed()
      .map((one, at) => ({ ...one, mark: at ? one.mark : ('doubtful' as const) }));
    expect(conditionText({ ways: other }, 'Ada')).toBe(
      'This is true if Ada afterwards lays at once whatever can be laid. If melds are held back, it costs 1.0\u00a0±\u00a01.0 points.',
    );
  });

  it('is left out where both marks are the same, and where an earlier judge did not ask', () => {
    expect(conditionText({ ways: [ways[1]!, ways[1]!] })).toBe('');
    expect(conditionText({ ways: [] })).toBe('');
    expect(conditionText({ ways: [{ ...ways[0]!, mark: 'decided' }, ways[1]!] })).toBe('');
  });
});

describe('the reason for a loss', () => {
  it('begins with the plan of the better play, or else with the rate that changed most', () => {
    const plan = { name: 'salt' as const, cards: ['5H'], played: 0, best: 0.61, message: '' };
    expect(lossLines({}, { plan })[1]).toBe(
      'Throw 5♥ and take it back with the pile: works in 61% of deals.',
    );
    const change = { name: 'other_out' as const, played: 0.86, best: 0.49, error: 0.01 };
    expect(lossLines({ others: 'opponent' }, { change })[1]).toBe(
      'The opponent goes out in 86% of deals; after the best play in 49%.',
    );
    locale = 'de';
    expect(lossLines({}, { plan })[1]).toBe(
      '5♥ abwerfen und mit der Ablage zurückholen: klappt in 61 % der Spiele.',
    );
    locale = 'en';
  });

  it('names the play with its points', () => {
    expect(lossLines({})[0]).toBe('Discarding 5♠ cost 14\u00a0±\u00a03 points.');
    expect(lossLines({ points: 1, half: 0.02 })[0]).toBe('Discarding 5♠ cost 1 point.');
  });

  it('calls the others what they are', () => {
    const costs = { code: 'why.costs' as const, reasons: [reason('why.others_lay', 9)] };
    expect(lossLines({ ...costs, others: 'opponent' })[1]).toBe('9 of it: the opponent lays more.');
    expect(lossLines({ ...costs, others: 'others' })[1]).toBe('9 of it: the others lay more.');
    expect(lossLines({ ...costs, others: 'side' })[1]).toBe('9 of it: the other side lays more.');
    locale = 'de';
    expect(lossLines({ ...costs, others: 'opponent' })).toEqual([
      '5♠ abwerfen: Das kostete 14\u00a0±\u00a03 Punkte.',
      'Davon 9: der Gegner legt mehr aus.',
    ]);
    locale = 'en';
  });

  it('calls the next player the opponent where there is only one', () => {
    const takes = { code: 'why.costs' as const, reasons: [reason('why.gift', 9, { played: 50, best: 2 })] };
    const rates = { cards: ['5H'], played: 0.6, best: 0.1, message: '' };
    const next = { name: 'next_takes' as const, played: 0.6, best: 0.1, error: 0.01 };
    const line = (others: LossWhy['others'], plan?: 'deny' | 'bury'): string[] =>
      lossLines({ ...takes, others }, plan ? { plan: { name: plan, ...rates, others } } : { change: next });
    expect(line('opponent', 'deny')[1]).toBe(
      'Throw 5♥: the opponent takes from the pile at once in 10% of deals, otherwise in 60%.',
    );
    expect(line('others', 'deny')[1]).toContain('the next player takes');
    expect(line('opponent', 'deny')[2]).toBe('9 of it: the opponent takes the card at once.');
    expect(line('opponent', 'bury')[1]).toContain('the opponent takes it');
    expect(line('side', 'bury')[1]).toContain('an opponent takes it');
    expect(line('opponent').slice(1)).toEqual([
      '9 of it: the opponent takes the card at once (in 50% of deals; after the best play in 2%).',
    ]);
    expect(line('side')[1]).toContain('the next player takes the card');
    const never = { reasons: [reason('why.gift', 9, { played: 50, best: 0 })], code: takes.code };
    expect(lossLines(never)[1]).toBe(
      '9 of it: the opponent takes the card at once (in 50% of deals; after the best play never).',
    );
    expect(lossLines({}, { change: { ...next, best: 0 } })[1]).toMatch(/; after the best play never\.$/);
    const goes = { name: 'other_out' as const, played: 1, best: 0, error: 0 };
    expect(lossLines({ others: 'opponent' }, { change: goes })[1]).toBe(
      'After this play the opponent goes out; the best play prevents that.',
    );
    const out = { name: 'out' as const, played: 0, best: 1, error: 0 };
    expect(lossLines({}, { change: out })[1]).toBe('After the best play you go out, but not after this one.');
    const only = (others: LossWhy['others']): string => lossLines({ others }, { change: next })[1]!;
    expect(only('opponent')).toBe(
      'The opponent takes from the pile at once in 60% of deals; after the best play in 10%.',
    );
    expect(only('side')).toBe(
      'The next player takes from the pile at once in 60% of deals; after the best play in 10%.',
    );
    locale = 'de';
    expect(line('opponent').join(' ') + line('opponent', 'deny')[1]).not.toContain('Nächste');
    expect(line('others').join(' ')).toContain('der Nächste nimmt die Karte gleich auf');
    locale = 'en';
  });

  it('says a change once, and no general remark beside it', () => {
    const change = { name: 'next_takes' as const, played: 0.92, best: 0.33, error: 0.01 };
    const given = reason('why.pile_given', 9, { played: 92, best: 34 });
    expect(lossLines({ code: 'why.costs', reasons: [given] }, { change }).slice(1)).toEqual([
      '9 of it: the opponent takes from the pile at once (in 92% of deals; after the best play in 34%).',
    ]);
    for (const code of ['why.small', 'why.mixed'] as const)
      expect(lossLines({ code }, { change }).slice(1)).toEqual([
        'The opponent takes from the pile at once in 92% of deals; after the best play in 33%.',
      ]);
  });

  it('leaves out a rate that the play made impossible', () => {
    for (const name of ['out', 'took_back', 'at_once'] as const) {
      const line = (played: number): string =>
        lossLines({}, { change: { name, played, best: 0.4, error: 0.01 } })[1]!;
      expect(line(0)).toMatch(/ in 40% of deals\.$/);
      if (name === 'out') continue;
      expect(line(0.1)).toMatch(/ in 40% of deals, (after this one|5♠) in 10%\.$/);
    }
  });

  it('names the cards that come back or that another takes', () => {
    const best = discard('9H', '2');
    const line = (name: EventRate['name'], played: number): string =>
      lossLines({}, { best, change: { name, played, best: 0.4, error: 0.01 } })[1]!;
    expect(line('took_back', 0)).toBe('Thrown instead, 9♥ comes back with the pile in 40% of deals.');
    for (const language of ['de', 'en', 'es', 'fa', 'fr'] as const) {
      locale = language;
      for (const name of ['took_back', 'other_gets'] as const)
        expect(line(name, 0.6)).toMatch(/9♥.*5♠|5♠.*9♥/);
      const bury = { name: 'bury' as const, played: 0.6, best: 0.1, message: '' };
      const buried = (cards: string[]): string => plainText(storyParts({ plan: { ...bury, cards } }));
      expect(buried(['9H', '5S'])).toMatch(/9♥.*5♠/);
      expect(buried(['9H'])).not.toMatch(/undefined|[{}]/);
    }
    locale = 'en';
  });

  it('does not say that all cards are left where it is one of them', () => {
    const left = reason('why.caught', 5.1, { cards: ['8D', '9D', '10D'], played: 27, best: 0 });
    expect(lossLines({ code: 'why.costs', reasons: [left] })[1]).toBe(
      '5.1 of it: 8♦, 9♦ or 10♦ is left in the hand at the end (in 27% of deals).',
    );
  });

  it('adds what is regained, so that the numbers add up', () => {
    const reasons = [reason('why.own_lay', 20), reason('why.held', 6)];
    locale = 'de';
    for (const [gained, last] of [
      [1, '1 davon kommt auf anderen Wegen wieder herein.'],
      [1.4, '1,4 davon kommen auf anderen Wegen wieder herein.'],
    ] as const)
      expect(lossLines({ code: 'why.costs', reasons, gained }).at(-1)).toBe(last);
    locale = 'en';
    expect(lossLines({ code: 'why.costs', reasons, gained: 12 }).slice(1)).toEqual([
      '20 of it: less is laid.',
      '6 of it: more is left in the hand at the end.',
      '12 of that comes back in other ways.',
    ]);
  });

  it('gives the chance if the points of the deal are no worse', () => {
    const lowered = 'Discarding 5♠ lowered the chance to win the match by 3.1 percentage points.';
    expect(lossLines({ code: 'why.match', chance: 0.031, points: -2 })).toEqual([
      lowered,
      'The score counts for more than the points of this deal.',
    ]);
    const close = [lowered, 'In points of this deal it is too close to tell.'];
    expect(lossLines({ code: 'why.match', chance: 0.031 })).toEqual(close);
    const stored = { code: 'why.costs' as const, reasons: [reason('why.own_lay', 3)], points: 3, half: 3.4 };
    expect(lossLines({ ...stored, chance: 0.031 }, { loss: 15, chance: 0.031 })).toEqual(close);
    expect(lossLines({ ...stored, chance: 0.031, half: 2.9 })[0]).toMatch(
      / cost 3\.0\u00a0±\u00a02\.9 points/,
    );
    expect(lossLines({ code: 'why.exact', points: -2, chance: 0.2 })).toEqual([
      'Discarding 5♠ lowered the chance to win the match by 20 percentage points.',
      'Every card was known; the numbers assume that all play their best from then on.',
    ]);
    expect(lossLines({ code: 'why.exact', points: 4, half: 0 })[0]).toBe('Discarding 5♠ cost 4 points.');
    const exact = {
      code: 'why.exact' as const,
      reasons: [reason('why.own_lay', 16)],
      points: 14,
      half: 0,
      gained: 2,
    };
    expect(lossLines(exact)).toEqual([
      'Discarding 5♠ cost 14 points.',
      '16 of it: less is laid.',
      '2 of that comes back in other ways.',
      'Every card was known; the numbers assume that all play their best from then on.',
    ]);
  });

  it('gives the worth of the deal’s points at this score', () => {
    expect(lossLines({ chance: 0.1 }, { loss: 15 })).toEqual([
      'Discarding 5♠ cost 14\u00a0±\u00a03 points in this deal.',
      'It is hard to say why: many small things.',
    ]);
    expect(lossLines({ chance: 0.1 }, { loss: 30, chance: 0.1 }).at(-1)).toBe(
      'The chance to win the match fell by 10 percentage points: that is as much as 30 points at the start of a match.',
    );
    expect(lossLines({}, { loss: 30 }).at(-1)).toBe(
      'At this score, the whole loss is worth as much as 30 points at the start of a match.',
    );
  });
});

describe('points with their sign', () => {
  it('have one order, also in a line from right to left', () => {
    expect([signed(4.24), signed(-98), signedWithHalf(23, 15)]).toEqual([
      '+4.2',
      '−98',
      '+23\u00a0±\u00a015',
    ]);
    locale = 'fa';
    const bare = (text: string): string => text.replace(/[\u200e\u2066\u2069]/g, '');
    for (const text of [signed(4.24), signed(-98), signedWithHalf(23, 15), withHalf(23, 15)])
      expect(text).toMatch(/^\u2066.*\u2069$/);
    expect(bare(signedWithHalf(23, 15))).toBe('+۲۳\u00a0±\u00a0۱۵');
    locale = 'en';
  });
});

describe('points with their interval', () => {
  it('have as many decimals', () => {
    expect(withHalf(14, 3.8)).toBe('14\u00a0±\u00a04');
    expect(withHalf(5, 3.24)).toBe('5.0\u00a0±\u00a03.2');
    expect(withHalf(9.94, 12.3)).toBe('9.9\u00a0±\u00a012.3');
    expect(signedWithHalf(-13.6, 7.5)).toBe('−14\u00a0±\u00a08');
    expect([withHalf(14, 0.4), withHalf(5, 0.04), withHalf(5, null)]).toEqual(['14', '5', '5']);
    expect([withHalf(14.4, 13.6), withHalf(3.14, 3.12), withHalf(3.14, 3.15)]).toEqual([
      '14\u00a0±\u00a013',
      '3.1\u00a0±\u00a03.0',
      '3.1\u00a0±\u00a03.1',
    ]);
    expect([signedWithHalf(-3.14, 3.12), withHalf(0.12, 0.11)]).toEqual(['−3.1\u00a0±\u00a03.0', '0.1']);
    locale = 'de';
    expect(withHalf(5, 3.24)).toBe('5,0\u00a0±\u00a03,2');
    locale = 'en';
  });
});

describe('the review of another player', () => {
  it('has the name where the viewer is addressed', () => {
    const story = (
      name: EventRate['name'],
      who: string | null,
      others: LossWhy['others'] = 'opponent',
    ): string => {
      const change = { name, played: 0.3, best: 0.4, error: 0.01 };
      return plainText(storyParts({ change, why: { ...verdict({}).why!, others } }, who));
    };
    expect(story('out', null, 'side')).toBe(
      'Your side goes out in 30% of deals; after the best play in 40%.',
    );
    expect(story('out', 'Ada', 'side')).toBe(
      'Ada’s side goes out in 30% of deals; after the best play in 40%.',
    );
    expect(story('out', null)).toBe('You go out in 30% of deals; after the best play in 40%.');
    expect(story('out', 'Ada')).toBe('Ada goes out in 30% of deals; after the best play in 40%.');
    for (const language of ['de', 'en', 'es', 'fa', 'fr'] as const) {
      locale = language;
      for (const name of ['out', 'at_once'] as const) {
        expect(story(name, 'Ada')).toContain('Ada');
        expect(story(name, null)).not.toBe(story(name, 'Ada'));
      }
      for (const name of ['next_takes', 'took_back', 'other_out', 'other_gets'] as const)
        expect(story(name, null)).toBe(story(name, 'Ada'));
    }
    locale = 'en';
  });
});

describe('a plan', () => {
  const line = (name: 'hold' | 'race' | 'wait', best: number, played: number): string =>
    plainText(storyParts({ plan: { name, best, played, cards: [], message: '' } }));
  it('has both rates, but where it is impossible otherwise', () => {
    expect([line('hold', 0.9, 0.57), line('hold', 0.9, 0), line('race', 0.9, 0), line('wait', 1, 0)]).toEqual(
      [
        'Hold everything back and go out with all at once: works in 90% of deals, otherwise in 57%.',
        'Hold everything back and go out with all at once: works in 90% of deals.',
        'Play to go out first: works in 90% of deals.',
        'Play for the end of the stock: nobody goes out in 100% of deals.',
      ],
    );
  });
  it('says never and always only of what is exact', () => {
    const sentence = (name: ReviewPlan['name'], best: number, played: number): string =>
      plainText(storyParts({ plan: { name, best, played, cards: ['5H', 'KD'], message: '' } }));
    expect(sentence('lay', 0.1, 1)).toBe(
      'Lay now: otherwise 5♥ or K♦ is left in the hand at the end every time.',
    );
    expect(sentence('deny', 0, 0.6)).toMatch(
      / never takes from the pile at once, otherwise in 60% of deals\.$/,
    );
    expect(sentence('bury', 0, 0.7)).toBe(
      'Throw 5♥: no opponent takes it, but one takes K♦ in 70% of deals.',
    );
    expect(sentence('bury', 0.001, 0.7)).toBe(
      'Throw 5♥: an opponent takes it in 1% of deals, and K♦ in 70%.',
    );
    expect(sentence('wait', 0.997, 0.2)).toMatch(/in 99% of deals, otherwise in 20%\.$/);
  });
  it('that always works has no rates in any language', () => {
    for (const language of ['de', 'en', 'es', 'fa', 'fr'] as const) {
      locale = language;
      for (const name of ['hold', 'race'] as const) expect(line(name, 1, 0)).not.toMatch(/[%٪]/);
    }
    locale = 'en';
    expect(line('race', 1, 0)).toBe('Play to go out first: after the best play that works every time.');
  });
});

describe('a chance that was lost', () => {
  it('is given in percentage points in every language', () => {
    const why = { ...verdict({}).why!, code: 'why.match' as const, chance: 0.0571 };
    const lost = verdict({ why, chance: 0.0571 });
    const sentences = (['en', 'de', 'es', 'fr', 'fa'] as const).map((language) => {
      locale = language;
      return plainText(reasonText(lost)!.fact);
    });
    expect(sentences).toEqual([
      'Discarding 5♠ lowered the chance to win the match by 5.7 percentage points.',
      '5♠ abwerfen: Das senkte die Aussicht, die Partie zu gewinnen, um 5,7 Prozentpunkte.',
      expect.stringMatching(/ en 5,7 puntos porcentuales\.$/),
      expect.stringMatching(/ de 5,7 points de pourcentage\.$/),
      expect.stringMatching(/۵٫۷ واحد درصد/),
    ]);
    locale = 'de';
    expect(lossText(verdict({ why: { ...why, chance: 0.01 } }))).toEqual({
      value: '−1',
      unit: 'Prozentpunkt',
    });
    locale = 'en';
    expect(lossText(lost)).toEqual({ value: '−5.7', unit: 'percentage points' });
    expect(lossText(verdict({}))).toEqual({ value: '−14\u00a0±\u00a03', unit: '' });
  });
});

describe('a lay-off that could also go elsewhere', () => {
  const lay = (on: string[]): string => plainText(playParts({ ...discard('7C', '1'), kind: 'lay', on }));

  it('names its meld', () => {
    expect(lay([])).toBe('Lay off 7♣');
    expect(lay(['7S', '7H', '7D'])).toBe('Lay off 7♣ on 7♠ 7♥ 7♦');
    expect(lay(['2C', '3C', '4C', '5C', '6C'])).toBe('Lay off 7♣ on 2♣ … 6♣');
  });
});

describe('the spoken text of a marked decision', () => {
  it('has mark, play, cost with its interval and reason', () => {
    expect(markSpoken('mistake', verdict({}))).toBe(
      'Mistake. Discarding 5 of spades cost 14\u00a0±\u00a03 points. It is hard to say why: many small things.',
    );
    expect(markSpoken('found', verdict({ mark: 'good', loss: 0, why: null }))).toBe(
      'Good find. Discard 5 of spades. Better than what a club bot would have done.',
    );
  });
});

describe('what a decision cost', () => {
  const BOUNDS = [4, 10, 21];

  it('is given only if it differs from zero', () => {
    const cost = (more: Partial<ReviewVerdict>): string => costText(verdict({ why: null, ...more }), BOUNDS);
    expect(cost({ mark: 'mistake', loss: 14, low: 9, high: 19 })).toBe('cost 14\u00a0±\u00a05 points');
    expect(cost({ mark: 'good', loss: 2, low: 1, high: 3 })).toBe('cost 2.0\u00a0±\u00a01.0 points');
    expect(cost({ mark: 'good', loss: 2, low: 0, high: 5 })).toBe(
      'as good as the best, as far as can be told',
    );
    expect(cost({ mark: 'good', loss: 12, low: 0, high: 26 })).toBe(
      'too close to tell (12\u00a0±\u00a013 points)',
    );
    expect(cost({ mark: 'good', loss: 0, low: 0, high: 0 })).toBe('as good as the best');
    expect(cost({ mark: 'decided', loss: 5, low: 4, high: 6 })).toBe('–');
  });

  it('is in the unit of the mark, and so are the bars', () => {
    const why = { ...verdict({}).why!, points: 28, half: 14, chance: 0.08 };
    const late = verdict({ loss: 79, low: 45, high: 113, chance: 0.08, why });
    expect(costText(late, BOUNDS)).toBe('lowered the chance to win the match by 8 percentage points');
    expect(barsLabel(late)).toBe('Points at the start of a match, compared with the play that was made');
    expect(barsLabel(verdict({}))).toBe('Points compared with the play that was made');
  });
});

describe('half the width of an interval', () => {
  it('never reaches zero after a loss whose interval is above zero', () => {
    expect(halfOf({ loss: 3.8, low: 0.5, high: 9 })).toBeCloseTo(3.3);
    expect(halfOf({ loss: 9, low: 5, high: 15 })).toBe(5);
    expect(halfOf({ loss: 2, low: -1, high: 6 })).toBe(3.5);
  });
});
