'use client';

import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { DataTable } from '@/components/ui/data-table';
import { useTimeZone } from '@/components/ui/time/page-clock';
import { ReadingArea, useReading } from '@/components/ui/use-reading';
import { formatMs, formatWindow } from '../format-numbers';
import type { ChartData, ChartLine } from './chart-data';
import { formatBucket, formatEvents, formatFailures, formatTimeTicks, lineStyle } from './chart-texts';
import { middleOf, niceScale, Plot } from './plot';

const CELL = 'px-3 py-1.5 text-left align-top font-normal max-sm:px-1.5';

/** Response times over a window. Pointer, touch, and arrow keys read the values of each bucket. */
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
    .map((line, index) => ({ line, index }))
    .filter(({ line }) => !hidden.has(line.key));
  const highest = Math.max(0, ...shown.flatMap(({ line }) => line.values.map((value) => value ?? 0)));
  const { top, ticks } = niceScale(highest);
  const time = index === null ? `Last ${formatWindow(data.window)}` : formatBucket(data, index, zone);
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
          label="Response time history"
          text={[formatBucket(data, read, zone), ...values, ...formatEvents(data, read)].join(', ')}
          className="h-48"
        >
          <Plot data={data} lines={shown} top={top} ticks={ticks} />
          {index === null ? null : (
            <div
              className="pointer-events-none absolute inset-y-0 w-px bg-line-strong"
              style={{ left: `${middleOf(index, data.count) * 100}%` }}
            >
              {shown.map(({ line, index: nth }) => {
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
          )}
        </ReadingArea>
        <div className="relative col-start-2 mt-1 h-4 text-xs text-muted tabular-nums" aria-hidden="true">
          {formatTimeTicks(data, zone).map(({ share, label }) => (
            <span key={share} className="absolute whitespace-nowrap" style={{ left: `${share * 100}%` }}>
              {label}
            </span>
          ))}
          <span className="absolute right-0">now</span>
        </div>
      </div>
      <p className="min-h-5 px-2 text-sm text-muted">
        {index === null ? formatTotals(data) : formatEvents(data, index).join(' · ')}
      </p>
      <ChartTable data={data} zone={zone} />
    </div>
  );
}

function formatTotals({ checks, failures }: ChartData): string {
  const sum = (counts: number[]) => counts.reduce((all, each) => all + each, 0);
  return checks.every((count) => count === 0)
    ? 'No checks in this period.'
    : formatFailures(sum(failures), sum(checks));
}

type LegendProps = {
  lines: ChartLine[];
  hidden: ReadonlySet<string>;
  toggle: (key: string) => void;
  /** The bucket being read; null for the whole window. */
  index: number | null;
};

/** Line names and values. Each line can be hidden, which rescales the rest. */
function Legend({ lines, hidden, toggle, index }: LegendProps) {
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
