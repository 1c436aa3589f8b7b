import { Fact, Facts } from '@/components/ui/facts';
import { Moment } from '@/components/ui/moment';
import type { Monitor } from '@/lib/schemas/monitor';
import { formatPercent } from './percent';

/** What a monitor does and how it has fared, at a glance. */
export function MonitorFacts({ monitor, now }: { monitor: Monitor; now: Date }) {
  const { lastCheckedAt, lastResponseTime } = monitor;
  const asks =
    monitor.type === 'http' ? `${monitor.method}, expects ${monitor.expectedStatusCode}` : monitor.type;
  return (
    <Facts className="sm:grid-cols-3 lg:grid-cols-6">
      <Fact term="Uptime, 30 days">{formatPercent(monitor.uptimePercentage)}</Fact>
      <Fact term="Last response">{lastResponseTime === null ? '–' : `${lastResponseTime} ms`}</Fact>
      <Fact term="Last check">
        {lastCheckedAt === null ? 'never' : <Moment at={lastCheckedAt} now={now.toISOString()} />}
      </Fact>
      <Fact term="Checked">{`every ${monitor.interval}\u00a0s, timeout ${monitor.timeout}\u00a0s`}</Fact>
      <Fact term="From">{monitor.regions.join(', ')}</Fact>
      <Fact term="Asks">{asks}</Fact>
    </Facts>
  );
}
