import Link from 'next/link';
import { nameRegions, type RegionNames } from '@/components/monitors/regions/name-region';
import { LinkKeys } from '@/components/shell/shortcuts/link-keys';
import { Segments } from '@/components/ui/navigation/segments';
import { Section } from '@/components/ui/section';
import type { IncidentSummary } from '@/lib/domain/incidents/read-incidents';
import type { Overview } from '@/lib/domain/monitors/read-overview';
import type { Marker } from '@/lib/schemas/monitor/marker';
import type { MonitorView } from '@/lib/schemas/monitor/monitor-view';
import { CHART_WINDOWS } from '@/lib/schemas/monitor/stats';
import { formatWindow } from '../format-numbers';
import { monitorHref } from '../monitor-href';
import { chartData } from './chart-data';
import { packChart } from './packed-chart';
import { ResponseChart } from './response-chart';

type Props = {
  id: string;
  view: MonitorView;
  overview: Overview;
  names: RegionNames;
  incidents: IncidentSummary[];
  markers: Marker[];
  /** The range was chosen to fit an outage. */
  isFitted: boolean;
};

/** The response time chart; its time range and lines are chosen in the URL. */
export function ResponseSection({ id, view, overview, names, incidents, markers, isFitted }: Props) {
  const at = (change: Partial<MonitorView>) => monitorHref(id, { ...view, ...change });
  const places = nameRegions(
    names,
    overview.regions.map(({ region }) => region),
  ).length;
  // One place has no lines of its own.
  const by = places > 1 ? view.by : 'all';
  const isZoomed = overview.window === null;
  const choices = (
    <>
      {isFitted ? <span className="text-xs text-muted">Zoomed to the outage</span> : null}
      {isZoomed ? (
        <Link
          prefetch={false}
          scroll={false}
          href={at({ from: undefined, to: undefined })}
          className="text-sm text-accent underline underline-offset-2"
        >
          Reset zoom
        </Link>
      ) : null}
      {places > 1 ? (
        <Segments
          label="Chart lines"
          segments={[
            { label: 'Percentiles', href: at({ by: 'all' }), isChosen: by === 'all' },
            { label: 'By region', href: at({ by: 'region' }), isChosen: by === 'region' },
          ]}
        />
      ) : null}
      <Segments
        label="Time range"
        segments={CHART_WINDOWS.map((window) => ({
          label: formatWindow(window),
          href: at({ window, from: undefined, to: undefined }),
          isChosen: overview.window === window,
        }))}
      />
    </>
  );
  const keys = CHART_WINDOWS.map((window) => ({
    label: `Chart: ${formatWindow(window)}`,
    href: at({ window, from: undefined, to: undefined }),
  }));
  return (
    <Section title={by === 'region' ? 'Median response time by region' : 'Response time'} aside={choices}>
      <LinkKeys links={keys} />
      <ResponseChart
        key={`${by} ${overview.window ?? overview.from.getTime()}`}
        packed={packChart(chartData(overview, { by, names, incidents, markers }))}
      />
    </Section>
  );
}
