'use client';

import { usePathname, useRouter, useSearchParams } from 'next/navigation';
import { useMemo, useState } from 'react';
import { Button } from '@/components/ui/button';
import { DataTable } from '@/components/ui/data-table';
import { formatClock } from '@/components/ui/time/format-local';
import { useTimeZone } from '@/components/ui/time/page-clock';
import { ReadingArea, useReading } from '@/components/ui/use-reading';
import { formatMs, formatWindow } from '../format-numbers';
import { AxisLabels, TimeAxis } from './axis-labels';
import type { ChartData, ChartLane, ChartLine } from './chart-data';
import {
  formatBucket,
  formatEvents,
  formatFailures,
  formatSpan,
  formatTimeTicks,
  lineStyle,
} from './chart-texts';
import { type PackedChart, unpackChart } from './packed-chart';
import { middleOf, niceScale, Plot } from './plot';
import { useBrush } from './use-brush';

/** Response times over a range. Pointer, touch, and arrow keys read the values of each bucket; dragging zooms to a part of it. */
export function ResponseChart({ packed }: { packed: PackedChart }) {
  const data = useMemo(() => unpackChart(packed), [packed]);
  const zone = useTimeZone();
  const zoom = useZoom(data);
  const { hidden, toggle } = useHidden();
  const { reading, range } = useBrush({ reading: useReading(data.count), onZoom: zoom });
  const { index } = reading;

  const numbered = data.lines.map((line, nth) => ({ line, index: nth }));
  const shownIn = (lane: ChartLane) =>
    numbered.filter(({ line }) => lane.lines.includes(line) && !hidden.has(line.key));
  const isSplit = data.lanes.length > 1;
  // The failures of the only lane stay when all of its lines are hidden.
  const lanes = isSplit ? data.lanes.filter((lane) => shownIn(lane).length > 0) : data.lanes;
  const shown = lanes.flatMap(shownIn);
  const highest = Math.max(0, ...shown.flatMap(({ line }) => line.values.map((value) => value ?? 0)));
  const { top, ticks } = niceScale(highest);
  const shownTicks = isSplit ? [0, top] : ticks;
  const height = isSplit ? 'h-20' : 'h-48';

  const { heading, text } = describeReading(data, { index, range, zone });
  return (
    <div className="flex flex-col gap-2 rounded-lg border border-line bg-surface p-3">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <ChartLegend lines={data.lines} hidden={hidden} toggle={toggle} index={index} />
        <p className="text-sm text-muted tabular-nums max-sm:px-2">{heading}</p>
      </div>
      <div className="grid grid-cols-[auto_1fr] gap-x-2">
        <ValueAxes lanes={lanes} height={height} ticks={shownTicks} top={top} />
        <ReadingArea
          reading={reading}
          label="Response time history"
          text={text}
          className="flex cursor-crosshair flex-col gap-5 select-none"
        >
          {lanes.map((lane) => (
            <div key={lane.key} className={`relative ${height}`}>
              <Plot data={data} lane={lane} lines={shownIn(lane)} top={top} ticks={shownTicks} />
              {isSplit ? (
                <span className="absolute top-1 left-1 rounded-sm bg-surface/80 px-1 font-mono text-xs text-muted">
                  {lane.key}
                </span>
              ) : null}
              {index === null ? null : (
                <Cursor lines={shownIn(lane)} index={index} count={data.count} top={top} />
              )}
            </div>
          ))}
          {range ? <Selection {...range} count={data.count} /> : null}
        </ReadingArea>
        <TimeAxis
          ticks={formatTimeTicks(data, zone)}
          end={data.window === null ? formatClock(new Date(data.end), zone) : 'now'}
        />
      </div>
      <p className="min-h-5 px-2 text-sm text-muted">
        {index === null ? formatTotals(data) : formatEvents(data, index).join(' · ')}
      </p>
      <ChartTable data={data} zone={zone} />
    </div>
  );
}

/** The lines that are hidden, by key. */
function useHidden() {
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const toggle = (key: string) =>
    setHidden((before) => {
      const after = new Set(before);
      if (!after.delete(key)) after.add(key);
      return after;
    });
  return { hidden, toggle };
}

type Buckets = { first: number; last: number };
type Read = { index: number | null; range: Buckets | null; zone: string };

/** What the heading shows of what is read or selected, and what screen readers get: without either, of the last bucket. */
function describeReading(data: ChartData, { index, range, zone }: Read): { heading: string; text: string } {
  const read = index ?? data.count - 1;
  const at = (bucket: number) => new Date(data.from + bucket * data.width);
  if (range) {
    const selected = formatSpan(at(range.first), at(range.last + 1), zone);
    return { heading: selected, text: `${selected} selected, Enter zooms in` };
  }
  const bucket = formatBucket(data, read, zone);
  const values = data.lines.map(({ label, values: each }) => `${label} ${formatMs(each[read] ?? null)}`);
  const whole =
    data.window === null ? formatSpan(at(0), new Date(data.end), zone) : `Last ${formatWindow(data.window)}`;
  return {
    heading: index === null ? whole : bucket,
    text: [bucket, ...values, ...formatEvents(data, read)].join(', '),
  };
}

type AxesProps = { lanes: readonly ChartLane[]; height: string; ticks: readonly number[]; top: number };

