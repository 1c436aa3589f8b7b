import type { Metadata } from 'next';
import type { PageProps } from '@/app/page-props';
import { MaintenanceForm } from '@/components/maintenance/maintenance-form';
import { FormPage } from '@/components/shell/page-heading';
import { listTimeZones } from '@/lib/core/time/list-time-zones';
import { permits } from '@/lib/domain/context/permissions';
import { listMonitorNames } from '@/lib/domain/monitors/lists/list-monitors';
import { requireSession } from '@/lib/web/http/dashboard-session';
import { createMaintenanceAction, previewAction } from '../actions';

export const metadata: Metadata = { title: 'Plan maintenance' };

/** `?monitor=` preselects a monitor, for links from its page. */
export default async function NewMaintenancePage({ searchParams }: PageProps) {
  const { ctx } = await requireSession();
  const { monitor } = await searchParams;
  return (
    <FormPage
      back={{ href: '/maintenance', label: 'Maintenance' }}
      title="Plan maintenance"
      mayWrite={permits(ctx, 'maintenance.create')}
    >
      <MaintenanceForm
        save={createMaintenanceAction}
        preview={previewAction}
        initial={{ timeZone: 'UTC', repeat: 'once', monitors: typeof monitor === 'string' ? monitor : '' }}
        monitors={await listMonitorNames(ctx)}
        timeZones={listTimeZones()}
        submitLabel="Plan maintenance"
        isNew
      />
    </FormPage>
  );
}
