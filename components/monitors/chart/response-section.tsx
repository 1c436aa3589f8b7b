import { Segments } from '@/components/ui/segments';
import type { Overview } from '@/lib/domain/monitors/read-overview';
import type { Incident } from '@/lib/schemas/incidents/incident';
import type { MonitorView } from '@/lib/schemas/monitor/monitor-view';
import { UPTIME_WINDOWS } from '@/lib/schemas/monitor/stats';
import { monitorHref } from '../monitor-href';
import { chartData } from './chart-data';
import { ResponseChart } from './response-chart';

type Props = { id: string; view: MonitorView; overview: Overview; incidents: Incident[] };

const WINDOW_LABELS = { '24h': '24 hours', '7d': '7 days', '30d': '30 days', '90d': '90 days' } as const;

/** The response time chart; its time range and lines are chosen in the URL. */
export function ResponseSection({ id, view, overview, incidents }: Props) {
  const at = (change: Partial<MonitorView>) => monitorHref(id, { ...view, ...change });
  return (
    <section aria-labelledby="response-title" className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-2">
        <h2 id="response-title" className="mr-auto text-sm font-semibold">
          {view.by === 'region' ? 'Median response time by region' : 'Response time'}
        </h2>
        {overview.regions.length > 1 || view.by === 'region' ? (
          <Segments
            label="Chart lines"
            segments={[
              { label: 'Percentiles', href: at({ by: 'all' }), isChosen: view.by === 'all' },
              { label: 'By region', href: at({ by: 'region' }), isChosen: view.by === 'region' },
            ]}
          />
        ) : null}
        <Segments
          label="Time range"
          segments={UPTIME_WINDOWS.map((window) => ({
            label: WINDOW_LABELS[window],
            href: at({ window }),
            isChosen: view.window === window,
          }))}
        />
      </div>
      <ResponseChart key={view.by} data={chartData(overview, { by: view.by, incidents })} />
    </section>
  );
}
