import { formatExact } from '@/lib/core/relative-time';
import type { Heartbeat } from '@/lib/monitors/read-heartbeats';

const LENGTH = 30;
const STEP = 5;
const WIDTH = 3;
const HEIGHT = 20;

/** The height says what the colour says: a failure stands out from top to bottom. */
const BEATS = {
  ok: { word: 'ok', height: 12, fill: 'fill-good-beat' },
  slow: { word: 'slow', height: 16, fill: 'fill-slow-beat' },
  failed: { word: 'failed', height: 20, fill: 'fill-bad-beat' },
  unknown: { word: 'unknown', height: 4, fill: 'fill-rest-beat' },
} as const;

/** The last checks as bars, the newest at the right; places without a check yet are dots. */
export function HeartbeatStrip({ beats }: { beats: Heartbeat[] }) {
  const empty = LENGTH - beats.length;
  return (
    <svg
      viewBox={`0 0 ${LENGTH * STEP - (STEP - WIDTH)} ${HEIGHT}`}
      preserveAspectRatio="xMinYMid"
      className="h-5 w-full max-w-40 shrink-0"
      role="img"
      aria-label={sayCounts(beats)}
    >
      {empty > 0 ? <path d={dots(empty)} className="fill-rest-beat" /> : null}
      {beats.map((beat, index) => {
        const { word, height, fill } = BEATS[beat.outcome];
        const time = beat.responseTime === null ? '' : `, ${beat.responseTime} ms`;
        return (
          <rect
            key={`${beat.at.getTime()} ${beat.region}`}
            x={(empty + index) * STEP}
            y={(HEIGHT - height) / 2}
            width={WIDTH}
            height={height}
            rx={1}
            className={fill}
          >
            <title>{`${formatExact(beat.at)}: ${word}${time}`}</title>
          </rect>
        );
      })}
    </svg>
  );
}

function dots(count: number): string {
  const y = HEIGHT / 2 - 2;
  return Array.from({ length: count }, (_, index) => `M${index * STEP} ${y}h${WIDTH}v4h-${WIDTH}z`).join('');
}

function sayCounts(beats: Heartbeat[]): string {
  if (beats.length === 0) return 'No checks yet';
  const counted = (Object.keys(BEATS) as Heartbeat['outcome'][])
    .map((outcome) => ({ outcome, n: beats.filter((beat) => beat.outcome === outcome).length }))
    .filter(({ n }) => n > 0)
    .map(({ outcome, n }) => `${n} ${BEATS[outcome].word}`);
  return `Last ${beats.length} checks: ${counted.join(', ')}`;
}
