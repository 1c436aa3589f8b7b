import type { Logger } from '@/lib/core/logger';
import type { Services } from '@/lib/domain/context/services';
import { recordPresence } from '@/lib/domain/monitors/silence';
import { NETWORK_WORKS, type NetworkCondition } from '@/lib/engine/checks/outage-watch';
import type { JobReport } from '@/lib/engine/timetable/run-timetable';
import type { WorkerDuties } from '@/lib/platform/db/generated/client';
import { type Machine, readMachine } from '@/lib/platform/machine/machine';
import { releaseClaimsOfDeadWorkers } from './release-claims';

const BEAT_MS = 3000;
/** A worker not seen for this long is considered dead, and its claims are released. */
const DEAD_AFTER_MS = 12_000;
/** After this long without a heartbeat of our own, other workers get time to be seen again. */
const MISSED_MS = 2 * BEAT_MS;
/** A slower heartbeat is not awaited: its connection may be dead, and the next one uses another. */
const HUNG_MS = 10_000;

export type Heartbeat = Awaited<ReturnType<typeof startHeartbeat>>;
type HeartbeatOptions = {
  workerId: string;
  regions: readonly string[];
  duties?: WorkerDuties;
  machine?: Machine;
  log: Logger;
};

/**
 * Writes a heartbeat every three seconds, for health and other workers, and records that its regions are
 * served. Releases the claims of dead workers: their deliveries and mails are due again immediately, not only when
 * their leases expire.
 */
export async function startHeartbeat(
  services: Services,
  { workerId: id, regions, duties = 'all', machine = readMachine(), log }: HeartbeatOptions,
) {
  const { db, clock } = services;
  const startedAt = clock.now();
  let inngestSilentSince: Date | null = null;
  let readPendingMs: () => number | null = () => null;
  let readNetwork: () => NetworkCondition = () => NETWORK_WORKS;
  let readJobs: () => JobReport[] = () => [];
  const mayReleaseOthers = watchOwnGaps(startedAt.getTime());
  const beat = async () => {
    const seenAt = clock.now();
    const pendingMs = readPendingMs();
    const pendingSince = pendingMs === null ? null : new Date(seenAt.getTime() - pendingMs);
    const { cutOffAt, dropped: droppedResults, silentCanaryAt } = readNetwork();
    const network = { cutOffAt, droppedResults, silentCanaryAt };
    const update = { seenAt, ...network, inngestSilentSince, pendingSince, jobs: readJobs() };
    const place = { host: machine.host, machine: machine.id };
    const create = { id, regions: [...regions], duties, startedAt, ...place, ...update };
    await db.worker.upsert({ where: { id }, create, update });
    await recordPresence(services, { regions, duties });
    if (!mayReleaseOthers(seenAt.getTime())) return;
    await releaseClaimsOfDeadWorkers(services, new Date(seenAt.getTime() - DEAD_AFTER_MS));
  };
  const quiet = createQuietBeats(beat, log);
  await beat();
  // While the database hangs, heartbeats must not use up the connections.
  const timer = setInterval(() => quiet.running() ?? quiet.beat(), BEAT_MS);
  return {
    /** Writes a heartbeat now, in addition to those every three seconds. */
    beat,
    /** Registers what each heartbeat reports of the network of this worker. */
    setNetworkReader: (read: () => NetworkCondition): void => {
      readNetwork = read;
    },
    /** Registers what each heartbeat reports of the jobs of the timetable. */
    setJobsReader: (read: () => JobReport[]): void => {
      readJobs = read;
    },
    /** Writes a heartbeat soon, because something it reports has changed. */
    hurry: quiet.beat,
    /** Sets since when Inngest has not woken this worker, which wakes itself instead; null: it has. */
    setInngestSilent: (since: Date | null): void => {
      if (since?.getTime() === inngestSilentSince?.getTime()) return;
      inngestSilentSince = since;
      quiet.beat();
    },
    /** Registers what each heartbeat reports: the milliseconds since the oldest pending result was finished. */
    setPendingReader: (oldestPendingMs: () => number | null): void => {
      readPendingMs = oldestPendingMs;
    },
    /** Stops the heartbeat and deletes the worker's row. */
    stop: async (): Promise<void> => {
      clearInterval(timer);
      // A heartbeat still being written would recreate the row.
      await quiet.running();
      await db.worker.deleteMany({ where: { id } });
    },
  };
}

/**
 * Whether this worker may release the claims of others, asked at each of its heartbeats: if it could not write, such as during a database
 * outage, the others could not either.
 */
function watchOwnGaps(startedAt: number): (now: number) => boolean {
  let beatenAt = startedAt;
  let releasesFrom = Number.NEGATIVE_INFINITY;
  return (now) => {
    if (now - beatenAt > MISSED_MS) releasesFrom = now + DEAD_AFTER_MS;
    beatenAt = now;
    return now >= releasesFrom;
  };
}

/** Heartbeats that log their errors, and which of them is still being written; null: none, or it hangs. */
function createQuietBeats(write: () => Promise<void>, log: Logger) {
  let running: Promise<void> | null = null;
  const clear = (beating: Promise<void>) => {
    if (running === beating) running = null;
  };
  const beat = () => {
    const beating = write().catch((error: unknown) =>
      log.warn({ err: error }, 'could not write the heartbeat'),
    );
    const hung = setTimeout(() => clear(beating), HUNG_MS);
    running = beating;
    void beating.finally(() => {
      clearTimeout(hung);
      clear(beating);
    });
  };
  return { beat, running: () => running };
}
