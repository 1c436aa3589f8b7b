import type { Services } from '@/lib/domain/context/services';
import { memberUnsubscribeUrl } from '@/lib/domain/people/unsubscribe-link';
import { composeDigestMail } from '@/lib/domain/reports/digest/digest-mail';
import { readDigest } from '@/lib/domain/reports/digest/read-digest';
import { doTimedWork, type TimedWork } from '@/lib/platform/db/claims';
import { Prisma } from '@/lib/platform/db/generated/client';
import { type MailContent, queueMails } from '@/lib/platform/mail/queue-mail';
import { type DigestWeek, digestWeek, nextDigestAt } from '@/lib/schemas/reports/digest-week';

/** The members of one organization and time zone whose digest is due: it is the same for all of them. */
type DueGroup = { organizationId: string; organizationName: string; timeZone: string; userIds: string[] };

type DueDigest = Omit<DueGroup, 'userIds'> & { userId: string };

/** One that is later than this is not sent: the week is old news by then. */
const MAX_LATE_MS = 86_400_000;
/** Digests that are due, longest overdue first. One that fails is due again after ten minutes; so is one whose worker crashed. */
const DIGESTS: TimedWork<DueDigest, Services> = {
  table: 'digest_mail',
  key: 'organization_id, user_id',
  order: 'next_at',
  together: 'organization_id, time_zone',
  hold: { by: 'postponing', column: 'next_at', ms: 600_000 },
  batch: 1,
  repeats: { max: 500, forMs: 20_000 },
  columns: {
    organizationId: 'own.organization_id',
    organizationName: 'name',
    timeZone: 'time_zone',
    userId: 'own.user_id',
  },
  joins: Prisma.sql`JOIN organization ON organization.id = own.organization_id`,
  act: (services, due) => {
    const [{ userId: _, ...group }] = due;
    return mailDigest(services, { ...group, userIds: due.map(({ userId }) => userId) });
  },
  failure: ({ organizationId }) => `could not mail the digest of ${organizationId}; retrying`,
};

/**
 * Mails the digests that are due; returns how many groups were due. A digest is computed once for all members of an organization in a time
 * zone. Each member gets one per week, however many workers there are and whenever they crash: the week is noted in the transaction that
 * queues the mail. One that fails delays no other: its error is thrown last.
 */
export async function mailDueDigests(services: Services): Promise<number> {
  return services.mail.isOn ? doTimedWork(services, DIGESTS) : 0;
}

async function mailDigest(services: Services, group: DueGroup): Promise<void> {
  const now = services.clock.now();
  const week = digestWeek(group.timeZone, now);
  const lateMs = now.getTime() - week.dueAt.getTime();
  const isTimely = lateMs >= 0 && lateMs <= MAX_LATE_MS;
  await writeDigest(services, group, {
    week,
    content: isTimely ? await compose(services, group, week) : null,
  });
}

/** The email of a week; null for an organization without monitors. Every role may read what is in it. */
async function compose(
  services: Services,
  { organizationId, organizationName, timeZone }: DueGroup,
  { from, to }: DigestWeek,
): Promise<MailContent | null> {
  const ctx = { ...services, organizationId, actor: { kind: 'operator' as const } };
  const digest = await readDigest(ctx, { from, to, timeZone });
  if (digest === null) return null;
  const { clock, appUrl } = services;
  return composeDigestMail(digest, { from, to, organizationName, timeZone, now: clock.now(), appUrl });
}

/** Queues the mail for those who still want it and did not get one this week, and schedules the next. */
async function writeDigest(
  services: Services,
  { organizationId, timeZone, userIds }: DueGroup,
  { week, content }: { week: DigestWeek; content: MailContent | null },
): Promise<void> {
  const nextAt = nextDigestAt(timeZone, services.clock.now());
  await services.db.$transaction(async (tx) => {
    const readers = await tx.$queryRaw<{ userId: string; email: string; isNew: boolean }[]>`
      SELECT user_id AS "userId", email, coalesce(last_week < ${week.monday}::date, true) AS "isNew"
        FROM digest_mail JOIN "user" ON "user".id = user_id
       WHERE organization_id = ${organizationId} AND user_id = ANY(${userIds}) AND next_at IS NOT NULL
         AND time_zone = ${timeZone}
       ORDER BY user_id FOR UPDATE OF digest_mail`;
    const sent = content === null ? [] : readers.filter(({ isNew }) => isNew);
    await tx.$executeRaw`
      UPDATE digest_mail SET next_at = ${nextAt},
             last_week = CASE WHEN user_id = ANY(${sent.map(({ userId }) => userId)}) THEN ${week.monday}::date
                              ELSE last_week END
       WHERE organization_id = ${organizationId} AND user_id = ANY(${readers.map(({ userId }) => userId)})`;
    if (content === null) return;
    const mails = sent.map(({ userId, email: to }) => {
      const own = { ...content, ...unsubscribing(services, { organizationId, userId }) };
      return { organizationId, kind: 'digest', to, content: own, isBulk: true };
    });
    await queueMails(tx, services, mails);
  });
}

function unsubscribing(
  { keyring, appUrl }: Services,
  member: { organizationId: string; userId: string },
): Pick<MailContent, 'unsubscribeUrl' | 'unsubscribeLabel'> {
  if (appUrl === null) return {};
  return {
    unsubscribeUrl: memberUnsubscribeUrl(keyring, appUrl, { ...member, list: 'digest' }),
    unsubscribeLabel: 'Turn off the weekly digest',
  };
}
