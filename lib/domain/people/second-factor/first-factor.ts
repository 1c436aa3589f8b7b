import type { Services } from '@/lib/domain/context/services';
import type { Transaction } from '@/lib/platform/db/client';
import { endSessionsOf } from '../sessions';
import { endPendingSignInsOf } from '../sign-in/pending-sign-ins';
import { replaceRecoveryCodes } from './recovery-codes';

type Start = {
  userId: string;
  /** Whether the user had a second factor before. */
  hadFactor: boolean;
  /** The session in which one was added: it has proven it. */
  keepSession?: string;
};

/**
 * After a second factor was added, in the same transaction: the first one ends everything that was signed in without it, other than
 * `keepSession`, and comes with recovery codes, which are returned; there are none for another one.
 */
export async function startProtecting(
  tx: Transaction,
  { clock }: Pick<Services, 'clock'>,
  { userId, hadFactor, keepSession }: Start,
): Promise<string[]> {
  if (keepSession) {
    await tx.session.updateMany({
      where: { id: keepSession, userId },
      data: { secondFactorAt: clock.now() },
    });
  }
  if (hadFactor) return [];
  await endSessionsOf(tx, userId, { except: keepSession });
  await endPendingSignInsOf(tx, userId);
  return replaceRecoveryCodes(tx, userId);
}
