import { DomainError } from '@/lib/core/errors';
import type { Services } from '@/lib/domain/context/services';
import { readToken } from '@/lib/domain/people/one-time-token';
import type { MemberRole } from '@/lib/schemas/member';
import { requireAuthorityToInvite } from './authority';

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
