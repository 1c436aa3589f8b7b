import type { Services } from '@/lib/domain/context/services';
import type { PublicMaintenance } from '@/lib/schemas/status-page';

const AHEAD_MS = 14 * 86_400_000;
/** A page of years with an hourly window stays readable, and its query bounded. */
const MOST_PAST = 500;

type Row = { id: string; title: string; message: string; monitors: string[]; startsAt: Date; endsAt: Date };

/** Maintenance that is over. */
export type PastMaintenance = Omit<PublicMaintenance, 'status'>;

/**
 * The maintenance that a page with these monitors shows, the earliest first: what goes on, and each window that begins
 * within 14 days with its next occurrence. Monitors that are not on the page are left out of it.
 */
export async function readPublicMaintenance(
  { db }: Pick<Services, 'db'>,
  monitorIds: string[],
  now: Date,
): Promise<PublicMaintenance[]> {
  const until = new Date(now.getTime() + AHEAD_MS);
  const rows = await db.$queryRaw<Row[]>`
    SELECT maintenance.id, title, message, shown.monitors,
           occurrence.starts_at AS "startsAt", occurrence.ends_at AS "endsAt"
      FROM (SELECT window_id, array_agg(monitor_id ORDER BY position) AS monitors
              FROM maintenance_window_monitor WHERE monitor_id = ANY(${monitorIds}) GROUP BY 1) AS shown
      JOIN maintenance_window AS maintenance ON maintenance.id = shown.window_id
      JOIN maintenance_occurrence AS occurrence
        ON occurrence.window_id = shown.window_id AND occurrence.ended_at IS NULL
     WHERE occurrence.ends_at > ${now} AND occurrence.starts_at <= ${until}
     ORDER BY occurrence.starts_at, maintenance.id`;
  return rows.map((row) => ({ ...serialize(row), status: row.startsAt <= now ? 'active' : 'scheduled' }));
}

/**
 * The occurrences that began in a month (`YYYY-MM`, UTC) and are over, on a page with these monitors, the newest first and
 * at most 500. Monitors that are not on the page are left out of them.
 */
export async function readPastMaintenance(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  { monitors: monitorIds }: { monitors: string[] },
  month: string,
): Promise<PastMaintenance[]> {
  const from = new Date(`${month}-01T00:00:00.000Z`);
  const to = new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + 1));
  const rows = await db.$queryRaw<Row[]>`
    SELECT maintenance.id, title, message, shown.monitors,
           occurrence.starts_at AS "startsAt", occurrence.ends_at AS "endsAt"
      FROM (SELECT window_id, array_agg(monitor_id ORDER BY position) AS monitors
              FROM maintenance_window_monitor WHERE monitor_id = ANY(${monitorIds}) GROUP BY 1) AS shown
      JOIN maintenance_window AS maintenance ON maintenance.id = shown.window_id
      JOIN maintenance_occurrence AS occurrence ON occurrence.window_id = shown.window_id
     WHERE occurrence.starts_at >= ${from} AND occurrence.starts_at < ${to}
       AND (occurrence.ended_at IS NOT NULL OR occurrence.ends_at <= ${clock.now()})
     ORDER BY occurrence.starts_at DESC, maintenance.id DESC LIMIT ${MOST_PAST}`;
  return rows.map(serialize);
}

function serialize({ startsAt, endsAt, ...row }: Row): PastMaintenance {
  return { ...row, startsAt: startsAt.toISOString(), endsAt: endsAt.toISOString() };
}
