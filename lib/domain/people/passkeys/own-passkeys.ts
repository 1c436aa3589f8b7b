import { invalidState, requireFound } from '@/lib/core/errors';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requireRecentFactor } from '@/lib/domain/context/recent-factor';
import type { Services } from '@/lib/domain/context/services';
import { lockPerson } from '../lock-person';
import { recordForPerson } from '../record-for-person';
import { readFactors } from '../second-factor/has-second-factor';
import { type OpenWays, requireWayIn } from '../sign-in/ways-in';
import { passkeyRemovedMail } from './passkey-mails';

/** The passkeys of a user, oldest first. */
export function listPasskeys({ db }: Pick<Services, 'db'>, userId: string) {
  return db.passkey.findMany({
    where: { userId },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    select: { id: true, name: true, isSynced: true, createdAt: true, lastUsedAt: true },
  });
}

/** Renames a passkey of the user. Throws NOT_FOUND. */
export async function renamePasskey(
  { db }: Pick<Services, 'db'>,
  { userId, id, name }: { userId: string; id: string; name: string },
): Promise<void> {
  const { count } = await db.passkey.updateMany({ where: { id, userId }, data: { name } });
  requireFound(count || null, 'Passkey');
}

type Removal = {
  user: { id: string; email: string };
  id: string;
  address: string | null;
  /** The ways to sign in that this service has. */
  ways: OpenWays;
};

/**
 * Removes a passkey of the user; recovery codes go with their last second factor. Logged and mailed. Throws `SecondFactorNeeded`, NOT_FOUND,
 * and VALIDATION_ERROR if they could not sign in any more, or lack what an organization requires.
 */
export async function removePasskey(
  services: Services & Pick<OrganizationContext, 'actor'>,
  { user, id, address, ways }: Removal,
): Promise<void> {
  requireRecentFactor(services);
  const userId = user.id;
  await services.db.$transaction(async (tx) => {
    await lockPerson(tx, userId);
    const found = requireFound(await tx.passkey.findFirst({ where: { id, userId } }), 'Passkey');
    await tx.passkey.delete({ where: { id } });
    const { hasFactor, isRequired } = await readFactors(tx, userId, services.clock.now());
    if (isRequired && !hasFactor) {
      throw invalidState('Your organization requires a second factor. Set up another one first.');
    }
    if (ways.passkeys) await requireWayIn(tx, userId, ways);
    if (!hasFactor) await tx.recoveryCode.deleteMany({ where: { userId } });
    const mail = passkeyRemovedMail(services.appUrl, { name: found.name, isLast: !hasFactor });
    const before = { passkey: found.name };
    await recordForPerson(tx, services, { user, address, action: 'member.remove-passkey', before, mail });
  });
}
