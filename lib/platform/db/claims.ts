import pMap from 'p-map';
import { storableJson } from '@/lib/core/storable-text';
import type { Clock } from '@/lib/core/time/clock';
import type { Database, Transaction } from './client';
import { Prisma } from './generated/client';
import { isDatabaseUnavailable } from './unavailable';

/** How a claim keeps others away from a row until its work is done. */
export type Hold =
  /**
   * By the columns `claimed_by` and `lease_until`, and it counts `attempts`: the worker can extend the lease, give the claim back, or settle it.
   * `next_attempt_at` is when a row is due.
   */
  | { by: 'lease'; seconds: number }
  /** By moving the column with when it is due: what a worker leaves undone, because it failed or crashed, is due again after `ms`. */
  | { by: 'postponing'; column: string; ms: number }
  /** By the column `claimed_at`, for good: somebody waits for it now, and nobody after a crash. */
  | { by: 'mark' };

/** A kind of claimed work: rows of a table, each done by one worker at a time. Names of tables and columns are constants of the code. */
export type ClaimedWork<Row extends object, Scope = void> = {
  table: string;
  /** The primary key; `id` by default. Only `id` can be leased. */
  key?: string;
  /** Which of the rows `own` can be claimed at all, besides being due and free; all by default. */
  where?: (now: Date, scope: Scope) => Prisma.Sql;
  /** Columns, the most urgent row first; an index serves them. */
  order: string;
  /** Columns: all due rows that share their values with the first one are claimed, and nothing else. */
  together?: string;
  /** At most so many at a time that share a key. */
  limit?: LimitPerKey;
  hold: Hold;
  /** What a claim returns, of the row `own` and of what is joined with it: each field as SQL, or derived columns. */
  columns: Record<keyof Row & string, string> | Prisma.Sql;
  joins?: Prisma.Sql;
};

/** A limit that counts what others have claimed, too. */
export type LimitPerKey = {
  /** Due rows that could be claimed: their `id`, their `limit_key`, and the columns of `order`. */
  candidates: (now: Date) => Prisma.Sql;
  /** How many are leased now: `limit_key` and `running`; keys without any may be missing. */
  running: (now: Date) => Prisma.Sql;
  max: number;
};

type Db = Pick<Database, '$queryRaw' | '$executeRaw'>;
type Claim<Scope> = { limit: number; now: Date; workerId?: string; scope: Scope };

/**
 * Claims at most `limit` due rows, the most urgent first, in one statement. Waits for nobody: concurrent workers get different rows, and
 * none gets what another is about to claim. Returns them in no order.
 */
export function claimWork<Row extends object, Scope = void>(
  db: Db,
  work: ClaimedWork<Row, Scope>,
  { limit, now, workerId, scope }: Claim<Scope>,
): Promise<Row[]> {
  return db.$queryRaw<Row[]>(claimQuery(work, { limit, now, workerId, scope }));
}

/** The statement of `claimWork`; a test explains it. */
export function claimQuery<Row extends object, Scope>(
  work: ClaimedWork<Row, Scope>,
  { limit, now, workerId = '', scope }: Claim<Scope>,
): Prisma.Sql {
  const { table, key = 'id', hold, columns, joins = Prisma.empty } = work;
  return Prisma.sql`
    WITH ${selectDue(work, limit, now, scope)}, claimed AS (
      UPDATE ${Prisma.raw(table)} AS own SET ${take(hold, now, workerId)}
        FROM due WHERE (${qualify('own', key)}) = (${qualify('due', key)})
      RETURNING own.*
    )
    SELECT ${select(columns)} FROM claimed AS own ${joins}`;
}

function select(columns: Record<string, string> | Prisma.Sql): Prisma.Sql {
  if (columns instanceof Prisma.Sql) return columns;
  return Prisma.raw(
    Object.entries(columns)
      .map(([name, column]) => `${column} AS "${name}"`)
      .join(', '),
  );
}

