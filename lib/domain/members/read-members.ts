import { requireFound } from '@/lib/core/errors';
import type { OrganizationContext, Role } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import type { Transaction } from '@/lib/platform/db/client';
import { Prisma } from '@/lib/platform/db/generated/client';
import type { Member } from '@/lib/schemas/people';

type Row = {
  id: string;
  email: string;
  name: string | null;
  role: Role;
  version: number;
  createdAt: Date;
  lastSeenAt: Date | null;
};

/** All members of the organization, newest first. */
export async function listMembers(ctx: OrganizationContext): Promise<Member[]> {
  requirePermission(ctx, 'member.read');
  return readRows(ctx, Prisma.empty);
}

/** One member. Throws NOT_FOUND, also for users of other organizations. */
export async function getMember(ctx: OrganizationContext, userId: string): Promise<Member> {
  requirePermission(ctx, 'member.read');
  const [member] = await readRows(ctx, Prisma.sql`AND membership.user_id = ${userId}`);
  return requireFound(member, 'Member');
}

/** The role, version and email address of a member. Throws NOT_FOUND. */
export async function readMembership(
  tx: Transaction,
  { organizationId, userId }: { organizationId: string; userId: string },
): Promise<{ role: Role; version: number; email: string }> {
  const membership = await tx.membership.findUnique({
    where: { organizationId_userId: { organizationId, userId } },
    select: { role: true, version: true, user: { select: { email: true } } },
  });
  const { user, ...own } = requireFound(membership, 'Member');
  return { ...own, email: user.email };
}

/** `lastSeenAt` includes sessions that act for another of the user's organizations. */
async function readRows({ db, organizationId }: OrganizationContext, only: Prisma.Sql): Promise<Member[]> {
  const rows = await db.$queryRaw<Row[]>`
    SELECT person.id, person.email, person.name, membership.role::text AS role, membership.version,
           membership.created_at AS "createdAt",
           (SELECT max(last_seen_at) FROM session WHERE session.user_id = person.id) AS "lastSeenAt"
      FROM membership JOIN "user" AS person ON person.id = membership.user_id
     WHERE membership.organization_id = ${organizationId} ${only}
     ORDER BY membership.created_at DESC, person.id DESC`;
  return rows.map((row) => ({
    ...row,
    createdAt: row.createdAt.toISOString(),
    lastSeenAt: row.lastSeenAt?.toISOString() ?? null,
  }));
}
