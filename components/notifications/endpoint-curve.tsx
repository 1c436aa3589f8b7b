'use client';

import { AxisLabels, TimeAxis } from '@/components/monitors/chart/axis-labels';
import { formatBucket, formatTimeTicks } from '@/components/monitors/chart/chart-texts';
import { barsPath, DOT, dotsPath, linePath, middleOf, niceScale } from '@/components/monitors/chart/plot';
import { formatMs } from '@/components/monitors/format-numbers';
import { DataTable } from '@/components/ui/data-table';
import { Fold } from '@/components/ui/fold';
import { useTimeZone } from '@/components/ui/time/page-clock';
import { ReadingArea, useReading } from '@/components/ui/use-reading';
import type { EndpointCurve as Curve, CurveStep } from '@/lib/domain/webhooks/deliveries/read-endpoint-curve';

const SVG = {
  viewBox: '0 0 1000 100',
  preserveAspectRatio: 'none',
  className: 'absolute inset-0 size-full',
} as const;
const LINE = {
  className: 'fill-none stroke-accent',
  strokeLinecap: 'round',
  strokeLinejoin: 'round',
  vectorEffect: 'non-scaling-stroke',
} as const;
const CELL = 'px-3 py-1.5 align-top font-normal max-sm:px-1.5';

const LEGEND = [
  { label: 'Median response time', swatch: 'h-0.5 w-4 bg-accent' },
  { label: 'Delivered', swatch: 'size-2.5 rounded-xs bg-good-beat' },
  { label: 'Failed', swatch: 'size-2.5 rounded-xs bg-bad-beat' },
];

/** The median response time of an endpoint as a line, above bars with the share of its attempts that failed. */
export function EndpointCurve({ curve }: { curve: Curve }) {
  const { from, width, steps } = curve;
  const zone = useTimeZone();
  const reading = useReading(steps.length);
  const { index } = reading;
  const frame = { from, width, count: steps.length };
  const medians = steps.map(({ median }) => median);
  const { top, ticks } = niceScale(Math.max(0, ...medians.map((median) => median ?? 0)));
  const read = index ?? steps.length - 1;
  const textOf = (step: number) => `${formatBucket(frame, step, zone)}: ${formatStep(steps[step])}`;
  return (
    <div className="flex flex-col gap-2 rounded-lg border border-line bg-surface p-3">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 text-sm">
        <p className="text-muted tabular-nums">{index === null ? formatTotal(steps) : textOf(index)}</p>
        <ul className="flex flex-wrap gap-x-4" aria-label="Legend">
          {LEGEND.map(({ label, swatch }) => (
            <li key={label} className="flex items-center gap-1.5">
              <span className={swatch} />
              {label}
            </li>
          ))}
        </ul>
      </div>
      <div className="grid grid-cols-[auto_1fr] gap-x-2">
        <div className="relative h-28 w-12 text-right text-xs text-muted tabular-nums" aria-hidden="true">
          <AxisLabels ticks={ticks} top={top} />
        </div>
        <ReadingArea
          reading={reading}
          label="Response times and attempts"
          text={textOf(read)}
          className="flex flex-col gap-3"
        >
          <div className="relative h-28">
            <svg {...SVG} aria-hidden="true">
              <path
                d={ticks.map((tick) => `M0 ${((1 - tick / top) * 100).toFixed(1)}H1000`).join('')}
                className="fill-none stroke-line"
                vectorEffect="non-scaling-stroke"
              />
              <path d={linePath(medians, top)} strokeWidth={2} {...LINE} />
              <path d={dotsPath(medians, top)} strokeWidth={DOT} {...LINE} />
            </svg>
          </div>
          <AttemptBars steps={steps} />
          {index === null ? null : (
            <div
              className="pointer-events-none absolute inset-y-0 w-px bg-line-strong"
              style={{ left: `${middleOf(index, steps.length) * 100}%` }}
            />
          )}
        </ReadingArea>
        <TimeAxis ticks={formatTimeTicks(frame, zone)} end="now" />
      </div>
      <Fold title="Show as table">
        <CurveTable curve={curve} zone={zone} />
      </Fold>
    </div>
  );
}

/** The share of attempts that failed, in each step that had any. */
function AttemptBars({ steps }: { steps: readonly CurveStep[] }) {
  return (
    <div className="relative h-6">
      <svg {...SVG} aria-hidden="true">
        <path
          d={barsPath(
            steps.map(({ attempts }) => Math.min(attempts, 1)),
            100,
          )}
          className="fill-good-beat"
        />
        <path
          d={barsPath(
            steps.map(({ attempts, failures }) => failures / Math.max(attempts, 1)),
            100,
          )}
          className="fill-bad-beat"
        />
      </svg>
    </div>
  );
}

/** The steps with attempts, newest first. */
function CurveTable({ curve: { from, width, steps }, zone }: { curve: Curve; zone: string }) {
  const frame = { from, width, count: steps.length };
  const columns = ['Attempts', 'Failed', 'Median'].map((label) => ({ label, className: 'text-right' }));
  return (
    <DataTable
      label="Response times and attempts"
      columns={[{ label: 'Time' }, ...columns]}
      fitsContent
      className="tabular-nums max-sm:text-xs"
    >
      {steps
        .map((step, index) => ({ ...step, index }))
        .filter(({ attempts }) => attempts > 0)
        .toReversed()
        .map(({ attempts, failures, median, index }) => (
          <tr key={index} className="border-b border-line last:border-0">
            <th scope="row" className={`${CELL} text-left`}>
              {formatBucket(frame, index, zone)}
            </th>
            {[attempts.toLocaleString('en'), failures.toLocaleString('en'), formatMs(median)].map(
              (value, column) => (
                <td key={columns[column]?.label} className={`${CELL} text-right whitespace-nowrap`}>
                  {value}
                </td>
              ),
            )}
          </tr>
        ))}
    </DataTable>
  );
}

/** `12 attempts, 3 failed, median 120 ms`. */
function formatStep({ attempts, failures, median }: CurveStep = { attempts: 0, failures: 0, median: null }) {
  if (attempts === 0) return 'no attempts';
  const counts = formatAttempts(attempts, failures);
  return median === null ? counts : `${counts}, median ${formatMs(median)}`;
}

function formatTotal(steps: CurveStep[]): string {
  const sum = (counts: number[]) => counts.reduce((all, each) => all + each, 0);
  return formatAttempts(
    sum(steps.map(({ attempts }) => attempts)),
    sum(steps.map(({ failures }) => failures)),
  );
}

function formatAttempts(attempts: number, failures: number): string {
  const all = `${attempts.toLocaleString('en')} ${attempts === 1 ? 'attempt' : 'attempts'}`;
  return failures === 0 ? `${all}, none failed` : `${all}, ${failures.toLocaleString('en')} failed`;
}
