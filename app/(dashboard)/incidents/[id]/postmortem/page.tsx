import type { Metadata } from 'next';
import { PostmortemForm } from '@/components/incidents/postmortem-form';
import { draftPostmortem } from '@/components/incidents/postmortem-section';
import { BackLink } from '@/components/shell/back-link';
import { ReadOnlyNote } from '@/components/shell/read-only-note';
import { permits } from '@/lib/domain/context/permissions';
import { readMonitorStandings } from '@/lib/domain/monitors/read-standings';
import { savePostmortemAction } from '../../actions';
import { loadAudience, loadIncident } from '../../load-incident';

export const dynamic = 'force-dynamic';
export const metadata: Metadata = { title: 'Postmortem' };

type Props = { params: Promise<{ id: string }> };

export default async function PostmortemPage({ params }: Props) {
  const { ctx, incident } = await loadIncident((await params).id);
  const { id, title, affectedMonitors, postmortem, postmortemPublished } = incident;
  const [monitors, { pages }] = await Promise.all([
    readMonitorStandings(ctx, affectedMonitors),
    loadAudience(id),
  ]);
  const names = monitors.map(({ name }) => name);
  return (
    <div className="flex flex-col gap-5">
      <div className="flex flex-col gap-2">
        <BackLink href={`/incidents/${id}`} label={title} />
        <h1 className="text-lg font-semibold">Postmortem</h1>
      </div>
      {permits(ctx, 'incident.update') ? (
        <PostmortemForm
          save={savePostmortemAction.bind(null, id)}
          text={postmortem ?? draftPostmortem(incident, names)}
          isPublished={postmortemPublished}
          pages={pages.filter(({ published }) => published).map(({ name }) => name)}
          cancelHref={`/incidents/${id}`}
        />
      ) : (
        <ReadOnlyNote />
      )}
    </div>
  );
}
