import type { Metadata } from 'next';
import type { PageProps } from '@/app/page-props';
import { formatFailing, type Resolving } from '@/components/incidents/consequences';
import { IncidentActions } from '@/components/incidents/incident-actions';
import { Affected, IncidentFacts, IncidentHeading } from '@/components/incidents/incident-facts';
import { PostmortemSection } from '@/components/incidents/postmortem-section';
import { PublishButton } from '@/components/incidents/publish-button';
import { ScheduledUpdates } from '@/components/incidents/scheduled-updates';
import { type Audience, componentsOf, ShownOn } from '@/components/incidents/shown-on';
import { StoryMembers } from '@/components/incidents/stories/story-members';
import { Timeline } from '@/components/incidents/timeline/timeline';
import { UpdateForm } from '@/components/incidents/update-form';
import { AutoRefresh } from '@/components/shell/auto-refresh';
import { Section } from '@/components/ui/section';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { permits } from '@/lib/domain/context/permissions';
import { previewResolution } from '@/lib/domain/incidents/preview-resolution';
import { readReasons } from '@/lib/domain/incidents/read-incident-log';
import { listStoryMembers, readIncidentStories } from '@/lib/domain/incidents/read-incident-stories';
import { listIncidentTemplates } from '@/lib/domain/incidents/templates/read-templates';
import { readMonitorStandings } from '@/lib/domain/monitors/read-standings';
import { readTimeline } from '@/lib/domain/timelines/read-timeline';
import { getEnvironment } from '@/lib/env';
import type { Incident } from '@/lib/schemas/incidents/incident';
import { loadWorkerNotes } from '../../act';
import { refreshAction } from '../../actions';
import {
  acknowledgeAction,
  cancelUpdateAction,
  changePublicationAction,
  deleteIncidentAction,
  postUpdateAction,
  reopenAction,
  resolveAction,
  resolveWhenUpAction,
  unacknowledgeAction,
} from '../actions';
import { loadAudience, loadIncident } from '../load-incident';

/** Other incidents of the same story. */
const MAX_OTHERS = 20;

export async function generateMetadata({ params }: PageProps<'id'>): Promise<Metadata> {
  const { found: incident } = await loadIncident((await params).id);
  return { title: incident.title };
}

export default async function IncidentPage({ params }: PageProps<'id'>) {
  const { ctx, found: incident } = await loadIncident((await params).id);
  const { id, status, affectedMonitors } = incident;
  const mayWrite = permits(ctx, 'incident.update');
  const [{ monitors, audience, reasons, entries, templates, story, names }, preview] = await Promise.all([
    readIncident(ctx, incident),
    mayWrite ? previewResolution(ctx, id) : null,
  ]);
  const resolving = preview && { preview, audience };
  const components = componentsOf(audience.pages).flatMap(({ id: own, name }) =>
    incident.affectedComponents.includes(own) ? name : [],
  );
  const now = ctx.clock.now();
  return (
    <div className="flex flex-col gap-6">
      <AutoRefresh refresh={refreshAction} of={['changes']} />
      <Heading incident={incident} resolving={resolving} now={now} mayWrite={mayWrite} />
      <div className="grid gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="flex min-w-0 flex-col gap-6">
          {mayWrite ? (
            <UpdateForm
              post={postUpdateAction.bind(null, id)}
              current={status}
              resolveAfterMinutes={incident.resolveAfterMinutes}
              failing={preview && formatFailing(preview)}
              audience={audience}
              templates={templates}
            />
          ) : null}
          <ScheduledUpdates
            incident={incident}
            now={now.toISOString()}
            cancel={mayWrite ? cancelUpdateAction.bind(null, id) : null}
          />
          <Timeline
            incident={incident}
            entries={entries}
            reasons={reasons}
            serviceName={getEnvironment().SERVICE_NAME}
            names={names}
            now={now}
            mayWrite={mayWrite}
          />
          <PostmortemSection incident={incident} mayWrite={mayWrite} />
        </div>
        <div className="flex min-w-0 flex-col gap-6">
          <IncidentFacts incident={incident} now={now} />
          <Affected
            monitors={monitors}
            deleted={affectedMonitors.length - monitors.length}
            components={components}
          />
          {story ? <StoryMembers {...story} /> : null}
          <Publications incident={incident} audience={audience} now={now} mayWrite={mayWrite} />
        </div>
      </div>
    </div>
  );
}

async function readIncident(ctx: OrganizationContext, incident: Incident) {
  const { id, automatic, affectedMonitors } = incident;
  const [monitors, audience, reasons, entries, templates, story, { regionNames: names }] = await Promise.all([
    readMonitorStandings(ctx, affectedMonitors),
    loadAudience(id),
    automatic ? readReasons(ctx, id) : {},
    readTimeline(ctx, incident),
    listIncidentTemplates(ctx),
    loadStory(ctx, id),
    loadWorkerNotes(),
  ]);
  return { monitors, audience, reasons, entries, templates, story, names };
}

type PartProps = { incident: Incident; now: Date; mayWrite: boolean };

function Heading({ incident, resolving, now, mayWrite }: PartProps & { resolving: Resolving | null }) {
  const { id, title, status, acknowledgedAt } = incident;
  const isAcknowledged = acknowledgedAt !== null;
  return (
    <IncidentHeading incident={incident} now={now}>
      {mayWrite ? (
        <IncidentActions
          id={id}
          title={title}
          status={status}
          resolving={resolving}
          toggle={(resolving ? resolveAction : reopenAction).bind(null, id)}
          wait={resolveWhenUpAction.bind(null, id)}
          isAcknowledged={isAcknowledged}
          acknowledge={(isAcknowledged ? unacknowledgeAction : acknowledgeAction).bind(null, id)}
          remove={deleteIncidentAction.bind(null, id)}
        />
      ) : null}
    </IncidentHeading>
  );
}

/** The pages that show the incident, each with a button that changes that. */
function Publications({ incident, audience, now, mayWrite }: PartProps & { audience: Audience }) {
  const { id } = incident;
  return (
    <Section title="Shown on">
      <ShownOn
        audience={audience}
        incident={{ ...incident, ageMs: now.getTime() - Date.parse(incident.createdAt) }}
        renderToggle={(page) => {
          const isPublished = incident.publishedOn.includes(page.id);
          const toggle = changePublicationAction.bind(null, id, page.id, !isPublished);
          return mayWrite ? (
            <PublishButton isPublished={isPublished} pageName={page.name} toggle={toggle} />
          ) : null;
        }}
      />
    </Section>
  );
}

/** The story to which an incident belongs, with the others; null if it stands alone. */
async function loadStory(ctx: OrganizationContext, id: string) {
  const story = (await readIncidentStories(ctx, [id])).get(id);
  if (story === undefined) return null;
  return { story, others: await listStoryMembers(ctx, story.id, { except: id, limit: MAX_OTHERS }) };
}
