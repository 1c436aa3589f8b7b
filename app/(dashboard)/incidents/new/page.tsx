import type { Metadata } from 'next';
import { IncidentForm } from '@/components/incidents/incident-form';
import { BackLink } from '@/components/shell/back-link';
import { ReadOnlyNote } from '@/components/shell/read-only-note';
import { permits } from '@/lib/domain/context/permissions';
import { listMonitorNames } from '@/lib/domain/monitors/list-monitors';
import { readAudiences } from '@/lib/domain/status-pages/public-address';
import { requireSession } from '@/lib/web/http/dashboard-session';
import { createIncidentAction } from '../actions';

export const dynamic = 'force-dynamic';
export const metadata: Metadata = { title: 'Open an incident' };

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> };

/** `?monitor=` preselects a monitor, for links from its page. */
export default async function NewIncidentPage({ searchParams }: Props) {
  const { ctx } = await requireSession();
  const { monitor } = await searchParams;
  const [monitors, pages] = await Promise.all([listMonitorNames(ctx), readAudiences(ctx)]);
  const preselected = monitors.some(({ id }) => id === monitor) ? String(monitor) : '';
  return (
    <div className="mx-auto flex max-w-2xl flex-col gap-5">
      <div className="flex flex-col gap-2">
        <BackLink href="/incidents" label="Incidents" />
        <h1 className="text-lg font-semibold">Open an incident</h1>
      </div>
      {permits(ctx, 'incident.create') ? (
        <IncidentForm
          save={createIncidentAction}
          initial={{ severity: 'major', status: 'investigating', affectedMonitors: preselected }}
          monitors={monitors}
          pages={pages}
          isNew
          cancelHref="/incidents"
        />
      ) : (
        <ReadOnlyNote />
      )}
    </div>
  );
}
