import type { ReactNode } from 'react';
import { Moment } from '@/components/ui/moment';
import type { Monitor } from '@/lib/schemas/monitor';
import { formatPercent } from './percent';

/** What a monitor does and how it has fared, at a glance. */
export function MonitorFacts({ monitor, now }: { monitor: Monitor; now: Date }) {
  const { lastCheckedAt, lastResponseTime } = monitor;
  const asks =
    monitor.type === 'http' ? `${monitor.method}, expects ${monitor.expectedStatusCode}` : monitor.type;
  return (
    <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-lg border border-line bg-line sm:grid-cols-3 lg:grid-cols-6">
      <Fact term="Uptime, 30 days">{formatPercent(monitor.uptimePercentage)}</Fact>
      <Fact term="Last response">{lastResponseTime === null ? '–' : `${lastResponseTime} ms`}</Fact>
      <Fact term="Last check">
        {lastCheckedAt === null ? 'never' : <Moment at={lastCheckedAt} now={now.toISOString()} />}
      </Fact>
      <Fact term="Checked">{`every ${monitor.interval}\u00a0s, timeout ${monitor.timeout}\u00a0s`}</Fact>
      <Fact term="From">{monitor.regions.join(', ')}</Fact>
      <Fact term="Asks">{asks}</Fact>
    </dl>
  );
}

function Fact({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div className="flex flex-col gap-0.5 bg-surface px-3 py-2.5">
      <dt className="text-xs text-muted">{term}</dt>
      <dd className="font-medium tabular-nums">{children}</dd>
    </div>
  );
}
