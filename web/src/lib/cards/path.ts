/** Path data of the commands M, L, H, V, C and Z, moved and scaled; a negative scale turns it by half a turn. */
export function placed(data: string, x: number, y: number, scale = 1): string {
  return data.replace(/([MLHVC])([^A-Z]*)/g, (_, command: string, numbers: string) => {
    let vertical = command === 'V';
    const moved = (numbers.match(/-?(?:\d+\.?\d*|\.\d+)/g) ?? []).map((number) => {
      const value = Number(number) * scale + (vertical ? y : x);
      if (command !== 'H' && command !== 'V') vertical = !vertical;
      return Math.round(value * 100) / 100;
    });
    return command + moved.join(' ');
  });
}

/** A circle of cubic curves, because `placed` does not support arcs. */
export function circle(x: number, y: number, rx: number, ry = rx): string {
  const [a, b] = [rx * 0.5523, ry * 0.5523];
  return (
    `M${x} ${y - ry}C${x + a} ${y - ry} ${x + rx} ${y - b} ${x + rx} ${y}` +
    `C${x + rx} ${y + b} ${x + a} ${y + ry} ${x} ${y + ry}` +
    `C${x - a} ${y + ry} ${x - rx} ${y + b} ${x - rx} ${y}` +
    `C${x - rx} ${y - b} ${x - a} ${y - ry} ${x} ${y - ry}Z`
  );
}

/** A star of `points` points around (x, y), its first point upward. */
export function star(x: number, y: number, outer: number, inner: number, points = 8): string {
  const corners = Array.from({ length: 2 * points }, (_, i) => {
    const [angle, radius] = [(i * Math.PI) / points, i % 2 ? inner : outer];
    return `${round(x + radius * Math.sin(angle))} ${round(y - radius * Math.cos(angle))}`;
  });
  return `M${corners.join('L')}Z`;
}

const round = (value: number): number => Math.round(value * 100) / 100;
