import { formatDuration } from '@/lib/core/duration';

/** What health is judged by: read from the database by `readEvidence`. */
export type Evidence = {
  workers: WorkerEvidence[];
  /** When a living worker last served each region; one that was never served is missing. */
  regionServedAt: ReadonlyMap<string, Date>;
  /** When a worker with all duties last lived; null: never. */
  homeServedAt: Date | null;
  /** The built-in regions with enabled monitors, and when the oldest of their checks that nobody does was due. */
  regions: { id: string; overdueSince: Date | null }[];
  deliveries: Backlog;
  mail: Backlog;
};

export type WorkerEvidence = {
  regions: string[];
  duties: 'all' | 'probe';
  startedAt: Date;
  seenAt: Date;
  /** When the oldest result finished that the worker has not stored; null: all are stored. */
  pendingSince: Date | null;
  inngestSilentSince: Date | null;
};

/** Since when the oldest is due that no worker attempts although it could; null: none is. */
export type Backlog = { unattemptedSince: Date | null };

export type PartStatus = 'ok' | 'degraded' | 'down';

/** One part as the evidence shows it. `since`: since when it is so, where the evidence tells. */
export type Judgement = { name: string; status: PartStatus; since: Date | null; message: string };

/**
 * `readableSince`: when the database came back after it was unavailable; null: it never was, as far as this process
 * knows.
 */
type Moments = { now: Date; readableSince: Date | null };

/** A worker that was not seen for so long serves nothing; a result or a check that waits for longer is late. */
const PATIENCE_MS = 15_000;
/** Deliveries and mail wait this long for an attempt. */
const ATTEMPT_PATIENCE_MS = 60_000;

/**
 * Judges every part that the database tells of. Whoever does the work gets its patience anew after a start, and after
 * the database was unavailable: nobody could work then. Messages name no customer and no monitor.
 */
export function judgeHealth(evidence: Evidence, moments: Moments): Judgement[] {
  const { now } = moments;
  const living = evidence.workers.filter(({ seenAt }) => now.getTime() - seenAt.getTime() <= PATIENCE_MS);
  const isServed = ({ id }: { id: string }) => living.some(({ regions }) => regions.includes(id));
  return [
    judgeRecording(living, moments),
    judgeSchedule(evidence.regions.filter(isServed), living, moments),
    ...evidence.regions.map(({ id }) => judgeRegion(id, evidence.regionServedAt.get(id) ?? null, moments)),
    ...judgeHome(evidence, living, moments),
  ];
}

function judgeRecording(living: WorkerEvidence[], moments: Moments): Judgement {
  // As of the heartbeat: what a worker has stored since then is not known yet.
  const stalled = living.filter(
    ({ pendingSince, seenAt }) => pendingSince && seenAt.getTime() - pendingSince.getTime() > PATIENCE_MS,
  );
  const pendingSince = earliest(stalled.map((worker) => worker.pendingSince));
  const late = findLate(pendingSince, PATIENCE_MS, moments);
  if (pendingSince === null || late === null) {
    return { name: 'recording', ...ok('Results are stored within 15 seconds.') };
  }
  const age = formatAge(pendingSince, moments.now);
  return {
    name: 'recording',
    ...down(
      late,
      `Results of checks or attempts that finished ${age} ago are not stored. See the workers' logs for the error.`,
    ),
  };
}

/** Only of regions with a living worker: without one, the part of the region says so. */
function judgeSchedule(served: Evidence['regions'], living: WorkerEvidence[], moments: Moments): Judgement {
  const overdue = served.flatMap(({ id, overdueSince }) => {
    const startedAt = earliest(
      living.filter(({ regions }) => regions.includes(id)).map((worker) => worker.startedAt),
    );
    const late = findLate(overdueSince, PATIENCE_MS, moments, startedAt);
    return overdueSince === null || late === null ? [] : [{ overdueSince, late }];
  });
  const overdueSince = earliest(overdue.map((one) => one.overdueSince));
  if (overdueSince === null) {
    return { name: 'schedule', ...ok('Checks begin within 15 seconds of when they are due.') };
  }
  const message = `Checks are up to ${formatAge(overdueSince, moments.now)} overdue. Add workers or raise CHECK_CONCURRENCY; if the workers are idle, see their logs.`;
  return { name: 'schedule', ...down(earliest(overdue.map(({ late }) => late)), message) };
}

