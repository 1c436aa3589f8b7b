import { DomainError, invalidState } from '@/lib/core/errors';
import { createId } from '@/lib/core/ids';
import { recordAudit } from '@/lib/domain/audit/record-audit';
import type { Services } from '@/lib/domain/context/services';
import { lockOrganization } from '@/lib/domain/organizations/lock-organization';
import { hashPassword } from '@/lib/domain/organizations/password';
import {
  consumeToken,
  type OneTimeToken,
  readToken,
  revokeHandedLinks,
} from '@/lib/domain/people/one-time-links';
import { requireQuota } from '@/lib/plans/require-quota';
import type { Transaction } from '@/lib/platform/db/client';
import { requireAuthorityToInvite } from './authority';

type Visitor = { token: string; address: string | null };

/** The organization and the user of an accepted invitation. */
export type Joined = { organizationId: string; user: { id: string; email: string } };

/**
 * Accepts an invitation for the signed-in user and uses it up. Throws NOT_FOUND for a link that is used, expired, revoked or
 * unknown, FORBIDDEN for somebody else's, PLAN_LIMIT_EXCEEDED if the quota is used up. Existing members keep their role.
 */
export async function acceptInvitation(
  services: Services,
  { token, address, userId }: Visitor & { userId: string },
): Promise<Joined> {
  return useInvitation(services, token, async (tx, invitation) => {
    const select = { id: true, email: true };
    const user = await tx.user.findUniqueOrThrow({ where: { id: userId }, select });
    if (user.email !== invitation.email) {
      const text = `This invitation is for ${invitation.email}, but you are signed in as ${user.email}.`;
      throw new DomainError('FORBIDDEN', text);
    }
    return join(tx, services, { invitation, user, address });
  });
}

/**
 * The same for a new user: creates an account with the invited address, which the link proves, and this password. Throws like
 * `acceptInvitation`, and VALIDATION_ERROR if the address already has an account.
 */
export async function acceptInvitationAsNewPerson(
  services: Services,
  { token, address, password }: Visitor & { password: string },
): Promise<Joined> {
  const now = services.clock.now();
  // Check the link before the expensive hash.
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
      const text = `${email} already has an account. Sign in, then open this link again.`;
      throw invalidState(text);
    }
    return join(tx, services, { invitation, user: { id, email }, address });
  });
}

type Invitation = OneTimeToken & { organizationId: string };

/** Locks the organization before the token, like every verb that replaces or revokes one, to avoid deadlocks. */
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
    // A reset link from another organization would give access to this one, too.
    await revokeHandedLinks(tx, membership);
    const actor = { kind: 'user', userId: user.id, role } as const;
    const ctx = { organizationId, actor, clock: services.clock, address };
    const subject = { id, label: email };
    await recordAudit(tx, ctx, { action: 'invitation.accept', subject, after: { role } });
  }
  return { organizationId, user };
}

/**
 * An invitation as shown to the holder of its link before accepting. Throws NOT_FOUND, with the reason, for a link that is used,
 * expired, revoked or unknown.
 */
export async function readInvitation({ db, clock }: Pick<Services, 'db' | 'clock'>, token: string) {
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
    /** Whether the address has an account: if so they sign in, otherwise they choose a password. */
    hasAccount: person !== null,
  };
}
