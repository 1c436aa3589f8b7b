const LENGTH = 30;
const STEP = 5;
const WIDTH = 3;
const HEIGHT = 20;

/** By letter. Height repeats what color shows, and a failure takes the full height. */
const BEATS = {
  o: { label: 'ok', height: 12, fill: 'fill-good-beat' },
  s: { label: 'slow', height: 16, fill: 'fill-slow-beat' },
  f: { label: 'failed', height: 20, fill: 'fill-bad-beat' },
  u: { label: 'unknown', height: 4, fill: 'fill-rest-beat' },
} as const;

/**
 * The last checks as bars, newest on the right; `beats` has one letter per check, as `readStrips` writes them, undefined while they are
 * loading, null if they could not be read. Missing checks are dots. One path per color: a list can have many strips.
 */
export function HeartbeatStrip({ beats }: { beats: string | null | undefined }) {
  const drawn = (beats ?? '').padStart(LENGTH, 'u');
  return (
    <svg
      viewBox={`0 0 ${LENGTH * STEP - (STEP - WIDTH)} ${HEIGHT}`}
      preserveAspectRatio="xMinYMid"
      className="h-5 w-full max-w-40 shrink-0"
      role="img"
    >
      <title>{formatCounts(beats)}</title>
      {(Object.keys(BEATS) as (keyof typeof BEATS)[]).map((letter) => {
        const { height, fill } = BEATS[letter];
        const path = drawBars(drawn, letter, height);
        return path === '' ? null : <path key={letter} d={path} className={fill} />;
      })}
    </svg>
  );
}

function drawBars(beats: string, letter: string, height: number): string {
  const top = (HEIGHT - height) / 2;
  return [...beats]
    .map((beat, place) => (beat === letter ? `M${place * STEP} ${top}h${WIDTH}v${height}h-${WIDTH}z` : ''))
    .join('');
}

function formatCounts(beats: string | null | undefined): string {
  if (beats === undefined) return 'Loading checks';
  if (beats === null) return 'The checks could not be loaded';
  if (beats === '') return 'No checks yet';
  const counted = Object.entries(BEATS).flatMap(([letter, { label }]) => {
    const n = [...beats].filter((beat) => beat === letter).length;
    return n > 0 ? [`${n} ${label}`] : [];
  });
  return `Last ${beats.length} ${beats.length === 1 ? 'check' : 'checks'}: ${counted.join(', ')}`;
}
