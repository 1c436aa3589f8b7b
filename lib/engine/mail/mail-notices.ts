import type { Logger } from '@/lib/core/logger';
import type { Services } from '@/lib/domain/context/services';
import { readDependents } from '@/lib/domain/monitors/dependencies/count-dependents';
import { readOnePlace } from '@/lib/domain/monitors/one-place';
import { joinThread } from '@/lib/domain/notices/mail-threads';
import { composeNoticeMail } from '@/lib/domain/notices/notice-mail';
import { addOutages } from '@/lib/domain/notices/read-outages';
import { readRegionNames } from '@/lib/notify/region-names';
import { readSharedStory } from '@/lib/notify/story-rows';
import type { Transaction } from '@/lib/platform/db/client';
import { Prisma } from '@/lib/platform/db/generated/client';
import type { MailContent, MailThread } from '@/lib/platform/mail/queue-mail';
import { formatCause } from '@/lib/state/announcements/stories/story-causes';
import { mailGathered, memberNotices, type NoticeSettings, type TakeNotices } from './gather-notices';
import { combineByAddress, findRecipients, queueAlertPushes, queueAlerts } from './recipients';
import { routeNotices, type TakenNotice } from './route-notices';

/** Organizations per poll; the next poll follows immediately. */
const BATCH = 20;

/** Versions before schema 5 write the effect of an outage of a region, and the region of a probe, as the error. */
const COLUMNS = Prisma.sql`
  id, kind, subject_id AS "subjectId", subject_name AS "subjectName",
  CASE WHEN kind LIKE 'monitor.%' THEN error END AS error,
  coalesce(effect, CASE WHEN kind = 'region.silent' THEN error END) AS effect,
  coalesce(region_name, CASE WHEN kind LIKE 'probe.%' THEN error END) AS "regionName", downtime,
  occurred_at AS "occurredAt", flapping, incident_id AS "incidentId"`;

/**
 * Queues emails and messages to browsers for the members and recipients of an organization who want gathered notices; see `mailGathered`.
 */
export function mailDueNotices(
  services: Services & { log?: Logger },
  { groupSeconds, appUrl }: NoticeSettings,
): Promise<void> {
  const columns = Prisma.sql`name`;
  type Organization = { id: string; name: string };
  // Of the installation: once for all of its organizations, when the first needs it.
  let place: Promise<boolean> | null = null;
  const isOnePlace = () => {
    place ??= readOnePlace(services.db, services.clock.now()).then((found) => found !== null);
    return place;
  };
  const mail = async (tx: Transaction, organization: Organization, takeNotices: TakeNotices) => {
    const { id: organizationId, name: organizationName } = organization;
    const taken = await addDependents(tx, await takeNotices<TakenNotice>(COLUMNS));
    const notices = await addOutages(tx, taken, isOnePlace);
    if (notices.length === 0) return;
    const story = await readStory(tx, notices);
    const compose = memoizeByNotices((some, isMember) =>
      composeNoticeMail(some, { organizationName, appUrl, story, isMember }),
    );
    const recipients = await findRecipients(tx, services, organizationId);
    const about = { notices, storyIncidentId: story?.firstIncidentId ?? null };
    const thread = await findThread(tx, organizationId, about, (some) => compose(some, true)?.subject);
    const routed = await routeNotices(tx, organizationId, recipients, notices, services.clock.now());
    const sent = combineByAddress(recipients, notices, (recipient, notice) =>
      routed.for(recipient).includes(notice),
    );
    const alert = { organizationId, recipients: sent.keys(), thread, appUrl };
    await queueAlerts(tx, services, alert, (recipient) => {
      const own = sent.get(recipient) ?? [];
      const content = compose(own, recipient.isMember);
      return content && { content, incidentIds: downIncidents(own) };
    });
    const composeShort = memoizeByNotices((some) =>
      composeNoticeMail(some, { organizationName, appUrl: '', story }),
    );
    await queueAlertPushes(tx, services, { organizationId, recipients }, (recipient) => {
      const own = routed.for(recipient);
      const content = composeShort(own, true);
      const about = own.map(({ incidentId, subjectId }) => incidentId ?? subjectId);
      return content && { content, incidentIds: downIncidents(own), about };
    });
  };
  return mailGathered(services, memberNotices(services.mail), { groupSeconds, limit: BATCH, columns, mail });
}

/** Composes the same notices once for members and once for others, and null for none. */
function memoizeByNotices(compose: (notices: TakenNotice[], isMember: boolean) => MailContent) {
  const composed = new Map<string, MailContent>();
  return (notices: TakenNotice[], isMember: boolean): MailContent | null => {
    if (notices.length === 0) return null;
    const key = `${isMember} ${notices.map(({ id }) => id).join()}`;
    const content = composed.get(key) ?? compose(notices, isMember);
    composed.set(key, content);
    return content;
  };
}

/** The incidents of monitors that are down, as far as the notices say. */
function downIncidents(notices: TakenNotice[]): string[] {
  const last = new Map(notices.map((notice) => [notice.incidentId, notice.kind]));
  return [...last].flatMap(([id, kind]) => (id !== null && kind === 'monitor.down' ? [id] : []));
}

/** The notices with what depends on the monitors that are down. */
async function addDependents(tx: Transaction, notices: TakenNotice[]): Promise<TakenNotice[]> {
  const down = notices.filter(({ kind }) => kind === 'monitor.down').map(({ subjectId }) => subjectId);
  const found = await readDependents(tx, [...new Set(down)]);
  return notices.map((notice) => {
    const dependents = notice.kind === 'monitor.down' ? found.get(notice.subjectId) : undefined;
    return dependents === undefined ? notice : { ...notice, dependents };
  });
}

/** The story to which all of the notices belong, if they are the rest of one; null otherwise. */
async function readStory(tx: Transaction, notices: readonly TakenNotice[]) {
  const ids = notices.map(({ incidentId }) => incidentId);
  const known = ids.filter((id) => id !== null);
  const story = known.length === ids.length ? await readSharedStory(tx, known) : null;
  if (story === null) return null;
  const regions = story.causes.flatMap((cause) => cause.split('@')[1] ?? []);
  const cause = formatCause(story.causes, await readRegionNames(tx, regions));
  const { firstIncidentId } = story;
  return { cause, firstIncidentId, isRest: firstIncidentId !== null && !known.includes(firstIncidentId) };
}

/** The thread of the incidents among the notices. Its subject is the same for all members, so it is about these incidents only. */
function findThread(
  tx: Transaction,
  organizationId: string,
  { notices, storyIncidentId }: { notices: TakenNotice[]; storyIncidentId: string | null },
  formatSubject: (notices: TakenNotice[]) => string | undefined,
): Promise<MailThread | null> {
  const ids = notices.flatMap(({ incidentId }) => incidentId ?? []);
  const subject = formatSubject(notices.filter(({ incidentId }) => incidentId !== null)) ?? '';
  return joinThread(tx, organizationId, { incidentIds: [...new Set(ids)], subject, storyIncidentId });
}
