import type { Metadata } from 'next';
import type { PageProps } from '@/app/page-props';
import { IncidentFilterForm } from '@/components/incidents/incident-filter-form';
import { IncidentList } from '@/components/incidents/incident-list';
import { AutoRefresh } from '@/components/shell/auto-refresh';
import { EmptyList, ListHeading } from '@/components/shell/list-heading';
import { countFilters } from '@/components/ui/forms/count-filters';
import { Pagination } from '@/components/ui/navigation/pagination';
import { EmptyNote } from '@/components/ui/section';
import { TextLink } from '@/components/ui/text-link';
import { permits } from '@/lib/domain/context/permissions';
import { readIncidentLog } from '@/lib/domain/incidents/read-incident-log';
import { readIncidentStories } from '@/lib/domain/incidents/read-incident-stories';
import { listMonitorNames } from '@/lib/domain/monitors/lists/list-monitors';
import {
  formatIncidentLog,
  type IncidentLogQuery,
  incidentLogSchema,
} from '@/lib/schemas/incidents/incident-log';
import { requireSession } from '@/lib/web/http/dashboard-session';
import { refreshAction } from '../../actions';

export const metadata: Metadata = { title: 'Incidents' };

const PATH = '/incidents';
const PAGE = 50;

export default async function IncidentsPage({ searchParams }: PageProps) {
  const { ctx } = await requireSession();
  const query = incidentLogSchema.parse(await searchParams);
  const [{ items, next }, monitors] = await Promise.all([
    readIncidentLog(ctx, { ...query, limit: PAGE }),
    listMonitorNames(ctx),
  ]);
  const stories = await readIncidentStories(
    ctx,
    items.map(({ id }) => id),
  );
  const isEmpty = items.length === 0 && countFilters(query) === 0 && query.after === null;
  const create = permits(ctx, 'incident.create')
    ? { href: '/incidents/new', label: 'Open an incident' }
    : null;
  const pageHref = (after: IncidentLogQuery['after']) => `${PATH}?${formatIncidentLog({ ...query, after })}`;
  return (
    <div className="flex flex-col gap-5">
      <AutoRefresh refresh={refreshAction} of={['changes']} />
      <ListHeading title="Incidents" create={isEmpty ? null : create}>
        <TextLink isAlone href="/incidents/templates">
          Templates
        </TextLink>
      </ListHeading>
      {isEmpty ? (
        <EmptyList
          title="No incidents"
          text="An incident opens automatically when a monitor goes down, and is resolved when it recovers. For anything monitors can’t see, open one yourself: status pages show it, and subscribers are notified."
          create={create}
        />
      ) : (
        <>
          <IncidentFilterForm path={PATH} query={query} monitors={monitors} />
          {items.length === 0 ? <EmptyNote>No matching incidents.</EmptyNote> : null}
          <IncidentList
            incidents={items}
            stories={stories}
            names={new Map(monitors.map(({ id, name }) => [id, name]))}
            now={ctx.clock.now()}
          />
          <Pagination first={query.after && pageHref(null)} next={next && pageHref(next)} />
        </>
      )}
    </div>
  );
}
