import { WAIT_MS } from '@/bin/testing/patience.mjs';
import type { RacePoint, RacePoints } from '@/lib/domain/context/race-points';
import { type Database, joinTransaction, type Transaction } from '@/lib/platform/db/client';

/** An actor that waits for the test. */
export type Held<Result> = {
  /** Lets it continue; resolves and rejects like it. */
  release(): Promise<Result>;
};

/**
 * Starts an actor and resolves once it arrives at `point` for the first time, where it is held until the test releases it;
 * it passes every other point and any later arrival. Hand `races` to this actor only. Rejects, naming the point, if the actor
 * ends without arriving, or does neither in time; the actor is rejected if it is held for longer than that.
 */
export async function holdAt<Result>(
  point: RacePoint,
  act: (races: RacePoints) => Promise<Result>,
): Promise<Held<Result>> {
  const arrived = createGate();
  const released = createGate();
  let isFirst = true;
  const reach = async (reached: RacePoint) => {
    if (reached !== point || !isFirst) return;
    isFirst = false;
    arrived.open();
    await within(released.passed, `an actor was held at '${point}' and not released`);
  };
  return holdUntil(act({ reach }), { arrived: arrived.passed, release: released.open }, `'${point}'`);
}

/**
 * Runs `act` in a transaction and resolves once only its commit is left, which waits until the test releases it. `act` uses the
 * given database. Rejects if `act` rejects, or takes too long.
 */
export async function holdBeforeCommit<Result>(
  db: Database,
  act: (db: Database) => Promise<Result>,
): Promise<Held<Result>> {
  const arrived = createGate();
  const released = createGate();
  const acting = db.$transaction(async (tx: Transaction) => {
    const result = await act(joinTransaction(tx));
    arrived.open();
    await within(released.passed, 'an actor was held before its commit and not released');
    return result;
  });
  return holdUntil(acting, { arrived: arrived.passed, release: released.open }, 'its commit');
}

/** Resolves once `actors` transactions of this database wait for a lock. Rejects once patience ends. */
export async function untilBlocked(db: Database, actors = 1): Promise<void> {
  const until = performance.now() + WAIT_MS;
  for (;;) {
    const [row] = await db.$queryRaw<[{ blocked: number }]>`
      SELECT count(*)::int AS blocked FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    if (row.blocked >= actors) return;
    if (performance.now() > until) throw new Error(`${row.blocked} of ${actors} actors wait for a lock`);
  }
}

async function holdUntil<Result>(
  acting: Promise<Result>,
  { arrived, release }: { arrived: Promise<void>; release: () => void },
  place: string,
): Promise<Held<Result>> {
  // Until the test releases it, nobody looks at how it ended.
  acting.catch(() => undefined);
  const missed = acting.then(() => {
    throw new Error(`the actor ended without reaching ${place}`);
  });
  await within(Promise.race([arrived, missed]), `the actor did not reach ${place}`);
  return {
    release: () => {
      release();
      return acting;
    },
  };
}

function createGate(): { open: () => void; passed: Promise<void> } {
  let open = () => {};
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, passed };
}

/** Rejects with `message` if `promise` is not settled in time. */
async function within<Result>(promise: Promise<Result>, message: string): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${message} within ${WAIT_MS} ms`)), WAIT_MS);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
