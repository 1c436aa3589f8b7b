import { DomainError } from '@/lib/core/errors';
import { createId } from '@/lib/core/ids';
import { recordAudit } from '@/lib/domain/audit/record-audit';
import type { Services } from '@/lib/domain/context/services';
import { lockOrganization } from '@/lib/domain/organizations/change-organization';
import { hashPassword } from '@/lib/domain/organizations/password';
import {
  consumeToken,
  type OneTimeToken,
  readToken,
  revokeHandedLinks,
} from '@/lib/domain/people/one-time-links';
import { requireQuota } from '@/lib/plans/limits';
import type { Transaction } from '@/lib/platform/db/client';
import type { MemberRole } from '@/lib/schemas/people';
import { requireAuthorityToInvite } from './authority';

type Visitor = { token: string; address: string | null };

/** Where an accepted invitation leads: the person is signed in there. */
export type Joined = { organizationId: string; user: { id: string; email: string } };

/**
 * Makes the signed-in person a member by their invitation, which is used up by it. Throws NOT_FOUND for a link that is used,
 * expired, revoked or none, FORBIDDEN for somebody else's, PLAN_LIMIT_EXCEEDED where no place is left. Who is a member
 * already stays what they are.
 */
export async function acceptInvitation(
  services: Services,
  { token, address, userId }: Visitor & { userId: string },
): Promise<Joined> {
  return useInvitation(services, token, async (tx, invitation) => {
    const user = await tx.user.findUniqueOrThrow({
      where: { id: userId },
      select: { id: true, email: true },
    });
    if (user.email !== invitation.email) {
      const text = `This invitation is for ${invitation.email}, and you are signed in as ${user.email}.`;
      throw new DomainError('FORBIDDEN', text);
    }
    return join(tx, services, { invitation, user, address });
  });
}

/**
 * The same for who has no account yet: makes one with the invited address, which the link proves, and this password. Throws
 * like `acceptInvitation`, and CONFLICT where the address has an account by now: its owner signs in.
 */
export async function acceptInvitationAsNewPerson(
  services: Services,
  { token, address, password }: Visitor & { password: string },
): Promise<Joined> {
  const now = services.clock.now();
  // Only a link that is good is worth the hash, which costs as much as a sign-in.
  await readToken(services.db, { kind: 'invitation', token, now });
  const passwordHash = await hashPassword(password);
  return useInvitation(services, token, async (tx, invitation) => {
    const { email } = invitation;
    const id = createId('user');
    const { count } = await tx.user.createMany({
      data: { id, email, passwordHash, createdAt: now, updatedAt: now },
      skipDuplicates: true,
    });
    if (count === 0) {
      throw new DomainError(
        'CONFLICT',
        `${email} has an account already. Sign in, then open this link again.`,
      );
    }
    return join(tx, services, { invitation, user: { id, email }, address });
  });
}

type Invitation = OneTimeToken & { organizationId: string };

/** The organization before the token, like every verb that replaces or revokes one, so that none waits in a circle. */
async function useInvitation<T>(
  { db, clock }: Services,
  token: string,
  accept: (tx: Transaction, invitation: Invitation) => Promise<T>,
): Promise<T> {
  const now = clock.now();
  const { organizationId } = await readToken(db, { kind: 'invitation', token, now });
  return db.$transaction(async (tx) => {
    await lockOrganization(tx, organizationId ?? '');
    const used = await consumeToken(tx, { kind: 'invitation', token, now });
    const invitation = { ...used, organizationId: organizationId ?? '' };
    await requireAuthorityToInvite(tx, invitation);
    return accept(tx, invitation);
  });
}

async function join(
  tx: Transaction,
  services: Services,
  { invitation, user, address }: { invitation: Invitation; user: Joined['user']; address: string | null },
): Promise<Joined> {
  const { organizationId, id, role, email } = invitation;
  const membership = { organizationId, userId: user.id };
  const isMember = (await tx.membership.count({ where: membership })) > 0;
  if (!isMember && role !== null) {
    const { plan } = await tx.organization.findUniqueOrThrow({ where: { id: organizationId } });
    requireQuota(plan, 'members', await tx.membership.count({ where: { organizationId } }));
    const createdAt = services.clock.now();
    await tx.membership.create({ data: { ...membership, role, createdAt } });
    // A reset link from another organization would open this one, too.
    await revokeHandedLinks(tx, membership);
    const actor = { kind: 'user', userId: user.id, role } as const;
    const ctx = { organizationId, actor, clock: services.clock, address };
    await recordAudit(tx, ctx, {
      action: 'invitation.accept',
      subject: { id, label: email },
      after: { role },
    });
  }
  return { organizationId, user };
}

/** What the holder of a link may know before accepting. */
export type OpenInvitation = {
  organizationName: string;
  email: string;
  role: MemberRole;
  invitedBy: string | null;
  /** Whether a person with that address exists: they sign in, others choose a password. */
  hasAccount: boolean;
};

/**
 * The invitation that a link holds. Throws NOT_FOUND, saying why, for a link that is used, expired, revoked,
 * withdrawn or none.
 */
export async function readInvitation(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  token: string,
): Promise<OpenInvitation> {
  const found = await readToken(db, { kind: 'invitation', token, now: clock.now() });
  const { email, role, createdBy } = found;
  const organizationId = found.organizationId ?? '';
  await requireAuthorityToInvite(db, { ...found, organizationId });
  const [organization, person, creator] = await Promise.all([
    db.organization.findUnique({ where: { id: organizationId }, select: { name: true } }),
    db.user.findUnique({ where: { email }, select: { id: true } }),
    db.user.findUnique({ where: { id: createdBy ?? '' }, select: { email: true } }),
  ]);
  if (organization === null || role === null) throw new DomainError('NOT_FOUND', 'This link is not valid.');
  return {
    organizationName: organization.name,
    email,
    role,
    invitedBy: creator?.email ?? null,
    hasAccount: person !== null,
  };
}
