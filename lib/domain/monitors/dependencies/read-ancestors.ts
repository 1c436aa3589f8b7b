import { PROBED_TYPES } from '@/lib/checks/types';
import { IS_TIMELY, numberOf } from '@/lib/domain/monitors/last-checks';
import { readSilences } from '@/lib/domain/monitors/silence';
import type { Database } from '@/lib/platform/db/client';
import { Prisma } from '@/lib/platform/db/generated/client';
import { toMs } from '@/lib/platform/db/moment-columns';
import type { Ancestor } from '@/lib/state/announcements/decide-announcement';

/** Of one monitor, the nearest; dependencies can be longer. */
const MAX_ANCESTORS = 50;
/** Longer than anybody waits for a check. */
const CHECKED_WITHIN_SECONDS = 300;

/** A monitor and what it depends on directly. */
export type Dependent = { id: string; dependsOn: readonly string[] };

type Reading = Pick<Database, '$queryRaw'>;
type Row = Omit<Ancestor, 'isWatched'> & { dependsOn: string[]; isActive: boolean };

/** The ancestors of monitors by ID, nearest first and at most 50 of each, in two queries. */
export async function readAncestors(
  db: Reading,
  monitors: readonly Dependent[],
  now: Date,
): Promise<ReadonlyMap<string, Ancestor[]>> {
  const direct = [...new Set(monitors.flatMap(({ dependsOn }) => dependsOn))];
  const found = await readReached(db, direct, now);
  return new Map(monitors.map(({ id, dependsOn }) => [id, listAncestors(found, dependsOn)]));
}

/** Those of the monitors that suppress what depends on them: they are down, and that counts. */
export async function findSuppressing(
  db: Reading,
  ids: readonly string[],
  now: Date,
): Promise<ReadonlySet<string>> {
  const found = await readReached(db, ids, now);
  const suppressing = ids.filter((id) => {
    const { isWatched = false, isDown = false } = found.get(id) ?? {};
    return isWatched && isDown;
  });
  return new Set(suppressing);
}

type Reached = Ancestor & { dependsOn: string[] };

async function readReached(
  db: Reading,
  ids: readonly string[],
  now: Date,
): Promise<ReadonlyMap<string, Reached>> {
  if (ids.length === 0) return new Map();
  const rows = await db.$queryRaw<Row[]>`
    WITH RECURSIVE reached (id) AS (
      SELECT unnest(${[...ids]}::text[])
       UNION
      SELECT unnest(parent.depends_on) FROM reached JOIN monitor AS parent ON parent.id = reached.id
    )
    SELECT monitor.id, name, depends_on AS "dependsOn", enabled AND status_before_maintenance IS NULL AS "isActive",
           status = 'down' AS "isDown", status <> 'down' AND consecutive_failures > 0 AS "isDoubtful",
           type = ANY(${PROBED_TYPES}::monitor_type[]) AS "isProbed", timeout * 1000 AS "timeoutMs",
           ${checkedAt(now)} AS "checkedAt",
           (SELECT ${toMs(Prisma.sql`decided_at`)} FROM status_period
             WHERE monitor_id = monitor.id AND to_at IS NULL ORDER BY from_at DESC LIMIT 1) AS "changedAt"
      FROM reached JOIN monitor ON monitor.id = reached.id JOIN monitor_state ON monitor_id = monitor.id`;
  const silences = await readSilences(
    db,
    rows.map(({ id }) => id),
    now,
  );
  return new Map(
    rows.map(({ isActive, ...row }) => {
      const isWatched = isActive && (silences.get(row.id)?.noDataSince ?? null) === null;
      return [row.id, { ...row, isWatched }];
    }),
  );
}

/** Since when the majority of the regions of a `monitor` that checked it last have begun these checks, in epoch milliseconds. */
function checkedAt(now: Date): Prisma.Sql {
  return Prisma.sql`(
    SELECT (array_agg(at ORDER BY at DESC NULLS LAST))[cardinality(regions) / 2 + 1]
      FROM (SELECT (SELECT ${toMs(Prisma.sql`max(checked_at)`)}
                      FROM raw.check_result AS result
                     WHERE result.monitor = monitor.number
                       AND result.region = ${numberOf(Prisma.sql`own.region`)}
                       AND outcome < 2
                       AND ${IS_TIMELY}
                       AND checked_at > ${now}::timestamptz
                                        - make_interval(secs => ${CHECKED_WITHIN_SECONDS}::int)) AS at
              FROM unnest(regions) AS own (region)) AS last)`;
}

function listAncestors(found: ReadonlyMap<string, Reached>, direct: readonly string[]): Ancestor[] {
  const ancestors = new Map<string, Reached>();
  let level = direct;
  while (level.length > 0 && ancestors.size < MAX_ANCESTORS) {
    const reached = level.flatMap((id) => found.get(id) ?? []).filter(({ id }) => !ancestors.has(id));
    for (const each of reached) ancestors.set(each.id, each);
    level = reached.flatMap(({ dependsOn }) => dependsOn);
  }
  return [...ancestors.values()].slice(0, MAX_ANCESTORS);
}
