import { ChevronLeft } from 'lucide-react';
import type { Metadata } from 'next';
import Link from 'next/link';
import { notFound } from 'next/navigation';
import { cache } from 'react';
import { MaintenanceNote } from '@/components/monitors/maintenance-note';
import { MonitorActions } from '@/components/monitors/monitor-actions';
import { MonitorFacts } from '@/components/monitors/monitor-facts';
import { OpenIncident } from '@/components/monitors/open-incident';
import { ResultTable } from '@/components/monitors/result-table';
import { standingOf } from '@/components/monitors/standing';
import { StandingBadge } from '@/components/monitors/standing-badge';
import { AutoRefresh } from '@/components/shell/auto-refresh';
import { Moment } from '@/components/ui/moment';
import type { OrganizationContext } from '@/lib/context/organization-context';
import { permits } from '@/lib/context/permissions';
import { DomainError } from '@/lib/core/errors';
import { requireSession } from '@/lib/http/dashboard-session';
import { listMaintenance } from '@/lib/maintenance/read-maintenance';
import { getMonitor } from '@/lib/monitors/get-monitor';
import { readResults } from '@/lib/monitors/read-results';
import { readStanding } from '@/lib/monitors/read-standing';
import { refreshAction } from '../../actions';
import { deleteAction, setEnabledAction } from './actions';

export const dynamic = 'force-dynamic';

const SHOWN_RESULTS = 50;

type Props = { params: Promise<{ id: string }> };

/** Once a request, for the title and the page. */
const load = cache(async (id: string) => {
  const { ctx } = await requireSession();
  try {
    return { ctx, monitor: await getMonitor(ctx, id) };
  } catch (error) {
    if (error instanceof DomainError && error.code === 'NOT_FOUND') notFound();
    throw error;
  }
});

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { monitor } = await load((await params).id);
  return { title: monitor.name };
}

export default async function MonitorPage({ params }: Props) {
  const { ctx, monitor } = await load((await params).id);
  const [results, { since, incident }, window] = await Promise.all([
    readResults(ctx, monitor.id, SHOWN_RESULTS),
    readStanding(ctx, monitor.id),
    monitor.maintenance ? readCurrentWindow(ctx, monitor.id) : null,
  ]);
  const now = ctx.clock.now();
  return (
    <div className="flex flex-col gap-5">
      <AutoRefresh refresh={refreshAction} />
      <div className="flex flex-col gap-2">
        <Link
          prefetch={false}
          href="/monitors"
          className="flex items-center gap-1 self-start text-sm text-muted hover:text-ink"
        >
          <ChevronLeft className="size-4" aria-hidden="true" />
          Monitors
        </Link>
        <div className="flex flex-wrap items-start justify-between gap-3">
          <div className="min-w-0">
            <h1 className="text-lg font-semibold break-words">{monitor.name}</h1>
            <p className="font-mono text-xs break-all text-muted">{monitor.url}</p>
          </div>
          {permits(ctx, 'monitor.update') ? (
            <MonitorActions
              name={monitor.name}
              enabled={monitor.enabled}
              setEnabled={setEnabledAction.bind(null, monitor.id, !monitor.enabled)}
              remove={deleteAction.bind(null, monitor.id)}
            />
          ) : null}
        </div>
        <p className="flex flex-wrap items-center gap-x-1.5">
          <span aria-live="polite" className="flex">
            <StandingBadge standing={standingOf(monitor)} />
          </span>
          {since ? (
            <span className="text-muted">
              for <Moment at={since.toISOString()} now={now.toISOString()} as="duration" />
            </span>
          ) : null}
        </p>
      </div>
      {window ? <MaintenanceNote status={monitor.status} window={window} /> : null}
      {incident ? <OpenIncident incident={incident} now={now} /> : null}
      <MonitorFacts monitor={monitor} now={now} />
      <section className="flex flex-col gap-2">
        <h2 className="text-sm font-semibold">Latest checks</h2>
        {results.length > 0 ? (
          <ResultTable results={results} now={now} />
        ) : (
          <p className="rounded-lg border border-line bg-surface px-4 py-6 text-muted">
            No check was done yet.{monitor.enabled ? ' The first one follows within seconds.' : ''}
          </p>
        )}
      </section>
    </div>
  );
}

/** The window that ends last of those that go on. */
async function readCurrentWindow(ctx: OrganizationContext, monitor: string) {
  const { items } = await listMaintenance(ctx, { status: 'active', monitor, limit: 100 });
  return items
    .map(({ id, title, occurrence, endsAt, timeZone }) => {
      return { id, title, timeZone, until: occurrence?.endsAt ?? endsAt };
    })
    .reduce<{ id: string; title: string; timeZone: string; until: string } | null>(
      (last, each) => (last !== null && last.until >= each.until ? last : each),
      null,
    );
}
