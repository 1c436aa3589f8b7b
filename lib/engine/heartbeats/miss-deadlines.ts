import { Prisma } from '@/lib/platform/db/generated/client';
import { type CallServices, lockCalled, readGapsOf, recordJudged } from './called-monitors';
import { judgeSilence } from './judge-calls';
import { isReceiving, receivesAt } from './reception';

const BATCH = 200;

/**
 * Records the deadlines that jobs have missed, at most 200 monitors at a time; returns how many there were. Does nothing while no
 * process receives calls. Several workers take different monitors, and one whose job called meanwhile is left alone.
 */
export async function missDeadlines(services: CallServices): Promise<number> {
  return services.db.$transaction(async (tx) => {
    const before = services.clock.now();
    if (!(await isReceiving(tx, before))) return 0;
    // Their states are what others wait for, in ID order.
    const overdue = await tx.$queryRaw<{ id: string }[]>`
      SELECT state.monitor_id AS id
        FROM (SELECT monitor_id
                FROM heartbeat
               WHERE deadline_at <= ${before}
               ORDER BY deadline_at
               LIMIT ${BATCH}) AS due
        JOIN monitor_state AS state ON state.monitor_id = due.monitor_id
       ORDER BY state.monitor_id
         FOR UPDATE OF state SKIP LOCKED`;
    if (overdue.length === 0) return 0;
    const { monitors, now } = await lockCalled(
      tx,
      services,
      overdue.map(({ id }) => id),
    );
    const gaps = await readGapsOf(tx, monitors, now);
    const judged = monitors
      .map((monitor) => ({
        monitor,
        judged: judgeSilence(monitor.plan, monitor.calls, gaps, now.getTime()),
      }))
      .filter((each) => each.judged.state !== each.monitor.calls);
    await recordJudged(tx, services, judged, now);
    return judged.length;
  });
}

/** When the next deadline passes; null: none, or no process receives calls. */
export function nextDeadlineAt(now: Date): Prisma.Sql {
  return Prisma.sql`SELECT (SELECT min(deadline_at) FROM heartbeat) FROM reception WHERE ${receivesAt(now)} LIMIT 1`;
}

/**
 * Since when the oldest deadline that passed waits to be judged; no row if none does, or no process receives calls. After time in
 * which calls could not be received, it waits since the end of that.
 */
export function overdueDeadlineQuery(now: Date): Prisma.Sql {
  return Prisma.sql`
    SELECT greatest(overdue.at, (SELECT max(to_at) FROM reception_gap)) AS since
      FROM (SELECT min(deadline_at) AS at FROM heartbeat) AS overdue
     WHERE overdue.at <= ${now} AND EXISTS (SELECT FROM reception WHERE ${receivesAt(now)})`;
}
