import { Prisma } from '@/lib/platform/db/generated/client';
import { listComponents } from './list-rows';
import type { PageRows } from './resolve-sections';

/** The organization of a page, and what it shows: other monitors and components are unknown to its visitors. */
export type PageScope = {
  organizationId: string;
  monitorIds: string[];
  componentIds: string[];
  /** The names that the page gives monitors, by ID. */
  names: ReadonlyMap<string, string>;
};

/** What a page shows. */
export function scopeOf({
  organizationId,
  monitors,
  sections,
}: PageRows & { organizationId: string }): PageScope {
  const componentIds = listComponents({ sections }).map(({ id }) => id);
  const items = sections.flatMap((section) => section.items);
  const names = new Map(
    items.flatMap(({ monitorId, name }) => (monitorId === null || name === null ? [] : [[monitorId, name]])),
  );
  return { organizationId, monitorIds: monitors, componentIds, names };
}

/** The condition on incidents about something that a page shows. Both columns have an index. */
export function affects({ organizationId, monitorIds, componentIds }: Omit<PageScope, 'names'>): Prisma.Sql {
  const monitors = Prisma.sql`affected_monitors && ${monitorIds}`;
  const both = Prisma.sql`(${monitors} OR affected_components && ${componentIds})`;
  return Prisma.sql`organization_id = ${organizationId} AND ${componentIds.length === 0 ? monitors : both}`;
}
