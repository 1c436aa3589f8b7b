'use client';

import { useMemo } from 'react';
import { formatDay } from '@/components/ui/time/format-local';
import { ReadingArea, useReading } from '@/components/ui/use-reading';
import { formatPercent } from '@/lib/core/formats/percent';
import { formatElapsed } from '@/lib/core/time/duration';
import type { DayBar } from '@/lib/schemas/monitor/stats';
import { type PackedDays, unpackDays } from './packed-days';

const LABELS = { operational: 'operational', degraded: 'degraded at times', down: 'down at times' } as const;

const STEP = 8;
const WIDTH = 6;
const HEIGHT = 32;

/** Height repeats what color shows. */
const STYLES = [
  { status: 'operational', height: 24, fill: 'fill-good-beat' },
  { status: 'degraded', height: 28, fill: 'fill-slow-beat' },
  { status: 'down', height: 32, fill: 'fill-bad-beat' },
  { status: null, height: 8, fill: 'fill-rest-beat' },
] as const;

/** The last days as bars. Pointer, touch, and arrow keys read the summary of each day. */
export function DayBars({ packed }: { packed: PackedDays }) {
  const days = useMemo(() => unpackDays(packed), [packed]);
  const reading = useReading(days.length);
  const { index } = reading;
  const read = days[index ?? days.length - 1];
  return (
    <div className="flex flex-col gap-2 rounded-lg border border-line bg-surface p-3">
      <ReadingArea
        reading={reading}
        label={`Daily uptime for the last ${days.length} days`}
        text={read ? formatDayBar(read) : ''}
        className="h-8"
      >
        <svg
          viewBox={`0 0 ${days.length * STEP} ${HEIGHT}`}
          preserveAspectRatio="none"
          className="size-full"
          aria-hidden="true"
        >
          {index === null ? null : (
            <rect x={index * STEP} y={0} width={STEP} height={HEIGHT} className="fill-line" />
          )}
          {STYLES.map(({ status, height, fill }) => (
            <path key={fill} d={barsOf(days, status, height)} className={fill} />
          ))}
        </svg>
      </ReadingArea>
      <div className="flex justify-between gap-3 text-xs text-muted tabular-nums">
        <span className="max-sm:hidden">{days.length} days ago</span>
        <span className="text-sm">
          {index === null || !read ? formatDaySummary(days) : formatDayBar(read)}
        </span>
        <span className="max-sm:hidden">Today</span>
      </div>
    </div>
  );
}

function barsOf(days: DayBar[], wanted: DayBar['status'], height: number): string {
  return days
    .map(({ status }, day) => {
      const x = day * STEP + (STEP - WIDTH) / 2;
      return status === wanted ? `M${x} ${HEIGHT}v-${height}h${WIDTH}v${height}z` : '';
    })
    .join('');
}

/** `Nov 20, 2026: down for 14m, 99.02% uptime (corrected; 98.5% measured)`. Days are UTC days. */
export function formatDayBar({ measured, ...day }: DayBar): string {
  if (measured === undefined) return formatCounted(day);
  const { uptimePercentage } = measured;
  const before = uptimePercentage === null ? 'no data' : formatPercent(uptimePercentage);
  return `${formatCounted(day)} (corrected; ${before} measured)`;
}

function formatCounted({ date, status, uptimePercentage, downtime }: Omit<DayBar, 'measured'>): string {
  const day = formatDay(new Date(`${date}T00:00:00Z`), 'UTC', true);
  if (status === null || uptimePercentage === null) return `${day}: no data`;
  if (status === 'operational') return `${day}: operational`;
  const what = downtime > 0 ? `down for ${formatElapsed(downtime)}` : LABELS[status];
  return `${day}: ${what}, ${formatPercent(uptimePercentage)} uptime`;
}

/** `88 of 90 days with no downtime`. Days without data are not counted. */
export function formatDaySummary(days: readonly DayBar[]): string {
  const known = days.filter(({ status }) => status !== null);
  if (known.length === 0) return 'No data yet';
  const good = known.filter(({ status }) => status !== 'down').length;
  return `${good} of ${known.length} ${known.length === 1 ? 'day' : 'days'} with no downtime`;
}
