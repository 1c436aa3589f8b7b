import { DomainError, invalidState, requireFound } from '@/lib/core/errors';
import { recordAudit } from '@/lib/domain/audit/record-audit';
import type { Actor, OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import { requireRecentFactor } from '@/lib/domain/context/recent-factor';
import type { Services } from '@/lib/domain/context/services';
import type { Transaction } from '@/lib/platform/db/client';
import { queueMail } from '@/lib/platform/mail/queue-mail';
import { endSessionsOf } from '../sessions';
import { endPendingSignInsOf } from '../sign-in/pending-sign-ins';
import { deleteSecondFactor } from './enroll-second-factor';
import { factorResetMail } from './factor-mails';

/**
 * Removes all second factors of a member who lost theirs, passkeys and recovery codes too, and ends their sessions. Logged and mailed to them. Only for members of this
 * organization alone: the factor protects every organization of a person, and no owner may decide for the others. Throws
 * NOT_FOUND, FORBIDDEN, and VALIDATION_ERROR if they have none.
 */
export async function resetSecondFactor(ctx: OrganizationContext, userId: string): Promise<void> {
  requirePermission(ctx, 'member.reset-second-factor');
  requireRecentFactor(ctx);
  const { organizationId, actor, db, address } = ctx;
  await db.$transaction(async (tx) => {
    const memberships = await tx.membership.findMany({ where: { userId }, include: { user: true } });
    const found = memberships.find((one) => one.organizationId === organizationId);
    const { user } = requireFound(found, 'Member');
    if (memberships.length > 1) {
      throw new DomainError(
        'FORBIDDEN',
        'This user also belongs to another organization, so you cannot reset their second factor. They can use a recovery code, or the operator of this service can reset it.',
      );
    }
    await reset(tx, ctx, { user, actor, organizationIds: [organizationId], address: address ?? null });
  });
}

/** The same at the command line, for any user. Throws NOT_FOUND, and VALIDATION_ERROR if they have none. */
export async function resetSecondFactorByOperator(services: Services, email: string): Promise<void> {
  await services.db.$transaction(async (tx) => {
    const found = await tx.user.findUnique({ where: { email }, include: { memberships: true } });
    const user = requireFound(found, `User ${email}`);
    const organizationIds = user.memberships.map(({ organizationId }) => organizationId);
    await reset(tx, services, { user, actor: { kind: 'operator' }, organizationIds, address: null });
  });
}

type Reset = {
  user: { id: string; email: string };
  actor: Actor;
  organizationIds: string[];
  address: string | null;
};

async function reset(
  tx: Transaction,
  services: Services,
  { user: { id, email }, actor, organizationIds, address }: Reset,
): Promise<void> {
  if (!(await deleteSecondFactor(tx, id))) throw invalidState(`${email} has no second factor.`);
  await endSessionsOf(tx, id);
  await endPendingSignInsOf(tx, id);
  for (const organizationId of organizationIds) {
    const ctx = { organizationId, actor, clock: services.clock, address };
    await recordAudit(tx, ctx, { action: 'member.reset-second-factor', subject: { id, label: email } });
  }
  if (!services.mail.isOn) return;
  const by = actor.kind === 'user' ? await tx.user.findUnique({ where: { id: actor.userId } }) : null;
  const content = factorResetMail(services.appUrl, by?.email ?? null);
  await queueMail(tx, services, { organizationId: null, kind: 'second-factor', to: email, content });
}
