import { DomainError } from '@/lib/core/errors';
import type { Transaction } from '@/lib/platform/db/client';

/** Refuses (CONFLICT) what would leave the organization without an owner. Ask under the lock of `lockMembers`. */
export async function requireAnotherOwner(
  tx: Transaction,
  { organizationId, userId }: { organizationId: string; userId: string },
): Promise<void> {
  const others = await tx.membership.count({
    where: { organizationId, role: 'owner', userId: { not: userId } },
  });
  if (others > 0) return;
  throw new DomainError(
    'CONFLICT',
    'This is the only owner, and an organization needs one. Make another member an owner first.',
  );
}
