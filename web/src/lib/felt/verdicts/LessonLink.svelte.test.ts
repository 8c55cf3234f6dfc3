import { render, screen } from '@testing-library/svelte';
import { describe, expect, it } from 'vitest';

import LessonLink from './LessonLink.svelte';

const shown = (name: 'salt' | 'bury' | 'race') =>
  render(LessonLink, { verdict: { plan: { name, cards: [], played: 0, best: 0.6, message: '' } } });

describe('the link from a verdict to a lesson', () => {
  it('leads to the lesson about the plan of the better play', () => {
    shown('salt');
    const link = screen.getByRole('link', { name: 'Lesson: Bait on the pile' });
    expect(link.getAttribute('href')).toBe('/lessons/salt');
    shown('bury');
    expect(screen.getByRole('link', { name: /collects/ }).getAttribute('href')).toBe('/lessons/collect');
  });

  it('is left out if no lesson is about the plan', () => {
    shown('race');
    expect(screen.queryByRole('link')).toBeNull();
  });
});
