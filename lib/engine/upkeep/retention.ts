import type { Services } from '@/lib/domain/context/services';
import { CONFIRM_DAYS } from '@/lib/domain/subscribers/confirmation-terms';
import {
  deleteEndedOccurrences,
  deleteEndedPeriods,
  deleteExpiredSessions,
  deleteExpiredTokens,
  deleteOldAudit,
  deleteOldEvents,
  deleteOldMail,
  deleteOldNotices,
  deleteOldPageNotices,
  deleteUnconfirmedSubscribers,
} from './delete-old-rows';
import { dropOldPartitions } from './drop-partitions';

const DAY = 86_400_000;
const ROLLUP_DAYS = 400;
const LEDGER_DAYS = 400;
const AUDIT_DAYS = 400;
const DELIVERY_DAYS = 30;
const MAIL_DAYS = 30;
/** Until then a link that is over can still say why. */
const LINK_DAYS = 30;

/**
 * Removes what has been kept for long enough: raw results after `rawDays` (never before they are rolled up), rollups, the
 * ledger with past maintenance and the audit log after 400 days; events with their deliveries and tries, mails, notices,
 * and links that are over after 30; subscribers who have not confirmed after 7; sessions when they expire. Two workers at
 * once take different rows. Throws when a table to be dropped stays in use; the next call goes on.
 */
export async function applyRetention(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  { rawDays }: { rawDays: number },
): Promise<void> {
  const now = clock.now().getTime();
  const daysAgo = (days: number) => new Date(now - days * DAY);
  await deleteEndedPeriods(db, daysAgo(LEDGER_DAYS));
  await deleteEndedOccurrences(db, daysAgo(LEDGER_DAYS));
  await deleteOldAudit(db, daysAgo(AUDIT_DAYS));
  await deleteOldEvents(db, daysAgo(DELIVERY_DAYS));
  await deleteOldMail(db, daysAgo(MAIL_DAYS));
  await deleteOldNotices(db, daysAgo(MAIL_DAYS));
  await deleteExpiredSessions(db, daysAgo(0));
  await deleteExpiredTokens(db, daysAgo(LINK_DAYS));
  await deleteOldPageNotices(db, daysAgo(MAIL_DAYS));
  await deleteUnconfirmedSubscribers(db, daysAgo(CONFIRM_DAYS));
  // Last, for this can be refused where a table is in use.
  const [progress] = await db.$queryRaw<{ until: Date }[]>`
    SELECT rolled_until AS until FROM raw.rollup_progress`;
  if (progress) {
    const rawEnd = Math.min(daysAgo(rawDays).getTime(), progress.until.getTime());
    await dropOldPartitions(db, 'check_result', new Date(rawEnd));
  }
  await dropOldPartitions(db, 'rollup_hour', daysAgo(ROLLUP_DAYS));
}
