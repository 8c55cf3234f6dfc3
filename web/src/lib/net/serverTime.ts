/** The server's clock. Times that the server sends are compared with it, because a visitor's clock may be wrong. */

let ahead = 0;

/** Take the time of an answer from the server, which its header `Date` has in whole seconds. */
export function noteServerTime(answer: Response): void {
  const sent = Date.parse(answer.headers.get('date') ?? '');
  // An answer of a cache is as old as its `Age`; a small difference comes from the header's rounding and the answer's way.
  const off = sent + Number(answer.headers.get('age') ?? 0) * 1000 - Date.now();
  if (Number.isFinite(off)) ahead = Math.abs(off) < 2_000 ? 0 : off;
}

/** The milliseconds since 1970 by the server's clock. */
export const serverNow = (): number => Date.now() + ahead;
