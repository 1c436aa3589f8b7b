import { invalidState } from '@/lib/core/errors';
import type { Transaction } from '@/lib/platform/db/client';

/** Which ways to sign in, other than providers, a service has. */
export type OpenWays = { passwords: boolean; passkeys: boolean };

/** Throws VALIDATION_ERROR if nothing is left with which a user can sign in; call it after a removal, which that undoes. */
export async function requireWayIn(tx: Transaction, userId: string, open: OpenWays): Promise<void> {
  const { passwordHash, _count } = await tx.user.findUniqueOrThrow({
    where: { id: userId },
    select: { passwordHash: true, _count: { select: { identities: true, passkeys: true } } },
  });
  const hasPassword = open.passwords && passwordHash !== null;
  if (hasPassword || _count.identities > 0 || (open.passkeys && _count.passkeys > 0)) return;
  throw invalidState(
    'This is your only way to sign in. Link an account, add a passkey or set a password first.',
  );
}
