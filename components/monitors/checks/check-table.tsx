'use client';

import { ChevronRight } from 'lucide-react';
import { useId, useState } from 'react';
import { RegionName } from '@/components/monitors/regions/region-names';
import { CodeBlock } from '@/components/ui/code-block';
import { DataTable } from '@/components/ui/data-table';
import { IconLabel } from '@/components/ui/icon-label';
import { TextLink } from '@/components/ui/text-link';
import { Moment } from '@/components/ui/time/moment';
import type { CheckResult } from '@/lib/schemas/monitor/result';
import { formatMs } from '../format-numbers';
import { PhaseBreakdown, phasesOf } from '../phases/phase-bar';
import { OUTCOME_STYLES, outcomeOf } from './outcomes';

const CELL = 'px-3 py-2 max-sm:p-0';

const ROW =
  'relative border-b border-line last:border-0 hover:bg-sunken has-focus-visible:bg-sunken max-sm:grid max-sm:grid-cols-[1fr_auto_auto] max-sm:gap-x-3 max-sm:gap-y-0.5 max-sm:px-3 max-sm:py-2';

const COLUMNS = [
  { label: 'Result', className: 'w-32' },
  { label: 'Time', className: 'w-28' },
  { label: 'Region', className: 'w-32' },
  { label: 'Response', className: 'w-24 text-right' },
  { label: 'Code', className: 'w-16 text-right' },
  { label: 'Error' },
];

/** `evidenceHref` leads to what it saw; null if that was not kept. */
type ShownCheck = { result: CheckResult; evidenceHref: string | null };

type Props = {
  checks: ShownCheck[];
  /** Milliseconds above which a successful check is slow. */
  degradedThreshold: number;
  now: string;
};

/** One check per row. Rows expand to the full result and stay open while new checks arrive. */
export function CheckTable({ checks, degradedThreshold, now }: Props) {
  return (
    <DataTable columns={COLUMNS} cardsBelow="sm" fitsContent>
      {checks.map(({ result, evidenceHref }) => (
        <CheckRow
          key={`${result.checkedAt} ${result.region} ${result.trigger}`}
          check={result}
          evidenceHref={evidenceHref}
          degradedThreshold={degradedThreshold}
          now={now}
        />
      ))}
    </DataTable>
  );
}

type RowProps = Omit<Props, 'checks'> & Pick<ShownCheck, 'evidenceHref'> & { check: CheckResult };

function CheckRow({ check, evidenceHref, degradedThreshold, now }: RowProps) {
  const [isOpen, setOpen] = useState(false);
  const detail = useId();
  return (
    <>
      <tr className={ROW}>
        <td className={`${CELL} whitespace-nowrap`}>
          <button
            type="button"
            aria-expanded={isOpen}
            aria-controls={isOpen ? detail : undefined}
            onClick={() => setOpen(!isOpen)}
            className="inline-flex min-h-6 items-center gap-1.5 align-middle outline-offset-0 after:absolute after:inset-0"
          >
            <ChevronRight
              className={`size-4 shrink-0 text-muted transition-transform ${isOpen ? 'rotate-90' : ''}`}
            />
            <IconLabel {...OUTCOME_STYLES[outcomeOf(check, degradedThreshold)]} weight="font-normal" />
          </button>
        </td>
        <td className={`${CELL} whitespace-nowrap text-muted tabular-nums`}>
          <Moment at={check.checkedAt} now={now} />
        </td>
        <td className={`${CELL} font-mono text-xs whitespace-nowrap max-sm:order-4 max-sm:text-muted`}>
          {check.region === null ? '–' : <RegionName id={check.region} />}
        </td>
        <td className={`${CELL} text-right whitespace-nowrap tabular-nums`}>
          {formatMs(check.responseTime)}
        </td>
        <td className={`${CELL} text-right font-mono text-xs max-sm:order-5 max-sm:col-span-2`}>
          {check.statusCode ?? <span className="max-sm:hidden">–</span>}
        </td>
        <td className={`${CELL} text-muted wrap-anywhere max-sm:order-6 max-sm:col-span-3 max-sm:text-xs`}>
          {check.trigger === 'manual' ? (
            <Mark title="Checked on request: does not count toward status, uptime or response times">
              manual
            </Mark>
          ) : null}
          {check.late ? (
            <Mark title="Delivered too late to count toward status or uptime: the probe could not reach Pharos in time">
              late
            </Mark>
          ) : null}
          {check.errorMessage === null ? null : <span className="mr-2">{check.errorMessage}</span>}
          {evidenceHref === null ? null : (
            // Above the button that covers the row.
            <span className="relative whitespace-nowrap">
              <TextLink isAlone href={evidenceHref}>
                Evidence
              </TextLink>
            </span>
          )}
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

function Mark({ title, children }: { title: string; children: string }) {
  return (
    <span
      title={title}
      className="mr-2 rounded border border-line bg-sunken px-1.5 py-px text-xs whitespace-nowrap text-ink"
    >
      {children}
    </span>
  );
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
