import type { Metadata } from 'next';
import type { PageProps } from '@/app/page-props';
import { PostmortemForm } from '@/components/incidents/postmortem-form';
import { draftPostmortem } from '@/components/incidents/postmortem-section';
import { FormPage } from '@/components/shell/page-heading';
import { permits } from '@/lib/domain/context/permissions';
import { readMonitorStandings } from '@/lib/domain/monitors/read-standings';
import { readTimeline } from '@/lib/domain/timelines/read-timeline';
import { savePostmortemAction } from '../../actions';
import { loadAudience, loadIncident } from '../../load-incident';

export const metadata: Metadata = { title: 'Postmortem' };

export default async function PostmortemPage({ params }: PageProps<'id'>) {
  const { ctx, found: incident } = await loadIncident((await params).id);
  const { id, title, affectedMonitors, postmortem, postmortemPublished } = incident;
  const [monitors, { pages }, entries] = await Promise.all([
    readMonitorStandings(ctx, affectedMonitors),
    loadAudience(id),
    postmortem === null ? readTimeline(ctx, incident) : [],
  ]);
  const names = monitors.map(({ name }) => name);
  return (
    <FormPage
      back={{ href: `/incidents/${id}`, label: title }}
      title="Postmortem"
      isWide
      mayWrite={permits(ctx, 'incident.update')}
    >
      <PostmortemForm
        save={savePostmortemAction.bind(null, id)}
        text={postmortem ?? draftPostmortem(incident, names, entries)}
        isPublished={postmortemPublished}
        pages={pages.filter(({ published }) => published).map(({ name }) => name)}
        cancelHref={`/incidents/${id}`}
      />
    </FormPage>
  );
}
