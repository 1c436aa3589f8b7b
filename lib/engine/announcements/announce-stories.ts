import { describeError } from '@/lib/core/errors';
import type { Logger } from '@/lib/core/logger';
import type { Services } from '@/lib/domain/context/services';
import { announceRest, type SummarizedStory } from '@/lib/notify/announce-rest';
import { tryLockStories } from '@/lib/notify/story-rows';
import type { Transaction } from '@/lib/platform/db/client';
import { Prisma } from '@/lib/platform/db/generated/client';
import { readMoment } from '@/lib/platform/db/moments';
import { isDatabaseUnavailable } from '@/lib/platform/db/unavailable';

type Announcing = Pick<Services, 'db' | 'clock' | 'appUrl' | 'mail'>;

/** Stories per poll; the next one continues. */
const BATCH = 50;
/** Changes that a summary counts. */
const MAX_CHANGES = 5000;
/** When one is looked at again that another worker adds to, or that failed. */
const LATER_MS = 1000;
const POSTPONED_MS = 60_000;

/**
 * Announces the rest of stories that are a minute old: one delivery per endpoint. Each is announced once, in the transaction that writes
 * it, whichever of several workers does it. One that fails does not hold up others. Returns when the next is due; null: nothing is due.
 */
export async function announceStories(services: Announcing & { log?: Logger }): Promise<Date | null> {
  const { db, clock, log } = services;
  const nextAt = await readMoment(services.db, storiesDueAt);
  if (nextAt === null || nextAt > clock.now()) return nextAt;
  const due = await db.$queryRaw<{ id: string; organizationId: string }[]>`
    SELECT id, organization_id AS "organizationId"
      FROM story WHERE rest_due_at <= ${clock.now()} ORDER BY rest_due_at LIMIT ${BATCH}`;
  let isBusy = false;
  for (const story of due) {
    try {
      const isDone = await db.$transaction((tx) => announceStory(tx, services, story));
      isBusy = isBusy || !isDone;
    } catch (error) {
      if (isDatabaseUnavailable(error)) throw error;
      log?.error(
        { story: story.id, error: describeError(error) },
        'could not announce the rest of a story; trying later',
      );
      const restDueAt = new Date(clock.now().getTime() + POSTPONED_MS);
      await db.story.updateMany({ where: { id: story.id, restDueAt: { not: null } }, data: { restDueAt } });
    }
  }
  return isBusy ? new Date(clock.now().getTime() + LATER_MS) : readMoment(services.db, storiesDueAt);
}

/** When the next story is due. */
export const storiesDueAt = Prisma.sql`(SELECT min(rest_due_at) FROM story WHERE rest_due_at IS NOT NULL)`;

/** Returns false if another worker is adding to a story of the organization, or announcing one. */
async function announceStory(
  tx: Transaction,
  services: Announcing,
  { id, organizationId }: { id: string; organizationId: string },
): Promise<boolean> {
  if (!(await tryLockStories(tx, organizationId))) return false;
  const now = services.clock.now();
  const due = await tx.$queryRaw<{ causes: string[] }[]>`
    UPDATE story SET rest_due_at = NULL, rest_sent_at = ${now}
     WHERE id = ${id} AND rest_due_at <= ${now} RETURNING causes`;
  const causes = due[0]?.causes;
  if (causes === undefined) return true;
  const changes = await tx.$queryRaw<SummarizedStory['changes']>`
    SELECT story_change.monitor_id AS "monitorId", monitor_name AS "monitorName", story_change.status::text AS status,
           event_ids AS "eventIds", incident_id AS "incidentId",
           coalesce(incident.status = 'resolved', FALSE) AS "isOver"
      FROM story_change LEFT JOIN incident ON incident.id = incident_id
     WHERE story_id = ${id} ORDER BY story_change.id LIMIT ${MAX_CHANGES}`;
  await announceRest(tx, services, { organizationId, causes, changes }, now);
  return true;
}
