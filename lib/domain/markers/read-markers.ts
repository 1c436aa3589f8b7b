import { requireFound } from '@/lib/core/errors';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import { Prisma, type Marker as StoredMarker } from '@/lib/platform/db/generated/client';
import { isoColumn } from '@/lib/platform/db/moment-columns';
import { type Page, pageOf } from '@/lib/schemas/cursor';
import type { Marker, MarkersQuery } from '@/lib/schemas/monitor/marker';

/** What decides which markers concern a monitor. */
type TaggedMonitor = { id: string; tags: readonly string[] };

/** The order of markers: by when they happened, newest first. */
const NEWEST_FIRST = [
  { occurredAt: 'desc' },
  { number: 'desc' },
] satisfies Prisma.MarkerOrderByWithRelationInput[];

/**
 * A page of the organization's markers, newest first; with `monitor`, of those that concern it, which are none if the organization has
 * no such monitor.
 */
export async function listMarkers(
  ctx: OrganizationContext,
  { monitor, limit, cursor }: MarkersQuery,
): Promise<Page<Marker>> {
  requirePermission(ctx, 'marker.read');
  const { organizationId } = ctx;
  const found = monitor === undefined ? undefined : await findTags(ctx, monitor);
  if (found === null) return { items: [], next: null };
  const rows = await ctx.db.marker.findMany({
    where: { organizationId, AND: [...(found ? [concerning([found])] : []), before(cursor)] },
    orderBy: NEWEST_FIRST,
    take: limit + 1,
  });
  const page = pageOf(rows, limit, ({ occurredAt, number }) => ({ at: occurredAt, tie: Number(number) }));
  return { items: page.items.map(serializeMarker), next: page.next };
}

/** The newest markers between two moments that concern one of some monitors, in one query. The caller has read the monitors. */
export async function listMarkersOf(
  ctx: OrganizationContext,
  monitors: readonly TaggedMonitor[],
  { since, until, limit }: { since: Date; until: Date; limit: number },
): Promise<Marker[]> {
  requirePermission(ctx, 'marker.read');
  const { ids, tags } = namesOf(monitors);
  return ctx.db.$queryRaw<Marker[]>`
    SELECT id, title, description, url, tags, monitors, ${isoColumn(Prisma.sql`occurred_at`)} AS "occurredAt",
           ${isoColumn(Prisma.sql`created_at`)} AS "createdAt"
      FROM marker
     WHERE organization_id = ${ctx.organizationId} AND occurred_at BETWEEN ${since} AND ${until}
       AND ((tags = '{}' AND monitors = '{}') OR monitors && ${ids}::text[] OR tags && ${tags}::text[])
     ORDER BY occurred_at DESC, number DESC LIMIT ${limit}`;
}

/** One marker. Throws NOT_FOUND, also for those of other organizations. */
export async function getMarker(ctx: OrganizationContext, id: string): Promise<Marker> {
  requirePermission(ctx, 'marker.read');
  const { organizationId } = ctx;
  return serializeMarker(
    requireFound(await ctx.db.marker.findFirst({ where: { id, organizationId } }), 'Marker'),
  );
}

function findTags({ db, organizationId }: OrganizationContext, id: string) {
  return db.monitor.findFirst({ where: { id, organizationId }, select: { id: true, tags: true } });
}

function concerning(monitors: readonly TaggedMonitor[]): Prisma.MarkerWhereInput {
  const everything = { tags: { isEmpty: true }, monitors: { isEmpty: true } };
  const { ids, tags } = namesOf(monitors);
  return { OR: [everything, { monitors: { hasSome: ids } }, { tags: { hasSome: tags } }] };
}

function namesOf(monitors: readonly TaggedMonitor[]): { ids: string[]; tags: string[] } {
  const tags = new Set(monitors.flatMap((monitor) => monitor.tags));
  return { ids: monitors.map(({ id }) => id), tags: [...tags] };
}

function before(cursor: MarkersQuery['cursor']): Prisma.MarkerWhereInput {
  if (!cursor) return {};
  const { at, tie } = cursor;
  return { occurredAt: { lte: at }, OR: [{ occurredAt: { lt: at } }, { number: { lt: tie } }] };
}

/** The marker as the API returns it. */
export function serializeMarker({
  id,
  title,
  description,
  url,
  tags,
  monitors,
  ...at
}: StoredMarker): Marker {
  const [occurredAt, createdAt] = [at.occurredAt.toISOString(), at.createdAt.toISOString()];
  return { id, title, description, url, tags, monitors, occurredAt, createdAt };
}
