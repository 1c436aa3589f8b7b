import { Plus } from 'lucide-react';
import type { Metadata } from 'next';
import Link from 'next/link';
import { EmptyList, MaintenanceList } from '@/components/maintenance/maintenance-list';
import { AutoRefresh } from '@/components/shell/auto-refresh';
import { buttonLook } from '@/components/ui/button';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { permits } from '@/lib/domain/context/permissions';
import { listMaintenance } from '@/lib/domain/maintenance/read-maintenance';
import { listMonitorNames } from '@/lib/domain/monitors/list-monitors';
import type { Maintenance, MaintenanceStatus } from '@/lib/schemas/maintenance';
import { requireSession } from '@/lib/web/http/dashboard-session';
import { refreshAction } from '../../actions';

export const dynamic = 'force-dynamic';
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
  const mayCreate = permits(ctx, 'maintenance.create');
  return (
    <div className="flex flex-col gap-5">
      <AutoRefresh refresh={refreshAction} of={['changes']} />
      <div className="flex min-h-8 flex-wrap items-center gap-x-3 gap-y-1">
        <h1 className="text-lg font-semibold">Maintenance</h1>
        {mayCreate && !isEmpty ? (
          <Link
            prefetch={false}
            href="/maintenance/new"
            className={`${buttonLook({ tone: 'primary' })} ml-auto`}
          >
            <Plus aria-hidden="true" />
            Plan maintenance
          </Link>
        ) : null}
      </div>
      {isEmpty ? <EmptyList mayWrite={mayCreate} /> : null}
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
