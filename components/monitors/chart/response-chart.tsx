'use client';

import { useState } from 'react';
import { ReadingArea } from '@/components/ui/reading-area';
import { useReading } from '@/components/ui/use-reading';
import { useTimeZone } from '@/components/ui/use-time-zone';
import type { ChartData } from './chart-data';
import { ChartTable } from './chart-table';
import { formatMs, sayBucket, sayEvents, sayFailures, timeTicks, WINDOW_WORDS } from './chart-texts';
import { middleOf, niceScale } from './geometry';
import { Legend } from './legend';
import { lineLook } from './line-looks';
import { Plot } from './plot';

/** Response times over a window: lines, marked times, and what each moment says under pointer, finger or arrow keys. */
export function ResponseChart({ data }: { data: ChartData }) {
  const zone = useTimeZone();
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const reading = useReading(data.count);
  const { index } = reading;
  const toggle = (key: string) =>
    setHidden((before) => {
      const after = new Set(before);
      if (!after.delete(key)) after.add(key);
      return after;
    });

  const shown = data.lines
    .map((line, place) => ({ line, place }))
    .filter(({ line }) => !hidden.has(line.key));
  const highest = Math.max(0, ...shown.flatMap(({ line }) => line.values.map((value) => value ?? 0)));
  const { top, ticks } = niceScale(highest);
  const time = index === null ? WINDOW_WORDS[data.window] : sayBucket(data, index, zone);
  const read = index ?? data.count - 1;
  const values = data.lines.map(({ label, values: each }) => `${label} ${formatMs(each[read] ?? null)}`);
  return (
    <div className="flex flex-col gap-2 rounded-lg border border-line bg-surface p-3">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <Legend lines={data.lines} hidden={hidden} toggle={toggle} index={index} />
        <p className="text-sm text-muted tabular-nums max-sm:px-2">{time}</p>
      </div>
      <div className="grid grid-cols-[auto_1fr] gap-x-2">
        <div className="relative w-12 text-right text-xs text-muted tabular-nums" aria-hidden="true">
          {ticks.map((tick) => (
            <span
              key={tick}
              className="absolute right-0 -translate-y-1/2 whitespace-nowrap"
              style={{ top: `${(1 - tick / top) * 100}%` }}
            >
              {formatMs(tick)}
            </span>
          ))}
        </div>
        <ReadingArea
          reading={reading}
          label="Response times, moment by moment"
          text={[sayBucket(data, read, zone), ...values, ...sayEvents(data, read)].join(', ')}
          className="h-48"
        >
          <Plot data={data} lines={shown} top={top} ticks={ticks} />
          {index === null ? null : (
            <div
              className="pointer-events-none absolute inset-y-0 w-px bg-line-strong"
              style={{ left: `${middleOf(index, data.count) * 100}%` }}
            >
              {shown.map(({ line, place }) => {
                const value = line.values[index] ?? null;
                return value === null ? null : (
                  <span
                    key={line.key}
                    className={`absolute -left-[3.5px] size-2 -translate-y-1/2 rounded-full ring-2 ring-surface ${lineLook(place).fill}`}
                    style={{ top: `${(1 - value / top) * 100}%` }}
                  />
                );
              })}
            </div>
          )}
        </ReadingArea>
        <div className="relative col-start-2 mt-1 h-4 text-xs text-muted tabular-nums" aria-hidden="true">
          {timeTicks(data, zone).map(({ share, label }) => (
            <span key={share} className="absolute whitespace-nowrap" style={{ left: `${share * 100}%` }}>
              {label}
            </span>
          ))}
          <span className="absolute right-0">now</span>
        </div>
      </div>
      <p className="min-h-5 px-2 text-sm text-muted">
        {index === null ? sayTotals(data) : sayEvents(data, index).join(' · ')}
      </p>
      <ChartTable data={data} zone={zone} />
    </div>
  );
}

function sayTotals({ checks, failures }: ChartData): string {
  const sum = (counts: number[]) => counts.reduce((all, each) => all + each, 0);
  return checks.every((count) => count === 0)
    ? 'Nothing was measured in this time.'
    : sayFailures(sum(failures), sum(checks));
}
