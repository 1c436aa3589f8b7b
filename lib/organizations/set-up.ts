import type { Services } from '@/lib/context/services';
import { DomainError } from '@/lib/core/errors';
import type { Keyring } from '@/lib/core/keyring';
import { isSameText } from '@/lib/core/same-text';
import type { Database, Transaction } from '@/lib/db/client';
import type { CreateOrganization } from '@/lib/schemas/organization';
import { createOrganization, type NewOrganization } from './create-organization';

/**
 * The token of the address that a fresh start prints. Derived from the secret key, so that every process of the
 * installation knows it and none stores it; set-up happens once, so it opens the door once.
 */
export function setUpToken(keyring: Keyring): string {
  return keyring.derive('set-up token').slice(0, 32);
}

/** Whether the first organization is still to be made. */
export async function isSetUpOpen(db: Database | Transaction): Promise<boolean> {
  const instance = await db.instance.findUnique({ where: { id: 1 } });
  return instance?.setUpAt == null;
}

/** Whether this visitor may set up: with the token, or from this very machine. */
export function maySetUp(keyring: Keyring, { token, isLocal }: { token: string; isLocal: boolean }): boolean {
  if (isLocal) return true;
  return isSameText(token, setUpToken(keyring));
}

/** Makes the first organization. Throws FORBIDDEN without the token, CONFLICT when set-up has been done. */
export async function setUp(
  services: Services,
  input: CreateOrganization,
  visitor: { token: string; isLocal: boolean },
): Promise<NewOrganization> {
  if (!maySetUp(services.keyring, visitor)) {
    throw new DomainError(
      'FORBIDDEN',
      'Open the address that the start of the service printed: it carries the set-up token.',
    );
  }
  return createOrganization(services, input, async (tx) => {
    if (!(await isSetUpOpen(tx)))
      throw new DomainError('CONFLICT', 'This installation is set up already. Sign in instead.');
  });
}
