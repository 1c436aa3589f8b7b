import type { Services } from '@/lib/domain/context/services';
import { CONFIRM_DAYS } from './confirmation-terms';
import { hashToken } from './subscribe';

const DAY = 86_400_000;

type Asked = { pageId: string; token: string };

/** Whether a link to confirm still leads to something: asked for within 7 days, or confirmed already. Changes nothing. */
export async function isConfirmable(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  asked: Asked,
): Promise<boolean> {
  return (await db.pageSubscriber.count({ where: confirmable(asked, clock.now()) })) > 0;
}

/** Confirms a subscription by the token of the last mail that asked for it; again, it changes nothing. Answers whether it is confirmed. */
export async function confirmSubscription(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  asked: Asked,
): Promise<boolean> {
  const now = clock.now();
  await db.pageSubscriber.updateMany({
    where: { ...confirmable(asked, now), confirmedAt: null },
    data: { confirmedAt: now },
  });
  const where = { pageId: asked.pageId, tokenHash: hashToken(asked.token), confirmedAt: { not: null } };
  return (await db.pageSubscriber.count({ where })) > 0;
}

function confirmable({ pageId, token }: Asked, now: Date) {
  const since = new Date(now.getTime() - CONFIRM_DAYS * DAY);
  return {
    pageId,
    tokenHash: hashToken(token),
    OR: [{ confirmedAt: { not: null } }, { requestedAt: { gte: since } }],
  };
}