/** The scale of each lane. */
function ValueAxes({ lanes, height, ticks, top }: AxesProps) {
  return (
    <div className="flex w-12 flex-col gap-5 text-right text-xs text-muted tabular-nums" aria-hidden="true">
      {lanes.map(({ key }) => (
        <div key={key} className={`relative ${height}`}>
          <AxisLabels ticks={ticks} top={top} />
        </div>
      ))}
    </div>
  );
}

/** The part that is selected by dragging. */
function Selection({ first, last, count }: Buckets & { count: number }) {
  return (
    <div
      className="pointer-events-none absolute inset-y-0 border-x border-accent bg-accent/15"
      style={{ left: `${(first / count) * 100}%`, width: `${((last + 1 - first) / count) * 100}%` }}
    />
  );
}

/** Shows a part of the chart, from its first to its last bucket, as a page of its own. */
function useZoom({ from, width, count, end }: ChartData) {
  const [router, path, search] = [useRouter(), usePathname(), useSearchParams()];
  return ({ first, last }: Buckets) => {
    if (first === 0 && last === count - 1) return;
    const query = new URLSearchParams(search);
    query.delete('window');
    query.set('from', new Date(from + first * width).toISOString());
    query.set('to', new Date(Math.min(from + (last + 1) * width, end)).toISOString());
    router.push(`${path}?${query}`, { scroll: false });
  };
}

type CursorProps = {
  lines: { line: ChartData['lines'][number]; index: number }[];
  index: number;
  count: number;
  top: number;
};

/** A line at the bucket that is read, with a dot at each value. */
function Cursor({ lines, index, count, top }: CursorProps) {
  return (
    <div
      className="pointer-events-none absolute inset-y-0 w-px bg-line-strong"
      style={{ left: `${middleOf(index, count) * 100}%` }}
    >
      {lines.map(({ line, index: nth }) => {
        const value = line.values[index] ?? null;
        return value === null ? null : (
          <span
            key={line.key}
            className={`absolute -left-[3.5px] size-2 -translate-y-1/2 rounded-full ring-2 ring-surface ${lineStyle(nth).fill}`}
            style={{ top: `${(1 - value / top) * 100}%` }}
          />
        );
      })}
    </div>
  );
}

function formatTotals({ checks, failures }: ChartData): string {
  const sum = (counts: number[]) => counts.reduce((all, each) => all + each, 0);
  return checks.every((count) => count === 0)
    ? 'No checks in this period.'
    : formatFailures(sum(failures), sum(checks));
}

type Props = {
  lines: ChartLine[];
  hidden: ReadonlySet<string>;
  toggle: (key: string) => void;
  /** The bucket being read; null for the whole window. */
  index: number | null;
};

/** Line names and values. Each line can be hidden, which rescales the rest. */
function ChartLegend({ lines, hidden, toggle, index }: Props) {
  return (
    <ul aria-label="Chart lines" className="flex flex-wrap gap-x-1 gap-y-1">
      {lines.map((line, nth) => {
        const { stroke, dash, width } = lineStyle(nth);
        const isShown = !hidden.has(line.key);
        return (
          <li key={line.key}>
            <button
              type="button"
              aria-pressed={isShown}
              onClick={() => toggle(line.key)}
              className="flex h-7 items-center gap-2 rounded-md px-2 text-sm hover:bg-sunken aria-[pressed=false]:text-muted aria-[pressed=false]:line-through"
            >
              <svg viewBox="0 0 20 4" className="h-1 w-5" aria-hidden="true">
                <path
                  d="M1 2H19"
                  className={stroke}
                  strokeWidth={width}
                  strokeDasharray={dash}
                  strokeLinecap="round"
                />
              </svg>
              <span className={line.label.includes('-') ? 'font-mono text-xs' : ''}>{line.label}</span>
              <span className="min-w-14 text-right font-medium tabular-nums">
                {formatMs(index === null ? line.total : (line.values[index] ?? null))}
              </span>
            </button>
          </li>
        );
      })}
    </ul>
  );
}

const CELL = 'px-3 py-1.5 text-left align-top font-normal max-sm:px-1.5';

/** The chart as a table, newest first, rendered on request. */
function ChartTable({ data, zone }: { data: ChartData; zone: string }) {
  const [isOpen, setOpen] = useState(false);
  const columns = [
    { label: 'Time', className: 'max-sm:px-1.5' },
    ...data.lines.map(({ label }) => ({ label, className: 'text-right max-sm:px-1.5' })),
    { label: 'Events', className: 'max-sm:px-1.5' },
  ];
  return (
    <>
      <Button
        tone="bare"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        size="small"
        className="self-start"
      >
        {isOpen ? 'Hide table' : 'Show as table'}
      </Button>
      {isOpen ? (
        <DataTable
          label="Response times"
          columns={columns}
          fitsContent
          className="tabular-nums max-sm:text-xs"
        >
          {data.checks.map((_, nth) => {
            const index = data.count - 1 - nth;
            return (
              <tr key={index} className="border-b border-line last:border-0">
                <th scope="row" className={`${CELL} sm:whitespace-nowrap`}>
                  {formatBucket(data, index, zone)}
                </th>
                {data.lines.map(({ key, values }) => (
                  <td key={key} className={`${CELL} text-right whitespace-nowrap`}>
                    {formatMs(values[index] ?? null)}
                  </td>
                ))}
                <td className={`${CELL} text-muted`}>{formatEvents(data, index).join(' · ')}</td>
              </tr>
            );
          })}
        </DataTable>
      ) : null}
    </>
  );
}
