import type { Services } from '@/lib/domain/context/services';
import { claimWork, type LeasedWork } from '@/lib/platform/db/claims';
import { Prisma } from '@/lib/platform/db/generated/client';

/** A message that only this process may send. */
export type ClaimedPush = {
  id: string;
  subscriptionId: string;
  contentSealed: Uint8Array;
  targetSealed: Uint8Array;
  /** When the session of the browser ends: from then on, it is sent nothing. */
  sessionEndsAt: Date;
  /** 1 for the first attempt. */
  attempt: number;
  failures: number;
  createdAt: Date;
};

const SECOND = 1000;
const RETRY_DELAYS: readonly number[] = [5, 30, 120, 600, 3600].map((seconds) => seconds * SECOND);

/** Nothing is pending that was to be shown in the same browser before: a retry must not replace what happened since. */
const isNext = Prisma.sql`NOT EXISTS (SELECT FROM push_message AS earlier
    WHERE earlier.subscription_id = own.subscription_id AND earlier.number < own.number)`;

/** Messages to send, one at a time for each browser. The lease is longer than an attempt takes. */
export const PUSHES: LeasedWork<ClaimedPush> = {
  table: 'push_message',
  where: () => isNext,
  order: 'next_attempt_at, number',
  hold: { by: 'lease', seconds: 60 },
  columns: {
    id: 'own.id',
    subscriptionId: 'own.subscription_id',
    contentSealed: 'own.content_sealed',
    targetSealed: 'browser.target_sealed',
    sessionEndsAt: 'session.expires_at',
    attempt: 'own.attempts',
    failures: 'own.failures',
    createdAt: 'own.created_at',
  },
  joins: Prisma.sql`JOIN push_subscription AS browser ON browser.id = own.subscription_id
                    JOIN session ON session.id = browser.session_id`,
  retryAt: (failures, failedAt) => {
    const delay = RETRY_DELAYS[failures - 1];
    return delay === undefined ? null : new Date(failedAt.getTime() + delay);
  },
  over: 'deleted',
};

/** Claims at most `limit` due messages, the longest due first. */
export function claimDuePushes(
  { db }: Pick<Services, 'db'>,
  { limit, workerId, now }: { limit: number; workerId: string; now: Date },
): Promise<ClaimedPush[]> {
  return claimWork(db, PUSHES, { limit, workerId, now, scope: undefined });
}

/** When the next message is due that waits for no other; null if there is none. */
export function nextPushAt(now: Date): Prisma.Sql {
  return Prisma.sql`
    SELECT next_attempt_at FROM push_message AS own
     WHERE (lease_until IS NULL OR lease_until < ${now}) AND ${isNext} ORDER BY next_attempt_at LIMIT 1`;
}
