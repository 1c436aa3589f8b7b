import type { Database } from '@/lib/platform/db/client';
import { Prisma } from '@/lib/platform/db/generated/client';
import { toMs } from '@/lib/platform/db/moment-columns';
import type { PublicMaintenance } from '@/lib/schemas/status-pages/public-status-page';
import { SHOWN_MS } from './read-public-incidents';

/** Completed maintenance. */
export type PastMaintenance = Omit<PublicMaintenance, 'status'>;

/** An occurrence of a window in a feed; `updatedAt` is its latest change of state. */
export type FeedMaintenance = PastMaintenance & {
  status: 'scheduled' | 'active' | 'finished';
  createdAt: string;
  updatedAt: string;
};

/** Limits the occurrences of hourly windows. */
const MAX_OCCURRENCES = 100;

/** The maintenance that a page with these monitors shows, earliest first: active occurrences and those starting within 14 days. */
export async function readPublicMaintenance(
  db: Pick<Database, '$queryRaw'>,
  monitorIds: string[],
  now: Date,
): Promise<PublicMaintenance[]> {
  const rows = await readOccurrences(
    db,
    monitorIds,
    Prisma.sql`
     WHERE occurrence.ended_at IS NULL
       AND occurrence.ends_at > ${now}
       AND occurrence.starts_at <= ${after(now, SHOWN_MS)}
     ORDER BY occurrence.starts_at, maintenance.id`,
  );
  return rows.map((row) => ({
    ...serialize(row),
    status: row.startsAt <= now.getTime() ? 'active' : 'scheduled',
  }));
}

/** The completed occurrences that started from `start` until before `end`, newest first, at most 100. */
export async function readPastMaintenance(
  db: Pick<Database, '$queryRaw'>,
  monitorIds: string[],
  { start, end, now }: { start: Date; end: Date; now: Date },
): Promise<PastMaintenance[]> {
  const rows = await readOccurrences(
    db,
    monitorIds,
    Prisma.sql`
     WHERE occurrence.starts_at >= ${start} AND occurrence.starts_at < ${end}
       AND (occurrence.ended_at IS NOT NULL OR occurrence.ends_at <= ${now})
     ORDER BY occurrence.starts_at DESC, maintenance.id DESC LIMIT ${MAX_OCCURRENCES}`,
  );
  return rows.map(serialize);
}

/**
 * The maintenance in the feeds of a page with these monitors, latest first: active, ended within 14 days, or starting within `aheadMs`.
 * Of a window, that is at most the next occurrence.
 */
export async function readFeedMaintenance(
  db: Pick<Database, '$queryRaw'>,
  monitorIds: string[],
  now: Date,
  aheadMs = SHOWN_MS,
): Promise<FeedMaintenance[]> {
  const rows = await readOccurrences(
    db,
    monitorIds,
    Prisma.sql`
     WHERE occurrence.ends_at >= ${after(now, -SHOWN_MS)} AND occurrence.starts_at <= ${after(now, aheadMs)}
     ORDER BY occurrence.starts_at DESC, maintenance.id DESC LIMIT ${MAX_OCCURRENCES}`,
  );
  return rows.map((row) => {
    const { startsAt, endsAt, createdAt, changedAt } = row;
    const status = endsAt <= now.getTime() ? 'finished' : startsAt <= now.getTime() ? 'active' : 'scheduled';
    const statusSince = { finished: endsAt, active: startsAt, scheduled: changedAt }[status];
    const updatedAt = toIso(Math.max(statusSince, createdAt));
    return { ...serialize(row), status, createdAt: toIso(createdAt), updatedAt };
  });
}

/** In epoch milliseconds. */
type Times = Record<'startsAt' | 'endsAt' | 'createdAt' | 'changedAt', number>;
type Row = Omit<PastMaintenance, keyof Times> & Times;

/** The occurrences of windows with these monitors; `rest` is the query from its WHERE on. */
function readOccurrences(db: Pick<Database, '$queryRaw'>, monitorIds: string[], rest: Prisma.Sql) {
  return db.$queryRaw<Row[]>`
    SELECT maintenance.id, title, message, translations, shown.monitors,
           ${toMs(Prisma.sql`occurrence.starts_at`)} AS "startsAt", ${toMs(Prisma.sql`occurrence.ends_at`)} AS "endsAt",
           ${toMs(Prisma.sql`created_at`)} AS "createdAt", ${toMs(Prisma.sql`updated_at`)} AS "changedAt"
      FROM (SELECT window_id, array_agg(monitor_id ORDER BY position) AS monitors
              FROM maintenance_window_monitor WHERE monitor_id = ANY(${monitorIds}) GROUP BY 1) AS shown
      JOIN maintenance_window AS maintenance ON maintenance.id = shown.window_id
      JOIN maintenance_occurrence AS occurrence ON occurrence.window_id = shown.window_id
      ${rest}`;
}

function serialize({ id, title, message, translations, monitors, startsAt, endsAt }: Row): PastMaintenance {
  return { id, title, message, translations, monitors, startsAt: toIso(startsAt), endsAt: toIso(endsAt) };
}

function toIso(ms: number): string {
  return new Date(ms).toISOString();
}

function after(now: Date, ms: number): Date {
  return new Date(now.getTime() + ms);
}
