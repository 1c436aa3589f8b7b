import { Plus } from 'lucide-react';
import type { Metadata } from 'next';
import Link from 'next/link';
import { IncidentFilterForm, isFiltered } from '@/components/incidents/incident-filter-form';
import { EmptyList, IncidentList } from '@/components/incidents/incident-list';
import { AutoRefresh } from '@/components/shell/auto-refresh';
import { buttonLook } from '@/components/ui/button';
import { Pagination } from '@/components/ui/pagination';
import { permits } from '@/lib/domain/context/permissions';
import { readIncidentLog } from '@/lib/domain/incidents/read-incident-log';
import { listMonitorNames } from '@/lib/domain/monitors/list-monitors';
import {
  formatIncidentLog,
  type IncidentLogQuery,
  incidentLogSchema,
} from '@/lib/schemas/incidents/incident-log';
import { requireSession } from '@/lib/web/http/dashboard-session';
import { refreshAction } from '../../actions';

export const dynamic = 'force-dynamic';
export const metadata: Metadata = { title: 'Incidents' };

const PATH = '/incidents';
const PAGE = 50;

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> };

export default async function IncidentsPage({ searchParams }: Props) {
  const { ctx } = await requireSession();
  const query = incidentLogSchema.parse(await searchParams);
  const [{ items, next }, monitors] = await Promise.all([
    readIncidentLog(ctx, { ...query, limit: PAGE }),
    listMonitorNames(ctx),
  ]);
  const isAll = !isFiltered(query) && query.after === null;
  const mayCreate = permits(ctx, 'incident.create');
  const pageHref = (after: IncidentLogQuery['after']) => `${PATH}?${formatIncidentLog({ ...query, after })}`;
  return (
    <div className="flex flex-col gap-5">
      <AutoRefresh refresh={refreshAction} of={['changes']} />
      <div className="flex min-h-8 flex-wrap items-center gap-x-3 gap-y-1">
        <h1 className="text-lg font-semibold">Incidents</h1>
        {mayCreate && !(isAll && items.length === 0) ? (
          <Link
            prefetch={false}
            href="/incidents/new"
            className={`${buttonLook({ tone: 'primary' })} ml-auto`}
          >
            <Plus aria-hidden="true" />
            Open an incident
          </Link>
        ) : null}
      </div>
      {isAll && items.length === 0 ? (
        <EmptyList mayWrite={mayCreate} />
      ) : (
        <>
          <IncidentFilterForm path={PATH} query={query} monitors={monitors} />
          {items.length === 0 ? (
            <p className="rounded-lg border border-line bg-surface px-4 py-6 text-muted">
              No matching incidents.
            </p>
          ) : null}
          <IncidentList
            incidents={items}
            names={new Map(monitors.map(({ id, name }) => [id, name]))}
            now={ctx.clock.now()}
          />
          <Pagination first={query.after && pageHref(null)} next={next && pageHref(next)} />
        </>
      )}
    </div>
  );
}
