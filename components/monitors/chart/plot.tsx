import type { ChartBand, ChartData, ChartLane, ChartLine } from './chart-data';
import { lineStyle } from './chart-texts';

/** SVG units; the drawing stretches to fill its container. */
const BOX = { width: 1000, height: 100 } as const;

const BAND_STYLES: Record<ChartBand['state'], { wash: string; edge: string }> = {
  down: { wash: 'fill-bad-wash', edge: 'fill-bad-beat' },
  degraded: { wash: 'fill-slow-wash', edge: 'fill-slow-beat' },
  maintenance: { wash: 'fill-accent/10', edge: 'fill-accent' },
  paused: { wash: 'fill-sunken', edge: 'fill-rest-beat' },
  unknown: { wash: 'fill-sunken', edge: 'fill-rest-beat' },
};
/** Units of height. */
const EDGE = 2;
const FAILURES = 10;
/** Pixels; the width of a result without neighbors, which a line of no length would not show. */
export const DOT = 5;

type Props = {
  data: ChartData;
  lane: ChartLane;
  lines: { line: ChartLine; index: number }[];
  top: number;
  ticks: number[];
};

/** The bands, grid, failures, and lines of a lane, hidden from screen readers. */
export function Plot({ data, lane, lines, top, ticks }: Props) {
  const frame = { from: data.from, to: data.from + data.count * data.width };
  return (
    <svg
      viewBox={`0 0 ${BOX.width} ${BOX.height}`}
      preserveAspectRatio="none"
      className="absolute inset-0 size-full"
      aria-hidden="true"
    >
      {data.bands.map((band) => {
        const place = placeOf(band, frame);
        const { wash, edge } = BAND_STYLES[band.state];
        return place ? (
          <g key={`${band.state} ${band.from}`}>
            <rect x={place.x} y={0} width={place.width} height={BOX.height} className={wash} />
            <rect x={place.x} y={0} width={Math.max(place.width, 1.5)} height={EDGE} className={edge} />
          </g>
        ) : null;
      })}
      <path
        d={ticks.map((tick) => `M0 ${((1 - tick / top) * BOX.height).toFixed(1)}H${BOX.width}`).join('')}
        className="fill-none stroke-line"
        vectorEffect="non-scaling-stroke"
      />
      {data.incidents.map((incident) => {
        const place = placeOf(incident, frame);
        return place && incident.from >= frame.from ? (
          <path
            key={incident.id}
            d={`M${place.x} 0V${BOX.height}`}
            className="fill-none stroke-bad"
            strokeDasharray="2 3"
            vectorEffect="non-scaling-stroke"
          />
        ) : null;
      })}
      <path
        d={marksPath(
          data.markers.map(({ at }) => at),
          frame,
          BOX.height,
        )}
        className="fill-none stroke-accent"
        strokeWidth={1.5}
        vectorEffect="non-scaling-stroke"
      />
      {lane.marks === null ? (
        <path d={barsPath(lane.shares, FAILURES)} className="fill-bad-beat" />
      ) : (
        <path
          d={marksPath(lane.marks, frame, FAILURES)}
          className="fill-none stroke-bad-beat"
          strokeWidth={3}
          vectorEffect="non-scaling-stroke"
        />
      )}
      {lines.map(({ line, index }) => (
        <Line key={line.key} values={line.values} index={index} top={top} />
      ))}
    </svg>
  );
}

/** `index` decides its style. */
function Line({ values, index, top }: { values: ChartLine['values']; index: number; top: number }) {
  const { stroke, dash, width } = lineStyle(index);
  const look = {
    className: `fill-none ${stroke}`,
    strokeLinecap: 'round',
    strokeLinejoin: 'round',
    vectorEffect: 'non-scaling-stroke',
  } as const;
  return (
    <>
      <path d={linePath(values, top)} strokeWidth={width} strokeDasharray={dash} {...look} />
      <path d={dotsPath(values, top)} strokeWidth={DOT} {...look} />
    </>
  );
}

/** The end of a scale and its ticks: from 0 in steps of 1, 2, 2.5, or 5 times a power of ten, at most five. */
export function niceScale(highest: number): { top: number; ticks: number[] } {
  const least = Math.max(highest, 4) / 4;
  const power = 10 ** Math.floor(Math.log10(least));
  const step = [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((each) => each >= least) ?? least;
  const steps = Math.max(1, Math.ceil(highest / step));
  return { top: steps * step, ticks: Array.from({ length: steps + 1 }, (_, index) => index * step) };
}

/** The middle of a bucket as a share of the width. */
export function middleOf(bucket: number, count: number): number {
  return (bucket + 0.5) / count;
}

type Values = readonly (number | null)[];

/** A line through the middle of each bucket, with gaps at nulls; `top` is the upper edge. Buckets between gaps are `dotsPath`. */
export function linePath(values: Values, top: number): string {
  return drawPoints(values, (index, isAlone) => {
    if (isAlone) return '';
    return `${isNull(values, index - 1) ? 'M' : 'L'}${placeOfPoint(values, index, top)}`;
  });
}

/** A dot in each bucket between gaps, if it is drawn with round ends and a width of `DOT`. */
export function dotsPath(values: Values, top: number): string {
  // A zero-length line would not be drawn.
  return drawPoints(values, (index, isAlone) => (isAlone ? `M${placeOfPoint(values, index, top)}h0.1` : ''));
}

function drawPoints(values: Values, draw: (index: number, isAlone: boolean) => string): string {
  return values
    .map((value, index) =>
      value === null ? '' : draw(index, isNull(values, index - 1) && isNull(values, index + 1)),
    )
    .join('');
}

function isNull(values: Values, index: number): boolean {
  return (values[index] ?? null) === null;
}

function placeOfPoint(values: Values, index: number, top: number): string {
  const x = round(middleOf(index, values.length) * BOX.width);
  return `${x} ${round((1 - (values[index] ?? 0) / top) * BOX.height)}`;
}

/** A bar from the lower edge for every share above 0; a share of 1 is `height` units high. */
export function barsPath(shares: readonly number[], height: number): string {
  const width = BOX.width / shares.length;
  return shares
    .map((share, index) => {
      if (share <= 0) return '';
      // Keep small shares visible.
      const tall = round(Math.max(share, 0.2) * height);
      return `M${round(index * width)} ${BOX.height}v-${tall}h${round(width)}v${tall}z`;
    })
    .join('');
}

/** A line from the lower edge, `height` units high, at each moment of the frame. */
export function marksPath(marks: readonly number[], frame: Span, height: number): string {
  const shareOf = (at: number) => (at - frame.from) / (frame.to - frame.from);
  return marks.map((at) => `M${round(shareOf(at) * BOX.width)} ${BOX.height}v-${height}`).join('');
}

type Span = { from: number; to: number };

/** The part of the box that a period covers; null if there is none. */
export function placeOf(period: Span, frame: Span): { x: number; width: number } | null {
  const share = (at: number) => (at - frame.from) / (frame.to - frame.from);
  const [start, end] = [Math.max(0, share(period.from)), Math.min(1, share(period.to))];
  if (end <= start) return null;
  return { x: round(start * BOX.width), width: round((end - start) * BOX.width) };
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
