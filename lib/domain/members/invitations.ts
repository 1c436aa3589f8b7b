import { invalidState, notFound, requireFound } from '@/lib/core/errors';
import { formatMinute } from '@/lib/core/time/duration';
import { recordAudit } from '@/lib/domain/audit/record-audit';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import { issueToken } from '@/lib/domain/people/one-time-links';
import { requireQuota } from '@/lib/plans/require-quota';
import type { Transaction } from '@/lib/platform/db/client';
import type { Prisma } from '@/lib/platform/db/generated/client';
import { type MailContent, oneLine, queueMail } from '@/lib/platform/mail/queue-mail';
import type { CreateInvitation, Invitation, NewInvitation } from '@/lib/schemas/people';
import { requireAssignableRole } from './authority';
import { lockMembers } from './change-members';

/** The columns that `serializeInvitation` requires. */
const INVITATION_COLUMNS = {
  id: true,
  email: true,
  role: true,
  createdAt: true,
  expiresAt: true,
  issuer: { select: { email: true } },
} as const;
type Row = Prisma.OneTimeTokenGetPayload<{ select: typeof INVITATION_COLUMNS }>;

const MAX_NAME = 100;
const LIFETIME_MS = 7 * 24 * 3_600_000;

/**
 * Invites an address and returns the link, under `baseUrl`, only once; it is also mailed if mail is on. The link works once,
 * within a week, only for that address and only while its creator may still invite. It replaces an older invitation to the
 * address and counts toward the members quota. Throws FORBIDDEN, PLAN_LIMIT_EXCEEDED, and VALIDATION_ERROR for a member.
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
    requireAssignableRole(current.actor, role);
    await requireNonMember(tx, { organizationId, email });
    const older = await tx.oneTimeToken.findFirst({
      where: { kind: 'invitation', organizationId, email, usedAt: null },
      select: { role: true },
    });
    // Replacing an invitation revokes it.
    if (older?.role) requireAssignableRole(current.actor, older.role);
    const members = await tx.membership.count({ where: { organizationId } });
    const open = await countOpenInvitations(tx, { organizationId, now, email });
    requireQuota(plan, 'members', members + open);

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
      const content = composeInvitationMail(invitation, organization?.name ?? '', url);
      await queueMail(tx, ctx, { organizationId, kind: 'invitation', to: email, content });
    }
    const after = { email, role, expiresAt };
    await recordAudit(tx, ctx, { action: 'invitation.create', subject: { id, label: email }, after });
    return { ...invitation, url, mailed: ctx.mail.isOn };
  });
}

async function requireNonMember(
  tx: Transaction,
  { organizationId, email }: { organizationId: string; email: string },
): Promise<void> {
  const members = await tx.membership.count({ where: { organizationId, user: { email } } });
  if (members === 0) return;
  throw invalidState(`${email} is already a member.`, [
    { path: 'email', code: 'taken', message: 'already belongs to a member' },
  ]);
}

/** The email with an invitation's link. */
function composeInvitationMail(
  { role, invitedBy, expiresAt }: Invitation,
  organizationName: string,
  url: string,
): MailContent {
  const organization = oneLine(organizationName, MAX_NAME);
  const invitation =
    invitedBy === null
      ? `You are invited to join ${organization} as ${role}.`
      : `${oneLine(invitedBy, MAX_NAME)} invited you to join ${organization} as ${role}.`;
  return {
    subject: `Invitation to ${organization}`,
    preheader: `Join ${organization} as ${role}.`,
    blocks: [
      { paragraph: invitation },
      { paragraph: `The link works once and expires at ${formatMinute(new Date(expiresAt))}.` },
    ],
    button: { label: 'View invitation', url },
    footnote: 'If you were not expecting this invitation, you can ignore this email.',
  };
}

/** The open invitations, including expired ones, newest first. */
export async function listInvitations(ctx: OrganizationContext): Promise<Invitation[]> {
  requirePermission(ctx, 'invitation.read');
  const rows = await ctx.db.oneTimeToken.findMany({
    where: { kind: 'invitation', organizationId: ctx.organizationId, usedAt: null },
    select: INVITATION_COLUMNS,
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
  });
  return rows.map(serializeInvitation);
}

/** The invitation as the API returns it, without its link, which is not stored. */
function serializeInvitation({ issuer, role, createdAt, expiresAt, ...row }: Row): Invitation {
  return {
    ...row,
    role: role ?? 'viewer',
    invitedBy: issuer?.email ?? null,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
  };
}

/** The number of invitations that can still be accepted, without one to `email`. */
function countOpenInvitations(
  tx: Transaction,
  { organizationId, now, email }: { organizationId: string; now: Date; email: string },
): Promise<number> {
  return tx.oneTimeToken.count({
    where: {
      kind: 'invitation',
      organizationId,
      usedAt: null,
      expiresAt: { gt: now },
      email: { not: email },
    },
  });
}

/** Revokes an open invitation and its link. Throws FORBIDDEN and NOT_FOUND. */
export async function revokeInvitation(ctx: OrganizationContext, id: string): Promise<{ message: string }> {
  requirePermission(ctx, 'invitation.revoke');
  const { organizationId } = ctx;
  await ctx.db.$transaction(async (tx) => {
    const { ctx: current } = await lockMembers(tx, ctx);
    const where = { id, organizationId, kind: 'invitation', usedAt: null } as const;
    const invitation = await tx.oneTimeToken.findFirst({ where, select: { email: true, role: true } });
    const { email, role } = requireFound(invitation, 'Invitation');
    if (role !== null) requireAssignableRole(current.actor, role);
    const { count } = await tx.oneTimeToken.deleteMany({ where });
    if (count === 0) throw notFound('Invitation');
    const subject = { id, label: email };
    await recordAudit(tx, ctx, { action: 'invitation.revoke', subject, before: { email, role } });
  });
  return { message: 'Invitation revoked' };
}
