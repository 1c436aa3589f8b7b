import type { PlanId } from '@/lib/plans/catalogue';
import type { Database } from '@/lib/platform/db/client';

/** An organization, and how much there is of it. */
export type ListedOrganization = {
  id: string;
  name: string;
  plan: PlanId;
  createdAt: Date;
  members: number;
  monitors: number;
};

/** Every organization of this installation, oldest first: for its operator only. */
export async function listOrganizations(db: Database): Promise<ListedOrganization[]> {
  const rows = await db.organization.findMany({
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    select: {
      id: true,
      name: true,
      plan: true,
      createdAt: true,
      _count: { select: { memberships: true, monitors: true } },
    },
  });
  return rows.map(({ _count, ...organization }) => ({
    ...organization,
    members: _count.memberships,
    monitors: _count.monitors,
  }));
}
