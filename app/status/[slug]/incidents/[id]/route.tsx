import { pageRoute, type ReadCall } from '@/app/status/page-route';
import { Document } from '@/components/status-page/document';
import { IncidentDetail, readIncident, SEVERITY_TONE } from '@/components/status-page/incident-card';
import { readIncidentView } from '@/lib/domain/status-pages/public/read-history-view';

export const dynamic = 'force-dynamic';

/** One incident under its permanent URL. */
export const GET = pageRoute({
  read: ({ services, params: { slug, id }, admit }: ReadCall<{ slug: string; id: string }>) =>
    readIncidentView(services, slug, id, admit),
  draw: (view, drawing) => {
    const { incident, page } = view;
    const { place, t } = drawing;
    const tone = incident.resolvedAt === null ? SEVERITY_TONE[incident.severity] : 'good';
    return (
      <Document
        {...drawing}
        page={page}
        path={`/incidents/${incident.id}`}
        title={readIncident(incident, t).title}
        tone={tone}
      >
        <IncidentDetail view={view} place={place} t={t} />
      </Document>
    );
  },
});
