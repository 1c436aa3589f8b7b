import type { Metadata } from 'next';
import type { PageProps } from '@/app/page-props';
import { IncidentForm } from '@/components/incidents/incident-form';
import { FormPage } from '@/components/shell/page-heading';
import { permits } from '@/lib/domain/context/permissions';
import { listIncidentTemplates } from '@/lib/domain/incidents/templates/read-templates';
import { listMonitorNames } from '@/lib/domain/monitors/lists/list-monitors';
import { readAudiences } from '@/lib/domain/status-pages/public-address';
import { requireSession } from '@/lib/web/http/dashboard-session';
import { createIncidentAction } from '../actions';

export const metadata: Metadata = { title: 'Open an incident' };

/** `?monitor=` preselects a monitor, for links from its page. */
export default async function NewIncidentPage({ searchParams }: PageProps) {
  const { ctx } = await requireSession();
  const { monitor } = await searchParams;
  const [monitors, pages, templates] = await Promise.all([
    listMonitorNames(ctx),
    readAudiences(ctx),
    listIncidentTemplates(ctx),
  ]);
  const preselected = monitors.some(({ id }) => id === monitor) ? String(monitor) : '';
  return (
    <FormPage
      back={{ href: '/incidents', label: 'Incidents' }}
      title="Open an incident"
      mayWrite={permits(ctx, 'incident.create')}
    >
      <IncidentForm
        save={createIncidentAction}
        initial={{ severity: 'major', status: 'investigating', affectedMonitors: preselected }}
        monitors={monitors}
        pages={pages}
        templates={templates}
        isNew
        cancelHref="/incidents"
      />
    </FormPage>
  );
}
