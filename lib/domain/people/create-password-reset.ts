import { DomainError } from '@/lib/core/errors';
import { recordAudit } from '@/lib/domain/audit/record-audit';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import type { Services } from '@/lib/domain/context/services';
import type { Transaction } from '@/lib/platform/db/client';
import { mayResetPassword } from './handed-links';
import { HANDED_LINK_MS, resetPasswordPath } from './links';
import { endResetLinks, issueToken } from './one-time-token';

/** A link to hand to the person; `path` begins with `/`, for the address under which they reach the app. */
export type PasswordReset = { path: string; expiresAt: Date };

/** `handedOutIn`: the organization whose member hands the link out; null: the operator does. */
type Person = { id: string; email: string; organizationIds: string[]; handedOutIn: string | null };

/**
 * Makes a link with which a member sets a new password, for an admin to hand over. Whoever has the link has the account:
 * so only for members whose role is not above the admin's, and who belong to no other organization, for that is not the
 * admin's to open. All of this is judged again when the link is used. An older link ends. Throws FORBIDDEN and NOT_FOUND.
 */
export async function createPasswordReset(ctx: OrganizationContext, userId: string): Promise<PasswordReset> {
  requirePermission(ctx, 'member.reset-password');
  return ctx.db.$transaction(async (tx) => {
    const memberships = await tx.membership.findMany({ where: { userId }, include: { user: true } });
    const own = memberships.find(({ organizationId }) => organizationId === ctx.organizationId);
    if (own === undefined) throw new DomainError('NOT_FOUND', 'There is no such member.');
    if (ctx.actor.kind === 'user' && !mayResetPassword(ctx.actor.role, own.role)) {
      throw new DomainError('FORBIDDEN', `Only an ${own.role} can reset the password of an ${own.role}.`);
    }
    if (memberships.length > 1) {
      throw new DomainError(
        'FORBIDDEN',
        'This person belongs to another organization as well, so their account is not yours to open. They can ask for a link on the sign-in page, or the operator of this service makes one.',
      );
    }
    const { email } = own.user;
    const { organizationId } = ctx;
    const person = { id: userId, email, organizationIds: [organizationId], handedOutIn: organizationId };
    return issueReset(tx, ctx, ctx.actor, person);
  });
}

/** The same at the command line, for anybody. Throws NOT_FOUND. */
export async function createPasswordResetByOperator(
  services: Services,
  email: string,
): Promise<PasswordReset> {
  return services.db.$transaction(async (tx) => {
    const user = await tx.user.findUnique({ where: { email }, include: { memberships: true } });
    if (user === null) throw new DomainError('NOT_FOUND', `There is no user with the address ${email}.`);
    const organizationIds = user.memberships.map(({ organizationId }) => organizationId);
    const person = { id: user.id, email, organizationIds, handedOutIn: null };
    return issueReset(tx, services, { kind: 'operator' }, person);
  });
}

async function issueReset(
  tx: Transaction,
  { clock, address }: Pick<OrganizationContext, 'clock' | 'address'>,
  actor: OrganizationContext['actor'],
  { id, email, organizationIds, handedOutIn }: Person,
): Promise<PasswordReset> {
  const createdBy = actor.kind === 'user' ? actor.userId : null;
  await endResetLinks(tx, id);
  const { token, expiresAt } = await issueToken(
    tx,
    { kind: 'password_reset', email, userId: id, organizationId: handedOutIn, createdBy },
    { now: clock.now(), lifetimeMs: HANDED_LINK_MS },
  );
  for (const organizationId of organizationIds) {
    await recordAudit(
      tx,
      { organizationId, actor, clock, address },
      {
        action: 'member.reset-password',
        subject: { id, label: email },
        after: { linkExpiresAt: expiresAt.toISOString() },
      },
    );
  }
  return { path: resetPasswordPath(token), expiresAt };
}
