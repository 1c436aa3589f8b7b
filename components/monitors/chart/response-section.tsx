import { Segments } from '@/components/ui/navigation/segments';
import { Section } from '@/components/ui/section';
import type { IncidentSummary } from '@/lib/domain/incidents/read-incidents';
import type { Overview } from '@/lib/domain/monitors/read-overview';
import type { MonitorView } from '@/lib/schemas/monitor/monitor-view';
import { UPTIME_WINDOWS } from '@/lib/schemas/monitor/stats';
import { formatWindow } from '../format-numbers';
import { monitorHref } from '../monitor-href';
import { chartData } from './chart-data';
import { ResponseChart } from './response-chart';

type Props = { id: string; view: MonitorView; overview: Overview; incidents: IncidentSummary[] };

/** The response time chart; its time range and lines are chosen in the URL. */
export function ResponseSection({ id, view, overview, incidents }: Props) {
  const at = (change: Partial<MonitorView>) => monitorHref(id, { ...view, ...change });
  const choices = (
    <>
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
          label: formatWindow(window),
          href: at({ window }),
          isChosen: view.window === window,
        }))}
      />
    </>
  );
  return (
    <Section
      title={view.by === 'region' ? 'Median response time by region' : 'Response time'}
      aside={choices}
    >
      <ResponseChart key={view.by} data={chartData(overview, { by: view.by, incidents })} />
    </Section>
  );
}
