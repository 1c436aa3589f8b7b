import type { Metadata } from 'next';
import { MaintenanceList } from '@/components/maintenance/maintenance-list';
import { AutoRefresh } from '@/components/shell/auto-refresh';
import { EmptyList, ListHeading } from '@/components/shell/list-heading';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { permits } from '@/lib/domain/context/permissions';
import { listMaintenance } from '@/lib/domain/maintenance/read-maintenance';
import { listMonitorNames } from '@/lib/domain/monitors/lists/list-monitors';
import type { Maintenance, MaintenanceStatus } from '@/lib/schemas/maintenance';
import { requireSession } from '@/lib/web/http/dashboard-session';
import { refreshAction } from '../../actions';

export const metadata: Metadata = { title: 'Maintenance' };

const MAX_SHOWN = 100;
const MAX_PAST = 20;

export default async function MaintenancePage() {
  const { ctx } = await requireSession();
  const [monitors, active, scheduled, finished] = await Promise.all([
    listMonitorNames(ctx),
    readWindows(ctx, 'active', MAX_SHOWN),
    readWindows(ctx, 'scheduled', MAX_SHOWN),
    readWindows(ctx, 'finished', MAX_PAST),
  ]);
  const names = new Map(monitors.map(({ id, name }) => [id, name]));
  const isEmpty = active.length + scheduled.length + finished.length === 0;
  const create = permits(ctx, 'maintenance.create')
    ? { href: '/maintenance/new', label: 'Plan maintenance' }
    : null;
  return (
    <div className="flex flex-col gap-5">
      <AutoRefresh refresh={refreshAction} of={['changes']} />
      <ListHeading title="Maintenance" create={isEmpty ? null : create} />
      {isEmpty ? (
        <EmptyList
          title="No maintenance planned"
          text="During a maintenance window, checks continue, but no alerts are sent, no incidents open, and the time does not count toward uptime. Status pages announce it in advance."
          create={create}
        />
      ) : null}
      <MaintenanceList heading="Active" windows={active.sort(byMoment('endsAt'))} names={names} />
      <MaintenanceList heading="Upcoming" windows={scheduled.sort(byMoment('startsAt'))} names={names} />
      <MaintenanceList heading="Past" windows={finished} names={names} />
    </div>
  );
}

async function readWindows(
  ctx: OrganizationContext,
  status: MaintenanceStatus,
  limit: number,
): Promise<Maintenance[]> {
  return (await listMaintenance(ctx, { status, limit })).items;
}

/** Compares by a time, earliest first. */
function byMoment(name: 'startsAt' | 'endsAt') {
  const moment = (window: Maintenance) => (window.occurrence ?? window)[name];
  return (a: Maintenance, b: Maintenance) => moment(a).localeCompare(moment(b));
}
