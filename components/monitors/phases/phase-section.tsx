import type { CSSProperties } from 'react';
import { nameRegion, nameRegions, type RegionNames } from '@/components/monitors/regions/name-region';
import { Section } from '@/components/ui/section';
import { Moment } from '@/components/ui/time/moment';
import type { LastFailure, PhaseSummary } from '@/lib/domain/monitors/history/read-phases';
import { formatMs } from '../format-numbers';
import { PhaseBar, phasesOf, SHADES, sumPhases } from './phase-bar';

const HEAD =
  'px-3 py-2 text-xs font-medium whitespace-nowrap text-muted max-sm:px-0 max-sm:py-1 max-sm:align-bottom max-sm:whitespace-normal';
const CELL = 'px-3 py-2 align-top tabular-nums max-sm:p-0';
/** On phones, a row is a line for the name and a line for the numbers. */
const HEAD_ROW = 'border-b border-line max-sm:grid max-sm:gap-x-1 max-sm:px-3';
const ROW = `${HEAD_ROW} last:border-0 max-sm:py-2`;

type Props = {
  summaries: PhaseSummary[];
  /** The last failed check of each region in the same time. */
  failures: LastFailure[];
  names: RegionNames;
  now: Date;
};

/** Where checks spend their time; nothing without checks. */
export function PhaseSection(props: Props) {
  if (props.summaries.length === 0 && props.failures.length === 0) return null;
  const note = 'Successful checks in the charted period: median, with the 95th percentile below.';
  return (
    <Section title="Phases" aside={<p className="text-xs text-muted">{note}</p>}>
      <PhaseTable {...props} />
    </Section>
  );
}

/** The median and 95th percentile of each phase, overall and by region, and the last failed check. */
function PhaseTable({ summaries: measured, failures, names, now }: Props) {
  const silent = failures.filter(({ region }) => !measured.some((each) => each.region === region));
  const summaries = [
    ...measured,
    ...silent.map(({ region }) => ({ region, checks: 0, p50: NONE, p95: NONE })),
  ];
  const phases = phasesOf(summaries.map(({ p50 }) => p50));
  const longest = Math.max(1, ...summaries.map(({ p50 }) => sumPhases(p50)));
  // On phones, in columns of equal width.
  const columns = { gridTemplateColumns: `repeat(${phases.length + 1}, minmax(0, 1fr))` };
  const regions = summaries.flatMap(({ region }) => region ?? []);
  const places = nameRegions(names, regions);
  // With one region, the overall row would only repeat it; regions that are one place would only repeat the overall row.
  const overall = summaries.filter(({ region }) => region === null);
  const each = places.length > 1 ? summaries : summaries.filter(({ region }) => region !== null);
  const rows = places.length === 1 && regions.length > 1 && overall.length > 0 ? overall : each;
  return (
    <div className="overflow-hidden rounded-lg border border-line bg-surface">
      <table className="w-full border-collapse max-sm:block">
        <PhaseHead phases={phases} columns={columns} />
        <tbody className="max-sm:block">
          {rows.map(({ region, checks, p50, p95 }) => {
            const failure =
              region === null && places.length > 1
                ? undefined
                : failures
                    .filter((each) => region === null || each.region === region)
                    .toSorted((a, b) => b.at.getTime() - a.at.getTime())[0];
            return (
              <tr key={region} className={ROW} style={columns}>
                <th scope="row" className={`${CELL} text-left font-normal max-sm:col-span-full`}>
                  <span className={region === null ? 'font-medium' : 'font-mono text-xs leading-5'}>
                    {region === null
                      ? places.length > 1
                        ? 'All regions'
                        : places[0]
                      : nameRegion(names, region)}
                  </span>
                  <span className="block text-xs text-muted max-sm:ml-2 max-sm:inline">
                    {checks === 0 ? 'no successful check' : `sample of ${checks}`}
                  </span>
                </th>
                <td className="px-3 py-3.5 align-top max-sm:hidden">
                  <PhaseBar phases={p50} longest={longest} />
                </td>
                {phases.map(({ key }) => (
                  <Cell key={key} p50={p50[key]} p95={p95[key]} />
                ))}
                <Cell p50={p50.responseTime} p95={p95.responseTime} isTotal />
                <td className={`${CELL} max-sm:col-span-full max-sm:text-xs`}>
                  {failure ? (
                    <Failure failure={failure} now={now} />
                  ) : (
                    <span className="max-sm:hidden">–</span>
                  )}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

type HeadProps = { phases: ReturnType<typeof phasesOf>; columns: CSSProperties };

function PhaseHead({ phases, columns }: HeadProps) {
  return (
    <thead className="max-sm:block">
      <tr className={HEAD_ROW} style={columns}>
        <th scope="col" className={`${HEAD} text-left max-sm:hidden`}>
          Region
        </th>
        <td className="w-1/4 max-sm:hidden" />
        {phases.map(({ key, label }) => (
          <th key={key} scope="col" className={`${HEAD} text-right`}>
            <span
              className={`mr-1.5 inline-block size-2 rounded-xs max-sm:hidden ${SHADES[key]}`}
              aria-hidden="true"
            />
            {label}
          </th>
        ))}
        <th scope="col" className={`${HEAD} text-right`}>
          Total
        </th>
        <th scope="col" className={`${HEAD} text-left max-sm:hidden`}>
          Last failed check
        </th>
      </tr>
    </thead>
  );
}

const NONE = { dns: null, connect: null, tls: null, firstByte: null, transfer: null, responseTime: null };

/** A median with the 95th percentile below. */
function Cell({ p50, p95, isTotal = false }: { p50: number | null; p95: number | null; isTotal?: boolean }) {
  return (
    <td className={`${CELL} text-right whitespace-nowrap max-sm:text-xs`}>
      <span className={isTotal ? 'font-medium' : ''}>{formatMs(p50)}</span>
      {p95 === null ? null : <span className="block text-xs text-muted">{formatMs(p95)}</span>}
    </td>
  );
}

function Failure({ failure, now }: { failure: LastFailure; now: Date }) {
  return (
    <>
      <span className="text-bad sm:block">
        <span className="sm:sr-only">Last failed </span>
        <Moment at={failure.at.toISOString()} now={now.toISOString()} />
      </span>
      <span className="text-xs text-muted wrap-anywhere max-sm:ml-2">{failure.error}</span>
    </>
  );
}
