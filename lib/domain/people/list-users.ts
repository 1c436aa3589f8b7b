import type { Role } from '@/lib/domain/context/organization-context';
import type { Database } from '@/lib/platform/db/client';

/** Somebody who can sign in, and where they belong. */
export type ListedUser = {
  id: string;
  email: string;
  name: string | null;
  createdAt: Date;
  organizations: { id: string; name: string; role: Role }[];
};

/** Everybody of this installation, oldest first: for its operator only. */
export async function listUsers(db: Database): Promise<ListedUser[]> {
  const users = await db.user.findMany({
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    select: {
      id: true,
      email: true,
      name: true,
      createdAt: true,
      memberships: {
        orderBy: { createdAt: 'asc' },
        select: { role: true, organization: { select: { id: true, name: true } } },
      },
    },
  });
  return users.map(({ memberships, ...user }) => ({
    ...user,
    organizations: memberships.map(({ role, organization }) => ({ ...organization, role })),
  }));
}
