import { Section } from '@/components/ui/section';
import type { PhaseSummary } from '@/lib/domain/monitors/history/read-results';
import type { CheckResult } from '@/lib/schemas/monitor/result';
import type { UptimeWindow } from '@/lib/schemas/monitor/stats';
import { formatMs, formatWindow } from '../format-numbers';
import { PhaseBar, phasesOf, SHADES, sumPhases } from './phase-bar';

const HEAD =
  'px-3 py-2 text-xs font-medium whitespace-nowrap text-muted max-sm:px-0 max-sm:py-1 max-sm:align-bottom max-sm:whitespace-normal';
const CELL = 'px-3 py-2 align-top tabular-nums max-sm:p-0';
/** On phones, a row is a line for the name and a line for the numbers. */
const HEAD_ROW = 'border-b border-line max-sm:grid max-sm:gap-x-1 max-sm:px-3';
const ROW = `${HEAD_ROW} last:border-0 max-sm:py-2`;

type Props = {
  window: UptimeWindow;
  summaries: PhaseSummary[];
  /** The latest check of each region. */
  latest: CheckResult[];
};

/** Where checks spend their time; nothing before the first successful check. */
export function PhaseSection({ window, summaries, latest }: Props) {
  if (summaries.length === 0) return null;
  // Only individual results have phases, and they are kept for less time than the longest chart covers.
  const span =
    window === '90d' ? 'the retention period of individual results' : `the last ${formatWindow(window)}`;
  const note = `Medians of successful checks over ${span}, with the latest check below.`;
  return (
    <Section title="Phases" aside={<p className="text-xs text-muted">{note}</p>}>
      <PhaseTable summaries={summaries} latest={latest} />
    </Section>
  );
}

/** The median of each phase, overall and by region, with the latest check below. */
function PhaseTable({ summaries, latest }: Omit<Props, 'window'>) {
  const phases = phasesOf([...summaries.map(({ medians }) => medians), ...latest.map((each) => each.phases)]);
  const longest = Math.max(1, ...summaries.map(({ medians }) => sumPhases(medians)));
  const columns = { gridTemplateColumns: `repeat(${phases.length + 1}, minmax(0, 1fr))` };
  // With one region, the overall row would only repeat it.
  const rows = summaries.length === 2 ? summaries.slice(1) : summaries;
  return (
    <div className="overflow-hidden rounded-lg border border-line bg-surface">
      <table className="w-full border-collapse max-sm:block">
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
          </tr>
        </thead>
        <tbody className="max-sm:block">
          {rows.map(({ region, checks, medians }) => {
            const last = region === null ? undefined : latest.find((each) => each.region === region);
            return (
              <tr key={region} className={ROW} style={columns}>
                <th scope="row" className={`${CELL} text-left font-normal max-sm:col-span-full`}>
                  <span className={region === null ? 'font-medium' : 'font-mono text-xs leading-5'}>
                    {region ?? 'All regions'}
                  </span>
                  <span className="block text-xs text-muted max-sm:ml-2 max-sm:inline">
                    median of {checks}
                    {last ? ', latest' : ''}
                  </span>
                </th>
                <td className="px-3 py-3.5 align-top max-sm:hidden">
                  <PhaseBar phases={medians} longest={longest} />
                </td>
                {phases.map(({ key }) => (
                  <Cell key={key} median={medians[key]} last={last?.phases[key]} />
                ))}
                <Cell median={medians.responseTime} last={last?.responseTime} isTotal />
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

/** A median with the value of the latest check below; undefined if there is none to compare. */
function Cell(props: { median: number | null; last: number | null | undefined; isTotal?: boolean }) {
  const { median, last, isTotal = false } = props;
  return (
    <td className={`${CELL} text-right whitespace-nowrap max-sm:text-xs`}>
      <span className={isTotal ? 'font-medium' : ''}>{formatMs(median)}</span>
      {last === undefined ? null : <span className="block text-xs text-muted">{formatMs(last)}</span>}
    </td>
  );
}
