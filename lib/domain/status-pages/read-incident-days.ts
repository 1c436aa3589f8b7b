import type { Database } from '@/lib/platform/db/client';
import type { PageScope } from './read-public-incidents';

/** How many incidents went on, by monitor id and UTC day (`2026-03-10`); days without any have no entry. */
export type IncidentDays = Map<string, Map<string, number>>;

/** Counts the incidents of the monitors on each day from `since` to `now`: one query, at most a row a monitor and day. */
export async function readIncidentDays(
  db: Pick<Database, '$queryRaw'>,
  { organizationId, monitorIds }: PageScope,
  { since, now }: { since: Date; now: Date },
): Promise<IncidentDays> {
  const days: IncidentDays = new Map();
  if (monitorIds.length === 0) return days;
  const rows = await db.$queryRaw<{ monitorId: string; date: string; n: number }[]>`
    SELECT affected.id AS "monitorId", to_char(day, 'YYYY-MM-DD') AS date, count(*)::int AS n
      FROM incident
     CROSS JOIN unnest(affected_monitors) AS affected (id)
     CROSS JOIN generate_series(date_trunc('day', greatest(started_at, ${since}::timestamptz) AT TIME ZONE 'UTC'),
                                least(resolved_at, ${now}::timestamptz) AT TIME ZONE 'UTC', interval '1 day') AS day
     WHERE organization_id = ${organizationId} AND affected_monitors && ${monitorIds}
       AND affected.id = ANY(${monitorIds})
       AND started_at <= ${now} AND (resolved_at IS NULL OR resolved_at >= ${since})
     GROUP BY 1, 2`;
  for (const { monitorId, date, n } of rows) {
    const own = days.get(monitorId) ?? new Map<string, number>();
    days.set(monitorId, own.set(date, n));
  }
  return days;
}

/** Days with their incidents; a day without any is the very same object, for a page has 1,800 of them. */
export function withIncidents<Day extends { date: string }>(
  days: Day[],
  counts: ReadonlyMap<string, number> = new Map(),
): (Day & { incidents?: number })[] {
  if (counts.size === 0) return days;
  return days.map((day) => {
    const incidents = counts.get(day.date);
    return incidents === undefined ? day : { ...day, incidents };
  });
}
