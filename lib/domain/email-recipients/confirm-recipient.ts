import { DomainError } from '@/lib/core/errors';
import type { Services } from '@/lib/domain/context/services';
import { CONFIRM_DAYS, hashToken } from './send-confirmation';

const DAY_MS = 86_400_000;

type Needs = Pick<Services, 'db' | 'clock'>;

/** The organization whose alerts a link would confirm. Throws NOT_FOUND for one that is not valid, which does not say why. */
export async function readConfirmation(
  { db, clock }: Needs,
  token: string,
): Promise<{ organizationName: string }> {
  const found = await db.emailRecipient.findFirst({
    where: confirmable(token, clock.now()),
    select: { organization: { select: { name: true } } },
  });
  if (found === null) throw invalidLink();
  return { organizationName: found.organization.name };
}

/** Confirms an address with the token of its latest confirmation email, which works once. Throws NOT_FOUND as `readConfirmation` does. */
export async function confirmRecipient({ db, clock }: Needs, token: string): Promise<void> {
  const now = clock.now();
  const data = { confirmedAt: now, unsubscribedAt: null, tokenHash: null };
  const { count } = await db.emailRecipient.updateMany({ where: confirmable(token, now), data });
  if (count === 0) throw invalidLink();
}

function confirmable(token: string, now: Date) {
  const since = new Date(now.getTime() - CONFIRM_DAYS * DAY_MS);
  return { tokenHash: hashToken(token), requestedAt: { gte: since } };
}

function invalidLink(): DomainError {
  return new DomainError('NOT_FOUND', 'This link was used, has expired, or was replaced by a newer one.');
}

/** Whether a recipient gets alerts; null: there is none with this ID. The caller has verified the link. */
export async function readRecipient({ db }: Pick<Services, 'db'>, organizationId: string, id: string) {
  const found = await db.emailRecipient.findFirst({
    where: { id, organizationId },
    select: { confirmedAt: true, unsubscribedAt: true },
  });
  return found && { alertMail: found.confirmedAt !== null && found.unsubscribedAt === null };
}

/** Ends alerts to a recipient, who alone can confirm them again. Idempotent. The caller has verified the link. */
export async function unsubscribeRecipient(
  { db, clock }: Needs,
  organizationId: string,
  id: string,
): Promise<void> {
  const where = { id, organizationId, unsubscribedAt: null };
  await db.emailRecipient.updateMany({ where, data: { unsubscribedAt: clock.now(), tokenHash: null } });
}
