'use client';

import { ChevronRight, CircleCheck, CircleHelp, CircleX, Timer } from 'lucide-react';
import { useId, useState } from 'react';
import { CodeBlock } from '@/components/ui/code-block';
import { Moment } from '@/components/ui/moment';
import type { CheckResult } from '@/lib/schemas/monitor/result';
import { formatMs } from '../format-numbers';
import { PhaseBreakdown, phasesOf } from '../phases/phase-bar';

/** Outcomes as shown: a successful check can be slow. */
const OUTCOME_STYLES = {
  ok: { label: 'OK', Icon: CircleCheck, color: 'text-good' },
  slow: { label: 'Slow', Icon: Timer, color: 'text-slow' },
  failed: { label: 'Failed', Icon: CircleX, color: 'text-bad' },
  unknown: { label: 'Unknown', Icon: CircleHelp, color: 'text-muted' },
} as const;

const CELL = 'px-3 py-2 max-sm:p-0';

const ROW =
  'relative border-b border-line last:border-0 hover:bg-sunken has-focus-visible:bg-sunken max-sm:grid max-sm:grid-cols-[1fr_auto_auto] max-sm:gap-x-3 max-sm:gap-y-0.5 max-sm:px-3 max-sm:py-2';

const HEAD = 'px-3 py-2 text-left text-xs font-medium text-muted whitespace-nowrap';

type Props = {
  checks: CheckResult[];
  /** Milliseconds above which a successful check is slow. */
  degradedThreshold: number;
  now: string;
};

/** One check per row. Rows expand to the full result and stay open while new checks arrive. */
export function CheckTable({ checks, degradedThreshold, now }: Props) {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const toggle = (key: string) =>
    setOpen((before) => {
      const after = new Set(before);
      if (!after.delete(key)) after.add(key);
      return after;
    });
  return (
    <div className="overflow-hidden rounded-lg border border-line bg-surface">
      <table className="w-full border-collapse max-sm:block">
        <thead className="border-b border-line max-sm:sr-only">
          <tr>
            <th scope="col" className={`${HEAD} w-32`}>
              Result
            </th>
            <th scope="col" className={`${HEAD} w-28`}>
              Time
            </th>
            <th scope="col" className={`${HEAD} w-32`}>
              Region
            </th>
            <th scope="col" className={`${HEAD} w-24 text-right`}>
              Response
            </th>
            <th scope="col" className={`${HEAD} w-16 text-right`}>
              Code
            </th>
            <th scope="col" className={HEAD}>
              Error
            </th>
          </tr>
        </thead>
        <tbody className="max-sm:block">
          {checks.map((check) => {
            const key = `${check.checkedAt} ${check.region}`;
            return (
              <CheckRow
                key={key}
                check={check}
                degradedThreshold={degradedThreshold}
                now={now}
                isOpen={open.has(key)}
                toggle={() => toggle(key)}
              />
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

type RowProps = {
  check: CheckResult;
  degradedThreshold: number;
  now: string;
  isOpen: boolean;
  toggle: () => void;
};

function CheckRow({ check, degradedThreshold, now, isOpen, toggle }: RowProps) {
  const detail = useId();
  const { label, Icon, color } = OUTCOME_STYLES[outcomeOf(check, degradedThreshold)];
  return (
    <>
      <tr className={ROW}>
        <td className={`${CELL} whitespace-nowrap`}>
          <button
            type="button"
            aria-expanded={isOpen}
            aria-controls={isOpen ? detail : undefined}
            onClick={toggle}
            className="inline-flex min-h-6 items-center gap-1.5 align-middle outline-offset-0 after:absolute after:inset-0"
          >
            <ChevronRight
              className={`size-4 shrink-0 text-muted transition-transform ${isOpen ? 'rotate-90' : ''}`}
              aria-hidden="true"
            />
            <Icon className={`size-4 shrink-0 ${color}`} aria-hidden="true" />
            <span className={color}>{label}</span>
          </button>
        </td>
        <td className={`${CELL} whitespace-nowrap text-muted tabular-nums`}>
          <Moment at={check.checkedAt} now={now} />
        </td>
        <td className={`${CELL} font-mono text-xs whitespace-nowrap max-sm:order-4 max-sm:text-muted`}>
          {check.region ?? '–'}
        </td>
        <td className={`${CELL} text-right whitespace-nowrap tabular-nums`}>
          {formatMs(check.responseTime)}
        </td>
        <td className={`${CELL} text-right font-mono text-xs max-sm:order-5 max-sm:col-span-2`}>
          {check.statusCode ?? <span className="max-sm:hidden">–</span>}
        </td>
        <td className={`${CELL} text-muted wrap-anywhere max-sm:order-6 max-sm:col-span-3 max-sm:text-xs`}>
          {check.errorMessage}
        </td>
      </tr>
      {isOpen ? (
        <tr id={detail} className="border-b border-line bg-canvas last:border-0 max-sm:block">
          <td colSpan={6} className="px-4 py-4 max-sm:block">
            <CheckDetail check={check} />
          </td>
        </tr>
      ) : null}
    </>
  );
}

/** The outcome to show: a successful check above `degradedThreshold` milliseconds is slow. */
export function outcomeOf(
  { outcome, responseTime }: Pick<CheckResult, 'outcome' | 'responseTime'>,
  degradedThreshold: number,
): keyof typeof OUTCOME_STYLES {
  return outcome === 'ok' && (responseTime ?? 0) > degradedThreshold ? 'slow' : outcome;
}

/** The error, the phases, and the raw result as the API returns it. */
function CheckDetail({ check }: { check: CheckResult }) {
  return (
    <div className="flex flex-col gap-3">
      {check.errorMessage ? <p className="text-bad wrap-anywhere">{check.errorMessage}</p> : null}
      {phasesOf([check.phases]).length > 0 ? (
        <PhaseBreakdown phases={check.phases} />
      ) : (
        <p className="text-muted">No timings were recorded for this check.</p>
      )}
      <CodeBlock text={JSON.stringify(check, null, 2)} label="Copy raw result" />
    </div>
  );
}
