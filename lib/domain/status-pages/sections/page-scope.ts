import { showsIncident } from '@/lib/domain/notices/shows-incident';
import { Prisma } from '@/lib/platform/db/generated/client';
import type { PublishingPage } from '@/lib/schemas/status-pages/automatic-incidents';
import { listComponents } from './list-rows';
import type { PageRows } from './resolve-sections';

/** The organization of a page, and what it shows: other monitors and components are unknown to its visitors. */
export type PageScope = {
  organizationId: string;
  monitorIds: string[];
  componentIds: string[];
  /** The names that the page gives monitors, by ID. */
  names: ReadonlyMap<string, string>;
  publication: Publication;
};

/** Which automatic incidents a page shows. */
export type Publication = PublishingPage<Date>;

/** All of them, for pages that are not saved yet. */
export const ALL_INCIDENTS: Publication = { id: '', automaticDelay: 0, automaticSince: null };

/** What of a page decides what it shows. */
export type ScopedPage = PageRows & Publication & { organizationId: string };

/** What a page shows. */
export function scopeOf(page: ScopedPage): PageScope {
  const { organizationId, monitors, sections, id, automaticDelay, automaticSince } = page;
  const componentIds = listComponents({ sections }).map(({ id }) => id);
  const items = sections.flatMap((section) => section.items);
  const names = new Map(
    items.flatMap(({ monitorId, name }) => (monitorId === null || name === null ? [] : [[monitorId, name]])),
  );
  const publication = { id, automaticDelay, automaticSince };
  return { organizationId, monitorIds: monitors, componentIds, names, publication };
}

/** The condition on incidents that a page shows: about something on it, and published on it. Both columns have an index. */
export function affects(scope: Omit<PageScope, 'names'>): Prisma.Sql {
  const { organizationId, monitorIds, componentIds } = scope;
  const monitors = Prisma.sql`affected_monitors && ${monitorIds}`;
  const both = Prisma.sql`(${monitors} OR affected_components && ${componentIds})`;
  return Prisma.sql`
    organization_id = ${organizationId} AND ${componentIds.length === 0 ? monitors : both} ${isPublished(scope)}`;
}

/** That a page shows an incident about one of its rows, as a further condition on incidents; none for most pages. */
export function isPublished({ publication }: Pick<PageScope, 'publication'>): Prisma.Sql {
  const { id, automaticDelay, automaticSince } = publication;
  if (automaticDelay === 0 && automaticSince === null) return Prisma.empty;
  return Prisma.sql`AND ${showsIncident({
    id: Prisma.sql`${id}`,
    automaticDelay: Prisma.sql`${automaticDelay}::int`,
    automaticSince: Prisma.sql`${automaticSince}::timestamptz`,
  })}`;
}
