/** QR codes of links (ISO/IEC 18004): bytes, the least correction of errors, versions 1 to 30. */

/** By version from 1: the bytes of correction in a block, and the number of blocks. */
const CORRECTION = [
  7, 10, 15, 20, 26, 18, 20, 24, 30, 18, 20, 24, 26, 30, 22, 24, 28, 30, 28, 28, 28, 28, 30, 30, 26, 28, 30,
  30, 30, 30,
];
const BLOCKS = [
  1, 1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4, 4, 6, 6, 6, 6, 7, 8, 8, 9, 9, 10, 12, 12, 12, 13, 14, 15,
];
const LEVEL = 1;

/** Where each mask inverts a module. */
const MASKS: ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];

/** Return the modules of a text's QR code, row by row; null if the text is too long. By default the best mask. */
export function qrCode(text: string, mask?: number): boolean[][] | null {
  const bytes = new TextEncoder().encode(text);
  const version =
    CORRECTION.findIndex((_, at) => headerBits(at + 1) + 8 * bytes.length <= 8 * capacity(at + 1)) + 1;
  if (!version) return null;
  const words = interleaved(version, dataWords(version, bytes));
  if (mask !== undefined) return draw(version, words, mask);
  const drawn = MASKS.map((_, one) => draw(version, words, one));
  const costs = drawn.map(penalty);
  return drawn[costs.indexOf(Math.min(...costs))]!;
}

const headerBits = (version: number): number => 4 + (version < 10 ? 8 : 16);

/** The number of bytes of a version, correction included. */
function rawBytes(version: number): number {
  let modules = (16 * version + 128) * version + 64;
  if (version > 1) {
    const marks = Math.floor(version / 7) + 2;
    modules -= (25 * marks - 10) * marks - 55;
    if (version > 6) modules -= 36;
  }
  return Math.floor(modules / 8);
}
const capacity = (version: number): number =>
  rawBytes(version) - CORRECTION[version - 1]! * BLOCKS[version - 1]!;

function dataWords(version: number, bytes: Uint8Array): number[] {
  const bits: number[] = [];
  const put = (value: number, count: number): void => {
    for (let at = count - 1; at >= 0; at--) bits.push((value >>> at) & 1);
  };
  put(4, 4);
  put(bytes.length, headerBits(version) - 4);
  for (const byte of bytes) put(byte, 8);
  put(0, Math.min(4, 8 * capacity(version) - bits.length));
  put(0, (8 - (bits.length % 8)) % 8);
  for (let pad = 0xec; bits.length < 8 * capacity(version); pad ^= 0xec ^ 0x11) put(pad, 8);
  return Array.from({ length: bits.length / 8 }, (_, at) =>
    bits.slice(8 * at, 8 * at + 8).reduce((word, bit) => 2 * word + bit, 0),
  );
}

/** Return the data with its correction, in the order in which it is drawn. */
function interleaved(version: number, data: number[]): number[] {
  const [blocks, correction] = [BLOCKS[version - 1]!, CORRECTION[version - 1]!];
  const short = Math.floor(data.length / blocks);
  const long = data.length % blocks;
  const parts: number[][] = [];
  for (let at = 0, from = 0; at < blocks; at++) {
    const size = short + (at >= blocks - long ? 1 : 0);
    parts.push(data.slice(from, (from += size)));
  }
  const divisor = divisorOf(correction);
  const checks = parts.map((part) => remainder(part, divisor));
  const columns = (rows: number[][]): number[] =>
    Array.from({ length: Math.max(...rows.map((row) => row.length)) }).flatMap((_, at) =>
      rows.flatMap((row) => row[at] ?? []),
    );
  return [...columns(parts), ...columns(checks)];
}

function times(x: number, y: number): number {
  let product = 0;
  for (let at = 7; at >= 0; at--)
    product = (product << 1) ^ ((product >>> 7) * 0x11d) ^ (((y >>> at) & 1) * x);
  return product;
}

function divisorOf(degree: number): number[] {
  const found = [...Array<number>(degree - 1).fill(0), 1];
  for (let root = 1, at = 0; at < degree; at++, root = times(root, 2))
    for (let one = 0; one < degree; one++)
      found[one] = times(found[one]!, root) ^ (one + 1 < degree ? found[one + 1]! : 0);
  return found;
}

function remainder(data: number[], divisor: number[]): number[] {
  const found = divisor.map(() => 0);
  for (const byte of data) {
    const factor = byte ^ found.shift()!;
    found.push(0);
    divisor.forEach((one, at) => (found[at]! ^= times(one, factor)));
  }
  return found;
}

