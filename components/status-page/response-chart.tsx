import { fill } from '@/lib/core/fill';
import type { LatencyPoint, LatencySeries } from '@/lib/domain/monitors/read-latency-series';
import type { Translator } from './translator';

const HEIGHT = 40;
const STEP = 10;

/** Median and 95th percentile of the last 24 hours as two lines, with the numbers of the whole day in words. */
export function ResponseChart({ name, series, t }: { name: string; series: LatencySeries; t: Translator }) {
  const { messages } = t;
  const { p50, p95 } = series.total;
  const highest = Math.max(1, ...series.hours.map((hour) => hour.p95 ?? 0));
  const words =
    p50 === null || p95 === null
      ? messages.noResponseTimes
      : `${fill(messages.median, { ms: t.milliseconds(p50) })}, ${fill(messages.p95, { ms: t.milliseconds(p95) })}`;
  return (
    <div className="response">
      <p>
        {messages.responseTime}: {words}
      </p>
      {p50 === null ? null : (
        <svg
          role="img"
          aria-label={`${name}: ${messages.responseTime}`}
          viewBox={`0 0 ${(series.hours.length - 1) * STEP} ${HEIGHT}`}
          preserveAspectRatio="none"
        >
          <path className="p95" d={linePath(series.hours, 'p95', highest)} />
          <path className="p50" d={linePath(series.hours, 'p50', highest)} />
        </svg>
      )}
    </div>
  );
}

/** A line through the hours, broken where nothing was measured; `highest` milliseconds touch the top. */
export function linePath(hours: LatencyPoint[], which: keyof LatencyPoint, highest: number): string {
  return hours
    .map((hour, index) => {
      const ms = hour[which];
      if (ms === null) return '';
      const y = Math.round(HEIGHT - 1 - (ms / highest) * (HEIGHT - 2));
      const isStart = index === 0 || hours[index - 1]?.[which] === null;
      const isAlone = isStart && (hours[index + 1]?.[which] ?? null) === null;
      // A single hour would be a line without length, which is not drawn.
      return `${isStart ? 'M' : 'L'}${index * STEP} ${y}${isAlone ? 'h1' : ''}`;
    })
    .join('');
}
