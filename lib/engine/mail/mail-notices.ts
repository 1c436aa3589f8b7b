import { describeError } from '@/lib/core/errors';
import type { Logger } from '@/lib/core/logger';
import type { Services } from '@/lib/domain/context/services';
import { composeNoticeMail } from '@/lib/domain/notices/notice-mail';
import type { Notice } from '@/lib/domain/notices/write-notices';
import type { Transaction } from '@/lib/platform/db/client';
import { isDatabaseUnavailable } from '@/lib/platform/db/wait-for-database';
import { queueMails } from '@/lib/platform/mail/queue-mail';

/** How members are notified. */
export type NoticeSettings = {
  /** How long an organization's notices are gathered, starting with the oldest. */
  groupSeconds: number;
  /** APP_URL; null: mails carry no links. */
  appUrl: string | null;
};

/** Organizations per poll; the next poll follows immediately. */
const BATCH = 20;

/**
 * Mails members the notices that have been gathered long enough: one mail to each member of an organization
 * who wants it. Marks notices and writes mails in one transaction, so that each notice is mailed exactly
 * once, even if a worker crashes.
 */
export async function mailDueNotices(
  services: Services & { log?: Logger },
  { groupSeconds, appUrl }: NoticeSettings,
): Promise<void> {
  const { db, clock } = services;
  const gatheredSince = new Date(clock.now().getTime() - groupSeconds * 1000);
  const due = await db.$queryRaw<{ organizationId: string }[]>`
    SELECT DISTINCT organization_id AS "organizationId" FROM member_notice
     WHERE mailed_at IS NULL AND occurred_at <= ${gatheredSince} LIMIT ${BATCH}`;
  for (const { organizationId } of due) {
    const mailNotices = async (tx: Transaction) => {
      const organizationName = await lockOrganization(tx, organizationId);
      if (organizationName === null) return;
      const notices = await takeNotices(tx, { organizationId, gatheredSince, now: clock.now() });
      if (notices.length === 0) return;
      const content = composeNoticeMail(notices, { organizationName, appUrl });
      const recipients = await findRecipients(tx, organizationId);
      const mails = recipients.map((to) => ({ organizationId, kind: 'alert', to, content }));
      await queueMails(tx, services, mails);
    };
    await mailOrDrop(() => db.$transaction(mailNotices), {
      drop: () =>
        db.$transaction((tx) => takeNotices(tx, { organizationId, gatheredSince, now: clock.now() })),
      subject: { organization: organizationId },
      log: services.log,
    });
  }
}

/** Drops and logs notices that cannot be mailed, so that they do not block the others. */
export async function mailOrDrop(
  mail: () => Promise<void>,
  { drop, subject, log }: { drop: () => Promise<unknown>; subject: Record<string, string>; log?: Logger },
): Promise<void> {
  try {
    await mail();
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw error;
    log?.error({ ...subject, error: describeError(error) }, 'could not mail notices; dropping them');
    await drop();
  }
}

/**
 * Keeps other workers from the organization's notices, which would otherwise be split into two mails. Null if
 * another worker holds the lock. Notices can still be written.
 */
async function lockOrganization(tx: Transaction, organizationId: string): Promise<string | null> {
  const rows = await tx.$queryRaw<{ name: string }[]>`
    SELECT name FROM organization WHERE id = ${organizationId} FOR NO KEY UPDATE SKIP LOCKED`;
  return rows[0]?.name ?? null;
}

/** Marks and returns all pending notices of an organization in order, if some have waited long enough. */
function takeNotices(
  tx: Transaction,
  { organizationId, gatheredSince, now }: { organizationId: string; gatheredSince: Date; now: Date },
): Promise<Notice[]> {
  return tx.$queryRaw<Notice[]>`
    WITH taken AS (
      UPDATE member_notice SET mailed_at = ${now}
       WHERE organization_id = ${organizationId} AND mailed_at IS NULL
         AND EXISTS (SELECT FROM member_notice WHERE organization_id = ${organizationId} AND mailed_at IS NULL
                        AND occurred_at <= ${gatheredSince})
      RETURNING *
    )
    SELECT kind, subject_id AS "subjectId", subject_name AS "subjectName", error, downtime, occurred_at AS "occurredAt"
      FROM taken ORDER BY id`;
}

async function findRecipients(tx: Transaction, organizationId: string): Promise<string[]> {
  const memberships = await tx.membership.findMany({
    where: { organizationId, alertMail: true },
    select: { user: { select: { email: true } } },
    orderBy: { createdAt: 'asc' },
  });
  return memberships.map(({ user }) => user.email);
}

/** When pending notices have been gathered long enough; null if there are none. */
export async function nextNoticesAt(
  { db }: Pick<Services, 'db'>,
  { groupSeconds }: NoticeSettings,
): Promise<Date | null> {
  const rows = await db.$queryRaw<{ oldest: Date }[]>`
    SELECT occurred_at AS oldest FROM member_notice WHERE mailed_at IS NULL ORDER BY occurred_at LIMIT 1`;
  const oldest = rows[0]?.oldest;
  return oldest ? new Date(oldest.getTime() + groupSeconds * 1000) : null;
}
