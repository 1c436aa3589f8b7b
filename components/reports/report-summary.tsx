import { Fact, Facts } from '@/components/ui/fold';
import type { Report } from '@/lib/schemas/reports/report';
import { formatBudget, formatLength, formatUptime, isMissed } from '@/lib/schemas/reports/report-texts';

type Props = { report: Pick<Report, 'total' | 'target' | 'monitors'> };

/** What the report amounts to for all of its monitors. */
export function ReportSummary({ report: { total, target, monitors } }: Props) {
  const missed = monitors.filter((line) => isMissed(line)).length;
  const known = monitors.filter((line) => isMissed(line) !== null).length;
  return (
    <Facts className="grid-cols-2 sm:grid-cols-3 lg:grid-cols-6">
      <Fact term={total.measured ? 'Uptime, corrected' : 'Uptime'}>
        {formatUptime(total.uptimePercentage)}
        {total.measured ? (
          <span className="block text-xs text-muted">
            {formatUptime(total.measured.uptimePercentage)} measured
          </span>
        ) : null}
      </Fact>
      <Fact term={`Target, ${target}%`}>
        {known === 0 ? (
          '–'
        ) : missed === 0 ? (
          <span className="text-good">Met by all {known}</span>
        ) : (
          <span className="text-bad">
            Missed by {missed} of {known}
          </span>
        )}
      </Fact>
      <Fact term="Error budget, total">{total.knownMs === 0 ? '–' : formatBudget(total.budgetLeftMs)}</Fact>
      <Fact term="Downtime">{formatLength(total.downMs)}</Fact>
      <Fact term="Outages">{total.outages.toLocaleString('en')}</Fact>
      <Fact term="Longest outage">{formatLength(total.longestOutageMs)}</Fact>
    </Facts>
  );
}
