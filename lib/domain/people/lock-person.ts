import type { Transaction } from '@/lib/platform/db/client';

/**
 * Locks a user until the transaction ends. Sign-ins and changes of what they require lock the user first: a session is created before
 * such a change, which ends it, or after it.
 */
export async function lockPerson(tx: Transaction, userId: string): Promise<void> {
  await tx.$queryRaw`SELECT 1 FROM "user" WHERE id = ${userId} FOR NO KEY UPDATE`;
}
