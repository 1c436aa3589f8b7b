import { DomainError } from '@/lib/core/errors';
import { recordAudit } from '@/lib/domain/audit/record-audit';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import { issueToken } from '@/lib/domain/people/one-time-token';
import { requireRoom } from '@/lib/plans/limits';
import type { Transaction } from '@/lib/platform/db/client';
import { queueMail } from '@/lib/platform/mail/queue-mail';
import type { CreateInvitation, NewInvitation } from '@/lib/schemas/member';
import { requireReach } from './authority';
import { composeInvitationMail } from './invitation-mail';
import { lockMembers } from './lock-members';
import { countOpenInvitations, INVITATION_COLUMNS, serializeInvitation } from './read-invitations';

const LIFETIME_MS = 7 * 24 * 3_600_000;

/**
 * Invites an address: the answer shows the link for the only time, under `baseUrl`, and it is mailed too where e-mail
 * is on. It works once, for a week, for that address alone, while who created it may still invite; an older one to
 * the same address is worth nothing from then on. An open invitation takes a place of the plan. Throws FORBIDDEN,
 * PLAN_LIMIT_EXCEEDED, and CONFLICT for who is a member already.
 */
export async function inviteMember(
  ctx: OrganizationContext,
  { email, role }: CreateInvitation,
  { baseUrl }: { baseUrl: string },
): Promise<NewInvitation> {
  requirePermission(ctx, 'invitation.create');
  const { organizationId, actor } = ctx;
  const now = ctx.clock.now();
  return ctx.db.$transaction(async (tx) => {
    const { plan, ctx: current } = await lockMembers(tx, ctx);
    requirePermission(current, 'invitation.create');
    requireReach(current.actor, role);
    await requireStranger(tx, { organizationId, email });
    const older = await tx.oneTimeToken.findFirst({
      where: { kind: 'invitation', organizationId, email, usedAt: null },
      select: { role: true },
    });
    // To take an invitation's place is to revoke it.
    if (older?.role) requireReach(current.actor, older.role);
    const members = await tx.membership.count({ where: { organizationId } });
    const open = await countOpenInvitations(tx, { organizationId, now, email });
    requireRoom(plan, 'members', members + open);

    const createdBy = actor.kind === 'user' ? actor.userId : null;
    const createdByKey = actor.kind === 'key' ? actor.keyId : null;
    const subject = { kind: 'invitation', email, organizationId, role, createdBy, createdByKey } as const;
    const { id, token, expiresAt } = await issueToken(tx, subject, { now, lifetimeMs: LIFETIME_MS });
    const row = await tx.oneTimeToken.findUniqueOrThrow({
      where: { id },
      select: { ...INVITATION_COLUMNS, organization: { select: { name: true } } },
    });
    const { organization, ...columns } = row;
    const invitation = serializeInvitation(columns);
    const url = `${baseUrl}/invitation/${token}`;
    if (ctx.mail.isOn) {
      const { invitedBy } = invitation;
      const organizationName = organization?.name ?? '';
      const content = composeInvitationMail({ organizationName, invitedBy, role, url, expiresAt });
      await queueMail(tx, ctx, { organizationId, kind: 'invitation', to: email, content });
    }
    const after = { email, role, expiresAt };
    await recordAudit(tx, ctx, { action: 'invitation.create', subject: { id, label: email }, after });
    return { ...invitation, url, mailed: ctx.mail.isOn };
  });
}

async function requireStranger(
  tx: Transaction,
  { organizationId, email }: { organizationId: string; email: string },
): Promise<void> {
  const members = await tx.membership.count({ where: { organizationId, user: { email } } });
  if (members === 0) return;
  throw new DomainError('CONFLICT', `${email} is a member already.`, [
    { path: 'email', code: 'taken', message: 'belongs to a member already' },
  ]);
}
