import type { Metadata } from 'next';
import { MaintenanceForm } from '@/components/maintenance/maintenance-form';
import { BackLink } from '@/components/shell/back-link';
import { ReadOnlyNote } from '@/components/shell/read-only-note';
import { permits } from '@/lib/domain/context/permissions';
import { listMonitorNames } from '@/lib/domain/monitors/list-monitors';
import { requireSession } from '@/lib/web/http/dashboard-session';
import { createMaintenanceAction, previewAction } from '../actions';
import { listTimeZones } from '../time-zones';

export const dynamic = 'force-dynamic';
export const metadata: Metadata = { title: 'Plan maintenance' };

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> };

/** `?monitor=` preselects a monitor, for links from its page. */
export default async function NewMaintenancePage({ searchParams }: Props) {
  const { ctx } = await requireSession();
  const { monitor } = await searchParams;
  return (
    <div className="mx-auto flex max-w-2xl flex-col gap-5">
      <div className="flex flex-col gap-2">
        <BackLink href="/maintenance" label="Maintenance" />
        <h1 className="text-lg font-semibold">Plan maintenance</h1>
      </div>
      {permits(ctx, 'maintenance.create') ? (
        <MaintenanceForm
          save={createMaintenanceAction}
          preview={previewAction}
          initial={{ timeZone: 'UTC', repeat: 'once', monitors: typeof monitor === 'string' ? monitor : '' }}
          monitors={await listMonitorNames(ctx)}
          timeZones={listTimeZones()}
          submitLabel="Plan maintenance"
        />
      ) : (
        <ReadOnlyNote />
      )}
    </div>
  );
}
