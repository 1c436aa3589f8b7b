import { DomainError } from '@/lib/core/errors';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import type { Transaction } from '@/lib/platform/db/client';
import type { Invitation, MemberRole } from '@/lib/schemas/member';

type Row = {
  id: string;
  email: string;
  role: MemberRole | null;
  createdAt: Date;
  expiresAt: Date;
  issuer: { email: string } | null;
};

/** The columns that `serializeInvitation` wants. */
export const INVITATION_COLUMNS = {
  id: true,
  email: true,
  role: true,
  createdAt: true,
  expiresAt: true,
  issuer: { select: { email: true } },
} as const;

/** The invitations that nobody has accepted, expired ones too, newest first. */
export async function listInvitations(ctx: OrganizationContext): Promise<Invitation[]> {
  requirePermission(ctx, 'invitation.read');
  const rows = await ctx.db.oneTimeToken.findMany({
    where: { kind: 'invitation', organizationId: ctx.organizationId, usedAt: null },
    select: INVITATION_COLUMNS,
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
  });
  return rows.map(serializeInvitation);
}

/** The invitation as the API answers it: without its link, which is kept nowhere. */
export function serializeInvitation({ issuer, role, createdAt, expiresAt, ...row }: Row): Invitation {
  return {
    ...row,
    role: role ?? 'viewer',
    invitedBy: issuer?.email ?? null,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
  };
}

/** How many places invitations take that can still be accepted, but for one to `email`. */
export function countOpenInvitations(
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

/** The refusal for a missing invitation. */
export function invitationNotFound(): DomainError {
  return new DomainError('NOT_FOUND', 'There is no such invitation.');
}
