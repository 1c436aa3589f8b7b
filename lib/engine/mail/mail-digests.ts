import type { Services } from '@/lib/domain/context/services';
import { memberUnsubscribeUrl } from '@/lib/domain/people/unsubscribe-link';
import { composeDigestMail } from '@/lib/domain/reports/digest/digest-mail';
import { readDigest } from '@/lib/domain/reports/digest/read-digest';
import { type MailContent, queueMails } from '@/lib/platform/mail/queue-mail';
import { type DigestWeek, digestWeek, nextDigestAt } from '@/lib/schemas/reports/digest-week';

/** The members of one organization and time zone whose digest is due: it is the same for all of them. */
type DueGroup = { organizationId: string; organizationName: string; timeZone: string; userIds: string[] };

/** A digest that fails is due again after this long; so is one whose worker crashed. */
const RETRY_MS = 600_000;
/** One that is later than this is not sent: the week is old news by then. */
const MAX_LATE_MS = 86_400_000;
/** Groups per run, and for how long new ones are begun; the rest follows at the next run. */
const MAX_GROUPS = 500;
const BUDGET_MS = 20_000;

/**
 * Mails the digests that are due, longest overdue first; returns how many groups were due. A digest is computed once for all members of an
 * organization in a time zone. Each member gets one per week, however many workers there are and whenever they crash: the week is
 * noted in the transaction that queues the mail. One that fails delays no other: its error is thrown last.
 */
export async function mailDueDigests(services: Services): Promise<number> {
  if (!services.mail.isOn) return 0;
  const failures: Error[] = [];
  const begunAt = performance.now();
  let groups = 0;
  while (groups < MAX_GROUPS && performance.now() - begunAt < BUDGET_MS) {
    const due = await claimGroup(services);
    if (due === null) break;
    groups++;
    await mailDigest(services, due).catch((cause) => {
      failures.push(new Error(`could not mail the digest of ${due.organizationId}; retrying`, { cause }));
    });
  }
  if (failures.length > 0) throw failures[0];
  return groups;
}

async function claimGroup({ db, clock }: Services): Promise<DueGroup | null> {
  const now = clock.now();
  const rows = await db.$queryRaw<(Omit<DueGroup, 'userIds'> & { userId: string })[]>`
    WITH first AS (
      SELECT organization_id, time_zone FROM digest_mail WHERE next_at <= ${now}
       ORDER BY next_at LIMIT 1 FOR UPDATE SKIP LOCKED
    ), due AS (
      SELECT organization_id, user_id FROM digest_mail JOIN first USING (organization_id, time_zone)
       WHERE next_at <= ${now} FOR UPDATE OF digest_mail SKIP LOCKED
    )
    UPDATE digest_mail AS digest SET next_at = ${new Date(now.getTime() + RETRY_MS)}
      FROM due JOIN organization ON organization.id = organization_id
     WHERE digest.organization_id = due.organization_id AND digest.user_id = due.user_id
    RETURNING digest.organization_id AS "organizationId", name AS "organizationName", time_zone AS "timeZone",
              digest.user_id AS "userId"`;
  const [first] = rows;
  if (!first) return null;
  const { organizationId, organizationName, timeZone } = first;
  return { organizationId, organizationName, timeZone, userIds: rows.map(({ userId }) => userId) };
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
             last_week = CASE WHEN user_id = ANY(${sent.map(({ userId }) => userId)}) THEN ${week.monday}::date ELSE last_week END
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