/** Return the remainder of a value's bits, as formats and versions have it. */
function coded(value: number, bits: number, generator: number): number {
  let rest = value;
  for (let at = 0; at < bits; at++) rest = (rest << 1) ^ ((rest >>> (bits - 1)) * generator);
  return (value << bits) | rest;
}

function alignment(version: number, size: number): number[] {
  if (version === 1) return [];
  const marks = Math.floor(version / 7) + 2;
  const step = Math.ceil((version * 4 + 4) / (marks * 2 - 2)) * 2;
  return [6, ...Array.from({ length: marks - 1 }, (_, at) => size - 7 - step * (marks - 2 - at))];
}

function draw(version: number, words: number[], mask: number): boolean[][] {
  const size = version * 4 + 17;
  const cells: (boolean | undefined)[][] = Array.from({ length: size }, () => Array(size).fill(undefined));
  const set = (x: number, y: number, dark: boolean): void => {
    if (x >= 0 && y >= 0 && x < size && y < size) cells[y]![x] = dark;
  };
  const square = (x: number, y: number, reach: number, dark: (distance: number) => boolean): void => {
    for (let dy = -reach; dy <= reach; dy++)
      for (let dx = -reach; dx <= reach; dx++)
        set(x + dx, y + dy, dark(Math.max(Math.abs(dx), Math.abs(dy))));
  };
  for (let at = 0; at < size; at++) {
    set(6, at, at % 2 === 0);
    set(at, 6, at % 2 === 0);
  }
  const finder = (distance: number): boolean => distance !== 2 && distance !== 4;
  square(3, 3, 4, finder);
  square(size - 4, 3, 4, finder);
  square(3, size - 4, 4, finder);
  const marks = alignment(version, size);
  const last = marks.length - 1;
  marks.forEach((x, i) =>
    marks.forEach((y, j) => {
      const corner = (i === 0 && j === 0) || (i === 0 && j === last) || (i === last && j === 0);
      if (!corner) square(x, y, 2, (distance) => distance !== 1);
    }),
  );
  const format = coded((LEVEL << 3) | mask, 10, 0x537) ^ 0x5412;
  const bit = (value: number, at: number): boolean => ((value >>> at) & 1) === 1;
  for (let at = 0; at < 15; at++) {
    const dark = bit(format, at);
    if (at < 8) set(8, at < 6 ? at : at + 1, dark);
    else set(at === 8 ? 7 : 14 - at, 8, dark);
    if (at < 8) set(size - 1 - at, 8, dark);
    else set(8, size - 15 + at, dark);
  }
  set(8, size - 8, true);
  if (version > 6) {
    const bits = coded(version, 12, 0x1f25);
    for (let at = 0; at < 18; at++) {
      const [far, near] = [size - 11 + (at % 3), Math.floor(at / 3)];
      set(far, near, bit(bits, at));
      set(near, far, bit(bits, at));
    }
  }
  let next = 0;
  for (let right = size - 1; right > 0; right -= 2) {
    if (right === 6) right = 5;
    for (let step = 0; step < size; step++)
      for (const x of [right, right - 1]) {
        const y = ((right + 1) & 2) === 0 ? size - 1 - step : step;
        if (cells[y]![x] !== undefined) continue;
        const dark = next < 8 * words.length && bit(words[next >>> 3]!, 7 - (next & 7));
        next++;
        cells[y]![x] = dark !== MASKS[mask]!(x, y);
      }
  }
  return cells as boolean[][];
}

/** How hard a code is to read: long rows and blocks of one colour, and a wrong share of dark modules. */
function penalty(cells: boolean[][]): number {
  const size = cells.length;
  let [cost, dark] = [0, 0];
  const rows = [...cells, ...cells.map((_, x) => cells.map((row) => row[x]!))];
  for (const row of rows)
    for (let at = 0, same = 0; at < size; at++) {
      same = at && row[at] === row[at - 1] ? same + 1 : 1;
      cost += same === 5 ? 3 : same > 5 ? 1 : 0;
    }
  for (let y = 0; y < size; y++)
    for (let x = 0; x < size; x++) {
      const one = cells[y]![x]!;
      if (one) dark++;
      if (x && y && one === cells[y]![x - 1] && one === cells[y - 1]![x] && one === cells[y - 1]![x - 1])
        cost += 3;
    }
  return cost + 10 * Math.floor(Math.abs(20 * dark - 10 * size * size) / (size * size));
}