/** `due`, for WITH: the keys of the rows to claim, locked. */
function selectDue<Row extends object, Scope>(
  {
    table: name,
    key: columns = 'id',
    where,
    order: by,
    together,
    limit: perKey,
    hold,
  }: ClaimedWork<Row, Scope>,
  limit: number,
  now: Date,
  scope: Scope,
): Prisma.Sql {
  const [table, key, order] = [Prisma.raw(name), Prisma.raw(columns), Prisma.raw(by)];
  const isDue = Prisma.sql`${isDueAndFree(hold, now)} AND ${where?.(now, scope) ?? Prisma.sql`TRUE`}`;
  const lock = Prisma.sql`FOR NO KEY UPDATE OF own SKIP LOCKED`;
  if (perKey) {
    return Prisma.sql`candidate AS (${perKey.candidates(now)}), running AS (${perKey.running(now)}), chosen AS (
      SELECT id FROM (
        SELECT candidate.*, coalesce(running, 0) + row_number() OVER (PARTITION BY limit_key ORDER BY ${order}) AS place
          FROM candidate LEFT JOIN running USING (limit_key)) AS ranked
       WHERE place <= ${perKey.max} ORDER BY ${order} LIMIT ${limit}
    ), due AS (
      SELECT id FROM ${table} AS own WHERE id IN (SELECT id FROM chosen) AND ${isDue} ${lock}
    )`;
  }
  if (together === undefined) {
    return Prisma.sql`due AS (
      SELECT ${key} FROM ${table} AS own WHERE ${isDue} ORDER BY ${order} LIMIT ${limit} ${lock}
    )`;
  }
  return Prisma.sql`first AS (
      SELECT ${Prisma.raw(together)} FROM ${table} AS own WHERE ${isDue} ORDER BY ${order} LIMIT 1 ${lock}
    ), due AS (
      SELECT ${key} FROM ${table} AS own JOIN first USING (${Prisma.raw(together)}) WHERE ${isDue} ${lock}
    )`;
}

function isDueAndFree(hold: Hold, now: Date): Prisma.Sql {
  switch (hold.by) {
    case 'lease':
      return Prisma.sql`own.next_attempt_at <= ${now} AND ${isFree(now)}`;
    case 'postponing':
      return Prisma.sql`${qualify('own', hold.column)} <= ${now}`;
    case 'mark':
      return Prisma.sql`own.claimed_at IS NULL`;
  }
}

/** No worker holds the row `own`, which is leased. */
const isFree = (now: Date) => Prisma.sql`(own.lease_until IS NULL OR own.lease_until < ${now})`;

function take(hold: Hold, now: Date, workerId: string): Prisma.Sql {
  switch (hold.by) {
    case 'lease':
      return Prisma.sql`attempts = own.attempts + 1, claimed_by = ${workerId}, lease_until = ${leaseEnd(hold, now)}`;
    case 'postponing':
      return Prisma.sql`${Prisma.raw(hold.column)} = ${new Date(now.getTime() + hold.ms)}`;
    case 'mark':
      return Prisma.sql`claimed_at = ${now}`;
  }
}

const leaseEnd = ({ seconds }: { seconds: number }, now: Date) => new Date(now.getTime() + seconds * 1000);

const qualify = (row: string, columns: string) =>
  Prisma.raw(
    columns
      .split(', ')
      .map((column) => `${row}.${column}`)
      .join(', '),
  );

/** What is leased: its worker settles, extends or gives back what it has claimed. `Recorded`: what is known of the last attempt of a row that is kept. */
export type LeasedWork<Row extends object, Recorded = Record<never, never>> = ClaimedWork<Row> & {
  hold: Extract<Hold, { by: 'lease' }>;
  /** When a row that failed `failures` times, at `failedAt` the last time, is due again; null: it has failed for good. */
  retryAt: (failures: number, failedAt: Date) => Date | null;
  /** What becomes of a row that is over: it is deleted, or kept with what `set` takes from the row `ended`. */
  over:
    | 'deleted'
    | { columns: Record<keyof Recorded & string, 'text' | 'timestamptz'>; set: string; isDone: string };
};

type Leased = Pick<LeasedWork<object>, 'table' | 'hold'>;

/** How an attempt ended. */
export type AttemptEnd =
  | { end: 'done' }
  | { end: 'failed'; failures: number }
  | { end: 'retry'; failures: number; retryAt: Date };

/** The end of an attempt that failed: another follows on the schedule of its kind, or none. */
export function endOfFailure(
  { retryAt }: Pick<LeasedWork<object>, 'retryAt'>,
  { failures: before }: { failures: number },
  failedAt: Date,
): Exclude<AttemptEnd, { end: 'done' }> {
  const failures = before + 1;
  const at = retryAt(failures, failedAt);
  return at === null ? { end: 'failed', failures } : { end: 'retry', failures, retryAt: at };
}

/** A claim and its end; `attempt` is the number that it got when it was claimed. */
export type SettledClaim<Recorded> = { id: string; attempt: number; end: AttemptEnd } & Recorded;

