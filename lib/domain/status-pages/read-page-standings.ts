import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import { Prisma } from '@/lib/platform/db/generated/client';
import { type OverallStatus, overallStatus } from './overall-status';
import { readPageRows } from './page-row';
import { readMonitorStatuses } from './read-page-status';

/** What a page says first; `empty` and `paused` where there is nothing that could be watched. */
export type PageStanding = OverallStatus | 'empty' | 'paused';

/** How each of the organization's pages is now, by its id, in three queries however many. */
export async function readPageStandings(ctx: OrganizationContext): Promise<Map<string, PageStanding>> {
  requirePermission(ctx, 'status-page.read');
  const { db, clock, organizationId } = ctx;
  const pages = await readPageRows(db, Prisma.sql`organization_id = ${organizationId}`);
  const ids = [...new Set(pages.flatMap(({ monitors }) => monitors))];
  const known = new Map((await readMonitorStatuses({ db, clock }, ids)).map((row) => [row.id, row]));
  return new Map(
    pages.map(({ id, monitors }) => [id, standingOf(monitors.flatMap((one) => known.get(one) ?? []))]),
  );
}

function standingOf(monitors: Parameters<typeof overallStatus>[0]): PageStanding {
  if (monitors.length === 0) return 'empty';
  return monitors.some(({ enabled }) => enabled) ? overallStatus(monitors) : 'paused';
}
