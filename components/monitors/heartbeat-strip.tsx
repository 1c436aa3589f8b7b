const LENGTH = 30;
const STEP = 5;
const WIDTH = 3;
const HEIGHT = 20;

/** By the letter of a check. The height says what the colour says: a failure stands out from top to bottom. */
const BEATS = {
  o: { word: 'ok', height: 12, fill: 'fill-good-beat' },
  s: { word: 'slow', height: 16, fill: 'fill-slow-beat' },
  f: { word: 'failed', height: 20, fill: 'fill-bad-beat' },
  u: { word: 'unknown', height: 4, fill: 'fill-rest-beat' },
} as const;

/**
 * The last checks as bars, a letter each as `readHeartbeats` writes them, the newest at the right; places without a check yet
 * are dots. One path a colour, for a list has a thousand strips.
 */
export function HeartbeatStrip({ beats }: { beats: string }) {
  const drawn = beats.padStart(LENGTH, 'u');
  return (
    <svg
      viewBox={`0 0 ${LENGTH * STEP - (STEP - WIDTH)} ${HEIGHT}`}
      preserveAspectRatio="xMinYMid"
      className="h-5 w-full max-w-40 shrink-0"
      role="img"
    >
      <title>{sayCounts(beats)}</title>
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

function sayCounts(beats: string): string {
  if (beats === '') return 'No checks yet';
  const counted = Object.entries(BEATS)
    .map(([letter, { word }]) => ({ word, n: [...beats].filter((beat) => beat === letter).length }))
    .filter(({ n }) => n > 0)
    .map(({ word, n }) => `${n} ${word}`);
  return `Last ${beats.length} checks: ${counted.join(', ')}`;
}