/**
 * Settles claims in one statement: what is done or has failed is over, and the rest is due again at its time. What is done always counts; a
 * late failure, after the lease ended and another worker took over, changes nothing. Returns the IDs of those that counted.
 */
export async function settleClaims<Row extends object, Recorded extends object>(
  db: Db,
  { table, over }: Pick<LeasedWork<Row, Recorded>, 'table' | 'over'>,
  settled: readonly SettledClaim<NoInfer<Recorded>>[],
): Promise<string[]> {
  if (settled.length === 0) return [];
  const ids = settled.map(({ id }) => id);
  const rows = settled.map(({ end, ...claim }) => ({ ...claim, ...end }));
  const recorded =
    over === 'deleted' ? [] : Object.entries(over.columns).map(([name, type]) => `, "${name}" ${type}`);
  const ended = Prisma.sql`ended AS (
      SELECT DISTINCT ON (id) * FROM jsonb_to_recordset(${storableJson(rows)}::jsonb) AS ended (
             id text, attempt int, "end" text, failures int, "retryAt" timestamptz${Prisma.raw(recorded.join(''))})
       ORDER BY id, "end" = 'done' DESC, attempt DESC
    )`;
  const isDone = Prisma.raw(over === 'deleted' ? 'FALSE' : over.isDone);
  // The explicit IDs make the planner use the primary key.
  const isCurrent = Prisma.sql`own.id = ANY(${ids}::text[]) AND own.id = ended.id
         AND ("end" = 'done' OR own.attempts = ended.attempt AND NOT ${isDone})`;
  const free = Prisma.sql`
      UPDATE ${Prisma.raw(table)} AS own SET claimed_by = NULL, lease_until = NULL, next_attempt_at = "retryAt",
             failures = coalesce(ended.failures, own.failures)`;
  const counted =
    over === 'deleted'
      ? Prisma.sql`deleted AS (
      DELETE FROM ${Prisma.raw(table)} AS own USING ended WHERE "end" <> 'retry' AND ${isCurrent} RETURNING own.id
    ), freed AS (${free} FROM ended WHERE "end" = 'retry' AND ${isCurrent} RETURNING own.id
    )
    SELECT id FROM deleted UNION ALL SELECT id FROM freed`
      : Prisma.sql`freed AS (${free}, ${Prisma.raw(over.set)} FROM ended WHERE ${isCurrent} RETURNING own.id
    )
    SELECT id FROM freed`;
  const written = await db.$queryRaw<{ id: string }[]>`WITH ${ended}, ${counted}`;
  return written.map(({ id }) => id);
}

/** The leases of a worker, to extend them or to give them back: those of some rows, or those that it took at some moments. */
type Leases = { workerId: string } & ({ ids: readonly string[] } | { takenAt: readonly Date[] });

function areLeases({ hold }: { hold: Extract<Hold, { by: 'lease' }> }, leases: Leases): Prisma.Sql {
  const which =
    'ids' in leases
      ? Prisma.sql`id = ANY(${[...leases.ids]}::text[])`
      : Prisma.sql`lease_until = ANY(${leases.takenAt.map((at) => leaseEnd(hold, at))}::timestamptz[])`;
  return Prisma.sql`${which} AND claimed_by = ${leases.workerId}`;
}

/** Extends leases that have not ended, counting from `now`. Returns how many there were: work whose lease has ended may be another's. */
export function extendClaims(db: Db, work: Leased, leases: Leases, now: Date): Promise<number> {
  return db.$executeRaw`
    UPDATE ${Prisma.raw(work.table)} SET lease_until = ${leaseEnd(work.hold, now)}
     WHERE ${areLeases(work, leases)} AND lease_until >= ${now}`;
}

/** Gives back claims whose work has not begun: they are due at once, and their attempts do not count. Those that do not exist are ignored. */
export async function giveBackClaims(db: Db, work: Leased, leases: Leases): Promise<void> {
  await db.$executeRaw`
    UPDATE ${Prisma.raw(work.table)} SET attempts = attempts - 1, claimed_by = NULL, lease_until = NULL
     WHERE ${areLeases(work, leases)}`;
}

/** Ends the leases of workers that crashed: their work is due at once, and an attempt that may have been made is not a failure. */
export async function freeClaimsOf(
  db: Db,
  { table }: Pick<LeasedWork<object>, 'table'>,
  workerIds: readonly string[],
): Promise<void> {
  await db.$executeRaw`
    UPDATE ${Prisma.raw(table)} SET claimed_by = NULL, lease_until = NULL
     WHERE claimed_by = ANY(${[...workerIds]}) AND next_attempt_at IS NOT NULL`;
}

