import { DomainError } from '@/lib/core/errors';
import type { Keyring } from '@/lib/core/keyring';
import { isSameText } from '@/lib/core/same-text';
import type { Services } from '@/lib/domain/context/services';
import type { Database, Transaction } from '@/lib/platform/db/client';
import type { CreateOrganization } from '@/lib/schemas/organization';
import { createOrganization, type NewOrganization } from './create-organization';

/**
 * The token of the address that a fresh start prints. Derived from the secret key, so that every process of the
 * installation knows it and none stores it; set-up happens once, so it opens the door once.
 */
export function setUpToken(keyring: Keyring): string {
  return keyring.derive('set-up token').slice(0, 32);
}

/** Where a fresh install is set up, below the address of the app. */
export function setUpPath(keyring: Keyring): string {
  return `/setup?token=${setUpToken(keyring)}`;
}

/** Whether the first organization is still to be made. */
export async function isSetUpOpen(db: Database | Transaction): Promise<boolean> {
  const instance = await db.instance.findUnique({ where: { id: 1 } });
  return instance?.setUpAt == null;
}

/**
 * Whether a visitor may set up: with the token alone. Where a request comes from proves nothing: behind a proxy on
 * this machine that sends no forwarding header, every stranger seems to be this machine.
 */
export function maySetUp(keyring: Keyring, token: string): boolean {
  return isSameText(token, setUpToken(keyring));
}

/** Creates the first organization. Throws FORBIDDEN without the token, CONFLICT when set-up has been done. */
export async function setUp(
  services: Services,
  input: CreateOrganization,
  token: string,
): Promise<NewOrganization> {
  if (!maySetUp(services.keyring, token)) {
    throw new DomainError(
      'FORBIDDEN',
      'The set-up token is missing or wrong. Open the address that the service printed when it started, or run "pharos setup-link" to see it again.',
    );
  }
  return createOrganization(services, input, async (tx) => {
    if (!(await isSetUpOpen(tx)))
      throw new DomainError('CONFLICT', 'This installation is set up already. Sign in instead.');
  });
}
