import type { Gap } from '@/lib/checks/heartbeat/deadline';
import type { Logger } from '@/lib/core/logger';
import { poll } from '@/lib/core/time/poll';
import type { Services } from '@/lib/domain/context/services';
import type { Database } from '@/lib/platform/db/client';
import { Prisma } from '@/lib/platform/db/generated/client';

const EVERY_MS = 3000;
/** Without a web process for this long, calls may have been lost. */
const GAP_MS = 10_000;

type Needs = Pick<Services, 'db' | 'clock'>;
type Reader = Pick<Database, '$queryRaw'>;

/** A web process that records that it receives calls. */
export type Reception = {
  /** Records a gap that just ended, if this process could not record anything for a while, before the first call after it counts. */
  resume(): Promise<void>;
  stop(): Promise<void>;
};

/**
 * Records every three seconds that calls are received. Throws if the first time fails. The time since any process last did is a gap
 * if it is longer than ten seconds: all were stopped, the machine was suspended, or the database was unavailable.
 */
export async function startReception(services: Needs, log: Logger): Promise<Reception> {
  await recordReception(services);
  let recordedAt = services.clock.now().getTime();
  const record = async () => {
    await recordReception(services);
    recordedAt = services.clock.now().getTime();
  };
  const onError = (error: unknown) =>
    log.warn({ err: error }, 'could not record that heartbeats are received');
  const polling = poll(record, { firstMs: EVERY_MS, everyMs: EVERY_MS, onError });
  return {
    resume: async () => {
      if (services.clock.now().getTime() - recordedAt > GAP_MS) await record();
    },
    stop: polling.stop,
  };
}

/** Records that calls are received now, and the gap that this ends, if there is one. */
export async function recordReception({ db, clock }: Needs): Promise<void> {
  const now = clock.now();
  await db.$executeRaw`
    WITH before AS MATERIALIZED (
      SELECT received_until FROM reception WHERE id = 1 FOR UPDATE
    ), gap AS (
      INSERT INTO reception_gap (from_at, to_at)
      SELECT received_until, ${now}::timestamptz FROM before WHERE received_until < ${new Date(now.getTime() - GAP_MS)}
          ON CONFLICT DO NOTHING
      RETURNING to_at
    )
    INSERT INTO reception (id, received_until)
    -- Once the gap is recorded: after that, its beginning is overwritten.
    SELECT 1, ${now}::timestamptz FROM (SELECT count(*) FROM gap) AS recorded
        ON CONFLICT (id) DO UPDATE SET received_until = greatest(reception.received_until, excluded.received_until)`;
}

/** Whether calls are received now: only then does silence mean anything. */
export async function isReceiving(db: Reader, now: Date): Promise<boolean> {
  const [row] = await db.$queryRaw<{ receiving: boolean }[]>`
    SELECT ${receivesAt(now)} AS receiving FROM reception`;
  return row?.receiving ?? false;
}

/** The same, in SQL over `reception`. */
export function receivesAt(now: Date): Prisma.Sql {
  return Prisma.sql`received_until >= ${new Date(now.getTime() - GAP_MS)}::timestamptz`;
}

/** The gaps that ended after a moment. */
export async function readGaps(db: Reader, since: Date): Promise<Gap[]> {
  const rows = await db.$queryRaw<{ from: Date; to: Date }[]>`
    SELECT from_at AS "from", to_at AS "to" FROM reception_gap WHERE to_at > ${since} ORDER BY to_at`;
  return rows.map(({ from, to }) => ({ from: from.getTime(), to: to.getTime() }));
}
