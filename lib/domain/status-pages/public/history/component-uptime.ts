import { groupBy } from '@/lib/core/groups';
import { createdAtOf } from '@/lib/core/ids';
import { type Span, uptimePercentage } from '@/lib/domain/monitors/history/uptime';
import { isPublished, type PageScope } from '@/lib/domain/status-pages/sections/page-scope';
import type { Database } from '@/lib/platform/db/client';

/** A time in which an incident was a partial or major outage of a component; without an end, it lasts. */
export type Outage = { from: Date; to: Date | null };

/** People write these incidents. The newest ones count. */
const MAX_OUTAGES = 10_000;

/**
 * The uptime of the components of a page over each of `spans`, by ID, in one query; null before a component existed. Nothing checks
 * them: they are down during incidents that are a partial or major outage for them.
 */
export async function readComponentUptimes(
  db: Pick<Database, '$queryRaw'>,
  scope: PageScope,
  spans: readonly Span[],
  now: Date,
): Promise<Map<string, (number | null)[]>> {
  const { componentIds } = scope;
  if (componentIds.length === 0) return new Map();
  const since = new Date(Math.min(...spans.map((span) => span.since.getTime())));
  const outages = await readOutages(db, scope, { since, now });
  const byComponent = groupBy(outages, ({ id }) => id);
  return new Map(
    componentIds.map((id) => {
      const own = byComponent.get(id) ?? [];
      return [id, spans.map((span) => componentUptime(own, createdAtOf(id), span))];
    }),
  );
}

/** The uptime over a span of a component that exists since `createdAt`; null if that is later. `outages` are ordered by their start. */
export function componentUptime(
  outages: readonly Outage[],
  createdAt: Date,
  { since, until }: Span,
): number | null {
  const [start, end] = [Math.max(since.getTime(), createdAt.getTime()), until.getTime()];
  let down = 0;
  let counted = start;
  for (const { from, to } of outages) {
    // Incidents can overlap.
    const begin = Math.max(from.getTime(), counted);
    const over = Math.min(to?.getTime() ?? end, end);
    if (over <= begin) continue;
    down += over - begin;
    counted = over;
  }
  return uptimePercentage(end - start, down);
}

/** The outages of all components, ordered by their start. */
async function readOutages(
  db: Pick<Database, '$queryRaw'>,
  scope: PageScope,
  { since, now }: { since: Date; now: Date },
) {
  const { organizationId, componentIds } = scope;
  const newest = await db.$queryRaw<(Outage & { id: string })[]>`
    SELECT affected.id, started_at AS "from", resolved_at AS "to"
      FROM incident CROSS JOIN unnest(affected_components) AS affected (id)
     WHERE organization_id = ${organizationId} AND affected_components && ${componentIds}
       AND affected.id = ANY(${componentIds}) ${isPublished(scope)}
       AND coalesce(impacts ->> affected.id, severity::text) IN ('major', 'critical')
       AND started_at <= ${now} AND (resolved_at IS NULL OR resolved_at >= ${since})
     ORDER BY started_at DESC LIMIT ${MAX_OUTAGES}`;
  return newest.reverse();
}