function judgeRegion(id: string, servedAt: Date | null, moments: Moments): Judgement {
  const name = `region:${id}`;
  const silent = findSilent(servedAt, moments);
  if (silent === null) return { name, ...ok('A worker serves this region.') };
  const last = servedAt === null ? 'No worker has ever served' : 'No worker serves';
  const age = servedAt === null ? '' : `; the last one was seen ${formatAge(servedAt, moments.now)} ago`;
  return { name, ...down(silent.since, `${last} ${id}${age}. Start one with PROBE_REGIONS=${id}.`) };
}

function judgeHome(evidence: Evidence, living: WorkerEvidence[], moments: Moments): Judgement[] {
  const { homeServedAt, deliveries, mail } = evidence;
  const silent = findSilent(homeServedAt, moments);
  const home = living.filter(({ duties }) => duties === 'all');
  const startedAt = earliest(home.map((worker) => worker.startedAt));
  const judge = (name: string, work: string, backlog: Backlog | null): Judgement => {
    if (silent !== null) {
      const message = `No worker ${work}: none with WORKER_DUTIES=all is running. Start one.`;
      return { name, ...down(silent.since, message) };
    }
    const dueSince = backlog?.unattemptedSince ?? null;
    const late = findLate(dueSince, ATTEMPT_PATIENCE_MS, moments, startedAt);
    if (dueSince === null || late === null) return { name, ...ok(`A worker ${work}.`) };
    const message = `The oldest has been due for ${formatAge(dueSince, moments.now)} without an attempt. See the workers' logs for the error.`;
    return { name, ...down(late, message) };
  };
  return [
    judge('deliveries', 'delivers webhooks', deliveries),
    judge('mail', 'sends email', mail),
    judge('upkeep', 'does upkeep', null),
  ];
}

/** Degraded while a worker has to wake itself. `workers` may hold dead ones. */
export function judgeInngest(workers: WorkerEvidence[], now: Date): Judgement {
  const living = workers.filter(({ seenAt }) => now.getTime() - seenAt.getTime() <= PATIENCE_MS);
  const since = earliest(living.map((worker) => worker.inngestSilentSince));
  if (since === null) return { name: 'inngest', ...ok('Inngest wakes the workers.') };
  const message = `Inngest has not woken a worker for ${formatAge(since, now)}. Workers wake themselves meanwhile. Check that Inngest is running and reaches the workers.`;
  return { name: 'inngest', status: 'degraded', since, message };
}

const DESCRIPTOR_LIMIT = 0.9;

/** Of the process that responds: down when more than nine tenths of its file descriptors are open. */
export function judgeDescriptors({ open, limit }: { open: number; limit: number }): Judgement {
  const share = `${open} of ${limit} file descriptors are open.`;
  if (open <= limit * DESCRIPTOR_LIMIT) return { name: 'descriptors', ...ok(share) };
  const message = `${share} New connections are about to be refused. Raise the limit of the process (ulimit -n).`;
  return { name: 'descriptors', ...down(null, message) };
}

/** The database, which everything else depends on. */
export function judgeDatabase(isReadable: boolean): Judgement {
  if (isReadable) return { name: 'database', ...ok('The database responds.') };
  const message = 'The database does not respond. Check that PostgreSQL is running and reachable.';
  return { name: 'database', ...down(null, message) };
}

const ok = (message: string) => ({ status: 'ok' as const, since: null, message });
const down = (since: Date | null, message: string) => ({ status: 'down' as const, since, message });

/** Since when something is late that has been waiting since `since`; null: it is not. */
function findLate(
  since: Date | null,
  patienceMs: number,
  { now, readableSince }: Moments,
  startedAt: Date | null = null,
): Date | null {
  if (since === null) return null;
  const from = Math.max(since.getTime(), startedAt?.getTime() ?? 0, readableSince?.getTime() ?? 0);
  return now.getTime() - from > patienceMs ? new Date(from + patienceMs) : null;
}

/** Whether nobody has served something for too long, and since when as far as that is known; null: somebody does. */
function findSilent(servedAt: Date | null, moments: Moments): { since: Date | null } | null {
  if (servedAt === null) return { since: null };
  const since = findLate(servedAt, PATIENCE_MS, moments);
  return since && { since };
}

function earliest(moments: (Date | null)[]): Date | null {
  const times = moments.flatMap((moment) => (moment === null ? [] : [moment.getTime()]));
  return times.length === 0 ? null : new Date(Math.min(...times));
}

function formatAge(since: Date, now: Date): string {
  return formatDuration(Math.max(0, now.getTime() - since.getTime()));
}
