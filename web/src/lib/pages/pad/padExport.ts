/** The score sheet for others: as text, as a table, as a picture and as a link. */
import { m } from '$lib/paraglide/messages';

import { BASE } from '$lib/net/base';
import { profileTitle } from '$lib/text/profiles';
import { num } from '$lib/text/sentences';
import { pad, readSheet, type Sheet } from './padStore.svelte';

interface Table {
  title: string;
  head: string[];
  /** A row for each deal: its number, the points, the totals. */
  rows: { deal: number; points: number[]; totals: number[] }[];
  /** The final totals, if the match is over. */
  final: number[] | null;
}

function table(): Table {
  const { rows, end } = pad.result;
  const accounts = Array.from({ length: pad.rules!.sides || pad.setup!.names.length }, (_, at) =>
    pad.account(at),
  );
  return {
    title: profileTitle(pad.setup!.profile),
    head: accounts,
    rows: rows.map((row, at) => ({ deal: at + 1, ...row })),
    final: end?.final ?? null,
  };
}

/** Return the sheet as text: a line for each deal with the totals and the points. */
export function asText(): string {
  const { title, head, rows, final } = table();
  const line = (label: string, values: string[]) =>
    `${label}: ${head.map((name, at) => `${name} ${values[at]}`).join(', ')}`;
  const signed = (value: number): string => (value < 0 ? num(value) : `+${num(value)}`);
  return [
    title,
    ...rows.map(({ deal, points, totals }) =>
      line(
        m.words_deal_title({ n: num(deal) }),
        totals.map((total, at) => `${num(total)} (${signed(points[at]!)})`),
      ),
    ),
    ...(final ? [line(m.pages_sheet_total(), final.map(num))] : []),
  ].join('\n');
}

/** Return a cell of a table as CSV. A text that a spreadsheet would calculate begins with an apostrophe. */
export function csvCell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Return the sheet as CSV: for each deal the points, then the totals. */
export function asCsv(): string {
  const { head, rows, final } = table();
  const names = head.map(csvCell);
  const lines = [
    ['deal', ...names, ...names.map((_, at) => csvCell(`${head[at]} total`))],
    ...rows.map(({ deal, points, totals }) => [deal, ...points, ...totals]),
    ...(final ? [['total', ...head.map(() => ''), ...final]] : []),
  ];
  return lines.map((line) => line.join(',')).join('\r\n') + '\r\n';
}

const COLUMN = 130;
const LINE = 44;

/** Return the sheet as a picture. */
export function asPicture(): Promise<Blob | null> {
  const { title, head, rows, final } = table();
  const [width, height] = [90 + COLUMN * head.length, LINE * (rows.length + 3 + (final ? 1 : 0))];
  const canvas = Object.assign(document.createElement('canvas'), { width: 2 * width, height: 2 * height });
  const pen = canvas.getContext('2d')!;
  pen.scale(2, 2);
  pen.fillStyle = '#fdf9ee';
  pen.fillRect(0, 0, width, height);
  pen.fillStyle = '#1b2730';
  pen.textBaseline = 'middle';
  const write = (text: string, x: number, y: number, size: number, most: number, end = true): void => {
    pen.font = `${size > 16 ? 'bold ' : ''}${size}px system-ui, sans-serif`;
    pen.textAlign = end ? 'right' : 'left';
    pen.fillText(text, x, y, most);
  };
  const right = (at: number): number => 80 + COLUMN * (at + 1);
  write(title, 12, LINE / 2, 20, width - 24, false);
  head.forEach((name, at) => write(name, right(at), 1.5 * LINE, 16, COLUMN - 8));
  rows.forEach(({ deal, points, totals }, row) => {
    const y = (row + 2.5) * LINE;
    write(num(deal), 12, y, 16, 60, false);
    totals.forEach((total, at) => {
      write(num(total), right(at), y - 8, 18, COLUMN - 8);
      write(num(points[at]!), right(at), y + 11, 12, COLUMN - 8);
    });
  });
  if (final) {
    const y = (rows.length + 2.5) * LINE;
    write(m.pages_sheet_total(), 12, y, 16, 70, false);
    final.forEach((total, at) => write(num(total), right(at), y, 20, COLUMN - 8));
  }
  return new Promise((done) => canvas.toBlob(done, 'image/png'));
}

/** Return a link that holds the whole sheet; the part after `#` is not sent to any server. */
export const asLink = async (): Promise<string> =>
  `${location.origin}${BASE}/pad#${PACKED}${await packedSheet()}`;

/** Return the sheet, compressed, in characters that an address may have. */
export async function packedSheet(): Promise<string> {
  const packed = await through(
    new CompressionStream('deflate-raw'),
    new TextEncoder().encode(JSON.stringify(pad.sheet)),
  );
  const text = btoa(Array.from(packed!, (byte) => String.fromCharCode(byte)).join(''));
  return text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/** How the part of a packed sheet begins. */
const PACKED = '.';
const MOST = 200_000;

/** Return the sheet in the part of an address after `#`; null if it is none, or not whole. */
export async function fromLink(hash: string): Promise<Sheet | null> {
  if (hash.length > MOST) return null;
  try {
    const [, packed, text = ''] = /^#?(\.?)(.*)$/.exec(hash) ?? [];
    const bytes = Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (char) =>
      char.charCodeAt(0),
    );
    const found = packed ? await through(new DecompressionStream('deflate-raw'), bytes) : bytes;
    return found && readSheet(JSON.parse(new TextDecoder().decode(found)));
  } catch {
    return null;
  }
}

/** Return bytes as a stream changes them; null if there are too many. */
async function through(
  stream: CompressionStream | DecompressionStream,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<Uint8Array | null> {
  const parts: Uint8Array[] = [];
  let size = 0;
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    parts.push(read.value);
    size += read.value.length;
    if (size > MOST) {
      await reader.cancel();
      return null;
    }
  }
  return new Uint8Array(await new Blob(parts as Uint8Array<ArrayBuffer>[]).arrayBuffer());
}
