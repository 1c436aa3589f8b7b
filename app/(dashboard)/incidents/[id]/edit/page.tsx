import type { Metadata } from 'next';
import type { PageProps } from '@/app/page-props';
import { IMPACT } from '@/components/incidents/impact-prefix';
import { IncidentForm } from '@/components/incidents/incident-form';
import { FormPage } from '@/components/shell/page-heading';
import { translationValues } from '@/components/translations/translation-names';
import { permits } from '@/lib/domain/context/permissions';
import { listMonitorNames } from '@/lib/domain/monitors/lists/list-monitors';
import { readAudiences } from '@/lib/domain/status-pages/public-address';
import { updateIncidentAction } from '../../actions';
import { loadIncident } from '../../load-incident';

export const metadata: Metadata = { title: 'Edit incident' };

export default async function EditIncidentPage({ params }: PageProps<'id'>) {
  const { ctx, found: incident } = await loadIncident((await params).id);
  const { id, title, severity, affectedMonitors, affectedComponents, impacts, translations } = incident;
  const [monitors, pages] = await Promise.all([listMonitorNames(ctx), readAudiences(ctx)]);
  return (
    <FormPage
      back={{ href: `/incidents/${id}`, label: title }}
      title="Edit incident"
      mayWrite={permits(ctx, 'incident.update')}
    >
      <IncidentForm
        save={updateIncidentAction.bind(null, id)}
        initial={{
          title,
          severity,
          affectedMonitors: affectedMonitors.join(','),
          affectedComponents: affectedComponents.join(','),
          ...Object.fromEntries(Object.entries(impacts).map(([id, each]) => [`${IMPACT}${id}`, each])),
          ...translationValues(translations),
        }}
        monitors={monitors}
        pages={pages}
        isNew={false}
        cancelHref={`/incidents/${id}`}
      />
    </FormPage>
  );
}
