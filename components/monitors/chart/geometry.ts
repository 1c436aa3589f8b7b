/** The drawing is a box of these units, stretched over the place it has. */
export const BOX = { width: 1000, height: 100 } as const;

/** Where a scale of milliseconds ends, and its lines: from 0 in steps of 1, 2, 2.5 or 5 times a power of ten, at most five. */
export function niceScale(highest: number): { top: number; ticks: number[] } {
  const least = Math.max(highest, 4) / 4;
  const power = 10 ** Math.floor(Math.log10(least));
  const step = [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((each) => each >= least) ?? least;
  const steps = Math.max(1, Math.ceil(highest / step));
  return { top: steps * step, ticks: Array.from({ length: steps + 1 }, (_, index) => index * step) };
}

/** The middle of a bucket, as a share of the width. */
export function middleOf(bucket: number, count: number): number {
  return (bucket + 0.5) / count;
}

/** A line through values, each in the middle of its bucket, broken where there is none; `top` touches the upper edge. */
export function linePath(values: readonly (number | null)[], top: number): string {
  return values
    .map((value, index) => {
      if (value === null) return '';
      const x = round(middleOf(index, values.length) * BOX.width);
      const y = round((1 - value / top) * BOX.height);
      const isStart = (values[index - 1] ?? null) === null;
      const isAlone = isStart && (values[index + 1] ?? null) === null;
      // A line without length would not be drawn.
      return `${isStart ? 'M' : 'L'}${x} ${y}${isAlone ? 'h0.1' : ''}`;
    })
    .join('');
}

/** A bar up from the lower edge for every share above 0; a whole one is `height` units high. */
export function barsPath(shares: readonly number[], height: number): string {
  const width = BOX.width / shares.length;
  return shares
    .map((share, index) => {
      if (share <= 0) return '';
      // Seldom is still to be seen.
      const tall = round(Math.max(share, 0.2) * height);
      return `M${round(index * width)} ${BOX.height}v-${tall}h${round(width)}v${tall}z`;
    })
    .join('');
}

/** The part of the box, from its left edge, that a stretch of time takes; null where it lies outside. */
export function placeOf(
  stretch: { from: number; to: number },
  frame: { from: number; to: number },
): { x: number; width: number } | null {
  const share = (at: number) => (at - frame.from) / (frame.to - frame.from);
  const [start, end] = [Math.max(0, share(stretch.from)), Math.min(1, share(stretch.to))];
  if (end <= start) return null;
  return { x: round(start * BOX.width), width: round((end - start) * BOX.width) };
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
