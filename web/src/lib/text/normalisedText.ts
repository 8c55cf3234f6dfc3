/** The plain form of typed text, by the rules of the server's own reader: `src/rum500/normalised_text.py`. */

const DIGIT = /\p{Nd}/u;

/** Return the value of a decimal digit of any script. Unicode has them in rows of ten, zero first. */
function decimal(digit: string): string {
  const code = digit.codePointAt(0)!;
  let before = 0;
  while (DIGIT.test(String.fromCodePoint(code - before - 1))) before += 1;
  return String(before % 10);
}

function plainOf(char: string): string {
  if (char <= '\x7f') return char;
  if (DIGIT.test(char)) return decimal(char);
  if (/[\p{Pd}\u2212]/u.test(char)) return '-';
  if (/[\p{Cf}\ufe00-\ufe0f]/u.test(char)) return '';
  if (/[\s\u0085]/.test(char)) return ' ';
  return char.normalize('NFKC');
}

/**
 * Return a typed text in plain form, with narrow letters, the digits 0 to 9, hyphens and spaces, and without invisible
 * characters; and where each of its characters is in the text.
 */
export function plainForm(text: string): { plain: string; at: number[] } {
  let plain = '';
  const at: number[] = [];
  for (let index = 0; index < text.length;) {
    const char = String.fromCodePoint(text.codePointAt(index)!);
    for (const unit of plainOf(char).split('')) {
      plain += unit;
      at.push(index);
    }
    index += char.length;
  }
  return { plain, at };
}
