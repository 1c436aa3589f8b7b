import { requireFound } from '@/lib/core/errors';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requireRecentFactor } from '@/lib/domain/context/recent-factor';
import type { Services } from '@/lib/domain/context/services';
import { signInMethodMail } from '@/lib/domain/people/account-mails';
import { lockPerson } from '@/lib/domain/people/lock-person';
import { mailedLinkBase } from '@/lib/domain/people/one-time-links';
import { recordForPerson } from '@/lib/domain/people/record-for-person';
import { type OpenWays, requireWayIn } from '@/lib/domain/people/sign-in/ways-in';
import type { Transaction } from '@/lib/platform/db/client';
import type { ProvenIdentity } from './identity';

/** An account at a provider that is linked to a user. */
export type LinkedIdentity = { issuer: string; subject: string; email: string | null; lastUsedAt: Date };

/** A change of the ways in which a user can sign in. `address`: the client's. */
type Change = { userId: string; providerName: string; address: string | null };

/** The linked accounts of a user, oldest first, and whether they have a password. */
export async function listWaysIn(
  db: Pick<Transaction, 'user'>,
  userId: string,
): Promise<{ hasPassword: boolean; identities: LinkedIdentity[] }> {
  const { passwordHash, identities } = await db.user.findUniqueOrThrow({
    where: { id: userId },
    select: {
      passwordHash: true,
      identities: {
        select: { issuer: true, subject: true, email: true, lastUsedAt: true },
        orderBy: { createdAt: 'asc' },
      },
    },
  });
  return { hasPassword: passwordHash !== null, identities };
}

/** Links an account to a user in the caller's transaction; logged in their organizations, and mailed to them. */
export async function linkIdentity(
  tx: Transaction,
  services: Services,
  { identity, userId, address }: { identity: ProvenIdentity; userId: string; address: string | null },
): Promise<void> {
  const { issuer, subject, email, providerName } = identity;
  const now = services.clock.now();
  await tx.identity.create({ data: { issuer, subject, email, userId, createdAt: now, lastUsedAt: now } });
  await announce(tx, services, { userId, providerName, address }, 'added');
}

/**
 * Ends the link of an account to a user. Throws `SecondFactorNeeded`, NOT_FOUND, and VALIDATION_ERROR if they could not sign in any more;
 * `ways`: those that this service has.
 */
export async function unlinkIdentity(
  services: Services & Pick<OrganizationContext, 'actor'>,
  { issuer, subject, ways, ...change }: Change & LinkedKey & { ways: OpenWays },
): Promise<void> {
  requireRecentFactor(services);
  const { userId } = change;
  await services.db.$transaction(async (tx) => {
    // Of two concurrent ones, the second sees what the first has left.
    await lockPerson(tx, userId);
    const { count } = await tx.identity.deleteMany({ where: { issuer, subject, userId } });
    requireFound(count || null, 'Linked account');
    await requireWayIn(tx, userId, ways);
    await announce(tx, services, change, 'removed');
  });
}

type LinkedKey = Pick<LinkedIdentity, 'issuer' | 'subject'>;

async function announce(
  tx: Transaction,
  services: Services,
  { userId, providerName, address }: Change,
  what: 'added' | 'removed',
): Promise<void> {
  const select = { id: true, email: true };
  const user = await tx.user.findUniqueOrThrow({ where: { id: userId }, select });
  const fields = { provider: providerName };
  const deed =
    what === 'added'
      ? ({ action: 'member.link-account', after: fields } as const)
      : ({ action: 'member.unlink-account', before: fields } as const);
  const mail = signInMethodMail({ method: providerName, what, appUrl: mailedLinkBase(services) });
  await recordForPerson(tx, services, { user, address, mail, ...deed });
}
