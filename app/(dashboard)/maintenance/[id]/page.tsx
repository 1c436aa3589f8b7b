import type { Metadata } from 'next';
import type { PageProps } from '@/app/page-props';
import { audienceOf } from '@/components/incidents/shown-on';
import { formatWindowDeletion } from '@/components/maintenance/consequences';
import { MaintenanceActions } from '@/components/maintenance/maintenance-actions';
import { MaintenanceForm } from '@/components/maintenance/maintenance-form';
import { MaintenanceFacts, MaintenanceStatusBadge } from '@/components/maintenance/maintenance-list';
import { formatSpan, repeatOf } from '@/components/maintenance/repeat';
import { PageHeading } from '@/components/shell/page-heading';
import { listTimeZones } from '@/lib/core/time/list-time-zones';
import { permits } from '@/lib/domain/context/permissions';
import { getMaintenance } from '@/lib/domain/maintenance/read-maintenance';
import { listMonitorNames } from '@/lib/domain/monitors/lists/list-monitors';
import { readAudiences } from '@/lib/domain/status-pages/public-address';
import { loaderOf } from '../../act';
import { deleteAction, endAction, previewAction, updateMaintenanceAction } from '../actions';
import { formValues } from '../read-form';

const load = loaderOf(getMaintenance);

export async function generateMetadata({ params }: PageProps<'id'>): Promise<Metadata> {
  const { found: window } = await load((await params).id);
  return { title: window.title };
}

export default async function MaintenanceWindowPage({ params }: PageProps<'id'>) {
  const { ctx, found: window } = await load((await params).id);
  const { id, title, status, occurrence, timeZone } = window;
  const [monitors, pages] = await Promise.all([listMonitorNames(ctx), readAudiences(ctx)]);
  const mayWrite = permits(ctx, 'maintenance.update');
  return (
    <div className="mx-auto flex max-w-2xl flex-col gap-5">
      <PageHeading
        back={{ href: '/maintenance', label: 'Maintenance' }}
        title={title}
        actions={
          mayWrite ? (
            <MaintenanceActions
              title={title}
              isActive={status === 'active'}
              deletion={formatWindowDeletion(window, audienceOf(pages, window.monitors))}
              end={endAction.bind(null, id)}
              remove={deleteAction.bind(null, id)}
            />
          ) : null
        }
      >
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span aria-live="polite" className="flex">
            <MaintenanceStatusBadge status={status} />
          </span>
          {occurrence ? (
            <span className="text-muted tabular-nums">
              {formatSpan(occurrence.startsAt, occurrence.endsAt, timeZone)} {timeZone}
            </span>
          ) : null}
        </p>
      </PageHeading>
      {mayWrite ? (
        <MaintenanceForm
          save={updateMaintenanceAction.bind(null, id)}
          preview={previewAction}
          initial={formValues(window, repeatOf(window.rrule))}
          monitors={monitors}
          timeZones={listTimeZones(timeZone)}
          submitLabel="Save changes"
        />
      ) : (
        <MaintenanceFacts
          window={window}
          names={monitors.filter((monitor) => window.monitors.includes(monitor.id)).map(({ name }) => name)}
        />
      )}
    </div>
  );
}
