/** The result of a day for others: as text and as a picture. Neither shows a card, a plan or a turn. */
import { m } from '$lib/paraglide/messages';

import { inLanguage } from '$lib/net/api';
import { BASE } from '$lib/net/base';
import type { DayResult } from '$lib/net/protocol';
import { num } from '$lib/text/cards';
import { dayName } from '$lib/text/time';
import { profileTitle } from '$lib/text/profiles';
import { dotsOf } from './dots';
import { dayClub, dayPlace } from './dayText';

/** From this number of players on the place is shown in tenths. */
const TENTHS_FROM = 21;
const TENTHS = 10;

/** Return the place as a row of circles, the best at the end: `○○●○`. */
export function placeRow(place: number, played: number): string {
  const marks = played < TENTHS_FROM ? played : TENTHS;
  const behind = played - place;
  const at = played < TENTHS_FROM ? behind : Math.min(TENTHS - 1, Math.floor((behind / played) * TENTHS));
  return Array.from({ length: marks }, (_, mark) => (mark === at ? '●' : '○')).join('');
}

export const dayAddress = (day: string): string => inLanguage(`${location.origin}${BASE}/day/${day}`);

const clubOf = ({ bots }: DayResult): number | null =>
  bots.find(({ level }) => level === 'club')?.mean ?? null;

const title = ({ number }: DayResult): string => `${m.day_card_title()} ${num(number)}`;

/** Return the lines of the result without its address. */
export function shareLines(result: DayResult): string[] {
  const { points, place, played, streak } = result;
  const club = clubOf(result);
  return [
    `rum500${m.words_between()}${title(result)}`,
    [dayName(result.day), profileTitle(result.profile, result.title)].join(m.words_between()),
    [
      ...(points === null ? [] : [m.words_points({ count: points, n: num(points) })]),
      ...(place === null ? [] : [dayPlace(place, played)]),
    ].join(m.words_between()),
    ...(club === null ? [] : [dayClub(club)]),
    ...(place === null || played < 2 ? [] : [placeRow(place, played)]),
    ...(streak ? [m.day_card_streak({ count: streak, n: num(streak) })] : []),
  ];
}

export const shareText = (result: DayResult, address: string): string =>
  [...shareLines(result), address].join('\n');

export const PICTURE = { width: 1200, height: 630 };
const EDGE = 64;
const COLORS = {
  felt: '#d2e5de',
  felt2: '#c3dad3',
  ink: '#14232b',
  mut: '#40535a',
  own: '#14505a',
  band: '#fdf9ee',
};
const FONT = "-apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Liberation Sans', sans-serif";

/** Return the result as a picture of 1200 by 630 pixels, which messengers show whole. */
export function sharePicture(result: DayResult, right = false): Promise<Blob | null> {
  const { width, height } = PICTURE;
  const canvas = Object.assign(document.createElement('canvas'), PICTURE);
  const pen = canvas.getContext('2d')!;
  const ground = pen.createLinearGradient(0, 0, 0, height);
  ground.addColorStop(0, COLORS.felt);
  ground.addColorStop(1, COLORS.felt2);
  pen.fillStyle = ground;
  pen.fillRect(0, 0, width, height);
  pen.direction = right ? 'rtl' : 'ltr';
  const [start, end] = right ? [width - EDGE, EDGE] : [EDGE, width - EDGE];
  const write = (
    text: string,
    x: number,
    y: number,
    size: number,
    weight: number,
    color = COLORS.ink,
    to = false,
  ) => {
    pen.font = `${weight} ${size}px ${FONT}`;
    pen.fillStyle = color;
    pen.textAlign = to ? 'end' : 'start';
    pen.fillText(text, x, y);
  };
  write('rum500', start, 104, 56, 700);
  write(title(result), end, 100, 38, 500, COLORS.mut, true);
  const points = result.points === null ? '–' : num(result.points);
  write(points, start, 262, 150, 700);
  pen.font = `700 150px ${FONT}`;
  const beside = start + (pen.measureText(points).width + 40) * (right ? -1 : 1);
  const club = clubOf(result);
  if (result.place !== null) write(dayPlace(result.place, result.played), beside, 205, 52, 700);
  if (club !== null) write(dayClub(club), beside, 258, 36, 500, COLORS.mut);
  drawDots(pen, result);
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/png'));
}

function drawDots(pen: CanvasRenderingContext2D, result: DayResult): void {
  const [left, base, top] = [EDGE, 540, 320];
  const width = PICTURE.width - 2 * EDGE;
  const columns = 44;
  const club = result.bots.find(({ level }) => level === 'club');
  const drawn = dotsOf(result.counts, result.points, club ? [club.low, club.high] : [], columns);
  const x = (value: number) => left + ((value - drawn.low) / (drawn.high - drawn.low)) * width;
  if (club) {
    pen.fillStyle = COLORS.band;
    pen.beginPath();
    pen.roundRect(x(club.low), top, Math.max(3, x(club.high) - x(club.low)), base - top, 16);
    pen.fill();
    pen.strokeStyle = COLORS.ink;
    pen.lineWidth = 4;
    pen.setLineDash([10, 8]);
    pen.beginPath();
    pen.moveTo(x(club.mean), top);
    pen.lineTo(x(club.mean), base);
    pen.stroke();
    pen.setLineDash([]);
  }
  pen.strokeStyle = COLORS.mut;
  pen.lineWidth = 3;
  pen.beginPath();
  pen.moveTo(left, base);
  pen.lineTo(left + width, base);
  pen.stroke();
  const cell = width / columns;
  const radius = 11;
  for (const dot of drawn.dots) {
    pen.fillStyle = dot.own ? COLORS.own : '#8a9da0';
    pen.beginPath();
    const size = dot.own ? radius + 4 : radius;
    pen.arc(
      left + (dot.column + 0.5) * cell,
      base - 8 - size - dot.row * (2 * radius + 2),
      size,
      0,
      2 * Math.PI,
    );
    pen.fill();
  }
  pen.fillStyle = COLORS.mut;
  pen.font = `500 28px ${FONT}`;
  pen.textAlign = 'center';
  for (const tick of drawn.ticks) pen.fillText(num(tick), x(tick), base + 44);
}
