import { LRUCache } from 'lru-cache';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import type { Database } from '@/lib/platform/db/client';
import { Prisma } from '@/lib/platform/db/generated/client';
import { middleOfBucket } from './latency-histogram';

const DAY_MS = 86_400_000;
/** Of all organizations together; a place is a monitor. */
const MOST_KEPT = 200_000;

type Kept = { until: number; p95: ReadonlyMap<string, number> };

/** What was read of the rollups by organization: it stays right until the next hour is rolled up. */
const kept = new WeakMap<Database, LRUCache<string, Kept>>();

type Reading = Pick<OrganizationContext, 'db' | 'clock' | 'organizationId'>;

/**
 * The response time that 95 of a hundred good checks of the last 24 hours did not exceed, in milliseconds by monitor id, of
 * every monitor of the organization that had one. From the hours that are rolled up, and of monitors made since from what
 * they have. Three queries at most however many monitors, two of them but once an hour.
 */
export async function readP95(reading: Reading): Promise<Map<string, number>> {
  const { db, clock, organizationId } = reading;
  const since = new Date(clock.now().getTime() - DAY_MS);
  const [progress] = await db.$queryRaw<{ until: Date }[]>`
    SELECT rolled_until AS until FROM raw.rollup_progress`;
  const until = progress && progress.until > since ? progress.until : since;
  const [rolled, young] = await Promise.all([
    progress ? readRolledOnce(reading, until) : new Map<string, number>(),
    db.$queryRaw<{ id: string; p95: number }[]>(youngQuery(organizationId, until)),
  ]);
  return new Map([...rolled, ...young.map(({ id, p95 }) => [id, p95] as const)]);
}

async function readRolledOnce(
  { db, organizationId }: Reading,
  until: Date,
): Promise<ReadonlyMap<string, number>> {
  const own =
    kept.get(db) ?? new LRUCache({ maxSize: MOST_KEPT, sizeCalculation: ({ p95 }) => p95.size + 1 });
  kept.set(db, own);
  const known = own.get(organizationId);
  if (known?.until === until.getTime()) return known.p95;
  const from = new Date(until.getTime() - DAY_MS);
  const rows = await db.$queryRaw<{ id: string; bucket: number }[]>(rolledQuery(organizationId, from, until));
  const p95 = new Map(rows.map(({ id, bucket }) => [id, Math.round(middleOfBucket(bucket))]));
  own.set(organizationId, { until: until.getTime(), p95 });
  return p95;
}

/** Adds up the histograms in the database and answers the one bucket that counts: a row a monitor. */
function rolledQuery(organizationId: string, from: Date, until: Date): Prisma.Sql {
  return Prisma.sql`
    WITH times AS (
      SELECT monitor.id, entry >> 24 AS bucket, sum(entry & 16777215) AS n
        FROM monitor JOIN raw.rollup_hour ON rollup_hour.monitor = monitor.number, unnest(latency) AS entry
       WHERE organization_id = ${organizationId} AND hour >= ${from} AND hour < ${until}
       GROUP BY 1, 2
    ), counted AS (
      SELECT id, bucket, sum(n) OVER (PARTITION BY id ORDER BY bucket) AS seen, sum(n) OVER (PARTITION BY id) AS total
        FROM times
    )
    SELECT id, min(bucket)::int AS bucket FROM counted WHERE seen >= ceil(0.95 * total) GROUP BY id`;
}

/** Of monitors that no rollup tells of yet: at most some hours of their raw results. */
function youngQuery(organizationId: string, until: Date): Prisma.Sql {
  return Prisma.sql`
    SELECT monitor.id, percentile_disc(0.95) WITHIN GROUP (ORDER BY response_time) AS p95
      FROM monitor JOIN raw.check_result ON check_result.monitor = monitor.number
     WHERE organization_id = ${organizationId} AND created_at >= ${until} AND checked_at >= ${until} AND outcome = 0
     GROUP BY 1`;
}