/** When the next row is due that no worker holds. */
export function nextClaimAt({ table }: Pick<LeasedWork<object>, 'table'>, now: Date): Prisma.Sql {
  return Prisma.sql`
    SELECT next_attempt_at FROM ${Prisma.raw(table)} AS own
     WHERE next_attempt_at IS NOT NULL AND ${isFree(now)} ORDER BY next_attempt_at LIMIT 1`;
}

/** Work that is looked for by time alone. */
export type TimedWork<Row extends object, Services> = ClaimedWork<Row> & {
  hold: Extract<Hold, { by: 'postponing' }>;
  /** Rows per claim, or 1 with `together`. */
  batch: number;
  /** How many rows are worked on at a time; 1 by default. */
  concurrency?: number;
  /** Claims per call, and for how many milliseconds further ones are begun; one by default. The next call does the rest. */
  repeats?: { max: number; forMs: number };
  /**
   * Does the work of what was claimed, and records in the same transaction when the row is due next, or that it is over. Throws if it
   * cannot: the row is due again after `hold.ms`. With `together`, called once for all rows of a claim.
   */
  act: (services: Services, claimed: readonly [Row, ...Row[]]) => Promise<void>;
  /** What could not be done, with its object. */
  failure: (row: Row) => string;
};

/**
 * Claims due rows and acts on each; returns how many there were. One that fails delays no other: the first error is thrown last.
 */
export async function doTimedWork<Row extends object, Services extends { db: Database; clock: Clock }>(
  services: Services,
  work: TimedWork<Row, Services>,
): Promise<number> {
  const { batch, concurrency = 1, repeats = { max: 1, forMs: 0 }, together, act, failure } = work;
  const failures: Error[] = [];
  const begunAt = performance.now();
  let done = 0;
  for (let claims = 0; claims < repeats.max; claims++) {
    if (claims > 0 && performance.now() - begunAt >= repeats.forMs) break;
    const claimed = await claimWork<Row>(services.db, work, {
      limit: batch,
      now: services.clock.now(),
      scope: undefined,
    });
    const [first, ...others] = claimed;
    if (first === undefined) break;
    const units: [Row, ...Row[]][] =
      together === undefined ? claimed.map((row) => [row]) : [[first, ...others]];
    done += units.length;
    const run = (unit: [Row, ...Row[]]) =>
      act(services, unit).catch((cause) => void failures.push(new Error(failure(unit[0]), { cause })));
    await pMap(units, run, { concurrency, stopOnError: false });
  }
  if (failures.length > 0) throw failures[0];
  return done;
}

/** Work of an owner that is done in one transaction, which holds the row of the owner: of several workers, one does it. */
export type OwnedWork<Owner extends object> = {
  /** The table of owners, and what of the row is needed. */
  owners: string;
  columns: Prisma.Sql;
  /** The IDs of owners with due work; a few. `act` looks again whether it is due. */
  due: Prisma.Sql;
  /** Milliseconds of one transaction. */
  timeoutMs?: number | undefined;
  /** Does and records the work. It reads what is due again: another worker may have done it before the lock. */
  act: (tx: Transaction, owner: Owner & { id: string }) => Promise<void>;
  /** The work of one owner failed; the others are not affected. By default, the error is thrown. */
  onError?: (id: string, error: unknown) => Promise<void> | void;
};

/** Does the work of the owners that have some, one after another; an owner that another worker holds is left to it. Throws if the database is unavailable. */
export async function doOwnedWork<Owner extends object>(db: Database, work: OwnedWork<Owner>): Promise<void> {
  const { owners, columns, due, timeoutMs: timeout, act, onError } = work;
  for (const { id } of await db.$queryRaw<{ id: string }[]>(due)) {
    try {
      await db.$transaction(
        async (tx) => {
          const [owner] = await tx.$queryRaw<Owner[]>`
            SELECT ${columns} FROM ${Prisma.raw(owners)} WHERE id = ${id} FOR NO KEY UPDATE SKIP LOCKED`;
          if (owner !== undefined) await act(tx, { ...owner, id });
        },
        { timeout },
      );
    } catch (error) {
      if (onError === undefined || isDatabaseUnavailable(error)) throw error;
      await onError(id, error);
    }
  }
}
