/** What a lesson is called, what it says, and the sentence to remember. */
import { m } from '$lib/paraglide/messages';

import type { LessonInfo } from '$lib/net/protocol';
import { num } from '$lib/text/sentences';

export const lessonTitle = (lesson: string): string => m.lessons_name({ lesson });

/** Return the sentence to remember. */
export const lessonMoral = (lesson: string): string => m.lessons_moral({ lesson });

/** Return the sentence of a step. */
export const stepSentence = (lesson: string, say: string): string => m.lessons_say({ lesson, say });

/** Return why the lesson is right, with the figures that were measured. */
export const lessonReason = ({ name, best, other, points }: LessonInfo): string =>
  m.lessons_why({ lesson: name, best: num(best), other: num(other), points: num(points) });
