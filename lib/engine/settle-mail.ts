import type { Services } from '@/lib/context/services';
import { nextMailAttemptAt } from '@/lib/mail/retry-schedule';
import type { MailOutcome } from '@/lib/mail/smtp-transport';
import type { ClaimedMail } from './claim-mail';

/**
 * Writes what came of a try. A mail that is sent, or refused for good, loses its content; else it is tried again on
 * schedule. Answers what became of it.
 */
export async function settleMail(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  { id, attempt, failures: before }: ClaimedMail,
  outcome: MailOutcome,
): Promise<'sent' | 'waiting' | 'failed'> {
  const now = clock.now();
  const free = { claimedBy: null, leaseUntil: null };
  const over = { ...free, contentSealed: null, nextAttemptAt: null };
  if (outcome.sent) {
    // Whoever has tried since: it is sent.
    await db.mail.updateMany({ where: { id }, data: { ...over, sentAt: now, failedAt: null, error: null } });
    return 'sent';
  }
  const { error, isFinal } = outcome;
  const failures = before + 1;
  const nextAttemptAt = isFinal ? null : nextMailAttemptAt(failures, now);
  const end = nextAttemptAt ? { ...free, nextAttemptAt } : { ...over, failedAt: now };
  // A late failure, after the lease ran out and another worker took over, changes nothing.
  await db.mail.updateMany({
    where: { id, attempts: attempt, sentAt: null },
    data: { ...end, failures, error },
  });
  return nextAttemptAt ? 'waiting' : 'failed';
}
