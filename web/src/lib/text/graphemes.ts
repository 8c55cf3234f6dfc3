/** Letters as people see them: an emoji, a flag or an accented letter is one, however many code points it has. */
import { getLocale } from '$lib/paraglide/runtime';

// Firefox before 125 has no Segmenter: there a flag is two letters.
const segmenter = 'Segmenter' in Intl ? new Intl.Segmenter(undefined, { granularity: 'grapheme' }) : null;

/** Return the letters of a text. */
export function graphemes(text: string): string[] {
  return segmenter ? Array.from(segmenter.segment(text), ({ segment }) => segment) : [...text];
}

/** Return a text whose first letter is a capital in the page's language, whatever the browser's language is. */
export function capitalized(text: string): string {
  const first = graphemes(text)[0] ?? '';
  return first.toLocaleUpperCase(getLocale()) + text.slice(first.length);
}

/** Return the first letter of a name as a capital; letters whose capital is two letters, such as `ß`, stay. */
export function initial(name: string): string {
  const first = graphemes(name.trim())[0] ?? '';
  const capital = first.toLocaleUpperCase(getLocale());
  return graphemes(capital).length === 1 ? capital : first;
}

/** Return the first `most` letters of a text and an ellipsis, or the whole text if it is not longer. */
export function shortened(text: string, most: number): string {
  const letters = graphemes(text);
  return letters.length > most ? `${letters.slice(0, most - 1).join('')}…` : text;
}
