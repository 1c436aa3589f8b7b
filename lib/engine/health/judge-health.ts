import { groupBy } from '@/lib/core/groups';
import { earliest } from '@/lib/core/time/clock';
import { formatDuration } from '@/lib/core/time/duration';
import type { JobReport } from '@/lib/engine/timetable/run-timetable';
import { isBuiltInRegionId, isOwnRegionId, type RegionId } from '@/lib/schemas/regions';

/** The evidence that health is judged by, read from the database by `readEvidence`. */
export type HealthEvidence = {
  workers: WorkerEvidence[];
  /** When a live worker last served each region; regions never served are missing. */
  regionServedAt: ReadonlyMap<string, Date>;
  /** When a worker with all duties was last alive; null: never. */
  homeServedAt: Date | null;
  /** The regions with enabled monitors, and since when checks are overdue. */
  regions: { id: RegionId; overdueSince: Date | null }[];
  /** Since when a deadline of a heartbeat has passed that no worker has judged; null: none. */
  deadlineSince: Date | null;
  deliveries: Backlog;
  mail: Backlog;
  /** What became of scheduled backups; null: none are scheduled. */
  backups: { watchedAt: Date; succeededAt: Date | null; failedAt: Date | null } | null;
};

export type WorkerEvidence = {
  regions: string[];
  duties: 'all' | 'probe';
  startedAt: Date;
  seenAt: Date;
  /** When the oldest result not yet stored finished; null: all are stored. */
  pendingSince: Date | null;
  inngestSilentSince: Date | null;
  /** Since when it has no network, and how many network failures became unknown since then; null: it has. */
  cutOffAt: Date | null;
  droppedResults: number;
  /** Since when an address of NETWORK_CANARY is silent while targets are reached; null: no address is. */
  silentCanaryAt: Date | null;
  /** What the jobs of its timetable have done; empty of older versions and of workers without duties. */
  jobs: JobReport[];
};

/** When the oldest work became due that could be attempted but is not; null: none. */
export type Backlog = { unattemptedSince: Date | null };
export type PartStatus = 'ok' | 'degraded' | 'down';

/** One part, as the evidence shows it. `since`: when this status began, if known. */
export type Judgement = { name: string; status: PartStatus; since: Date | null; message: string };

/** `readableSince`: when the database recovered from an outage; null: none seen by this process. */
type Moments = { now: Date; readableSince: Date | null };

/** Workers not seen for this long serve nothing; results and checks waiting longer are late. */
const PATIENCE_MS = 15_000;
/** Workers with BACKUP_DIR look every minute whether a backup is due, except while they make one. */
const BACKUP_WATCH_MS = 3_600_000;
/** After an outage of the database, jobs get this long. Otherwise they report when they are late. */
const JOB_PATIENCE_MS = 60_000;
/** Deliveries and mail may wait this long for an attempt. */
const ATTEMPT_PATIENCE_MS = 60_000;

/**
 * Judges every part known from the database. The grace period restarts when a worker starts and when the
 * database recovers, since no work was possible before. Messages never name customers or monitors.
 */
export function judgeHealth(evidence: HealthEvidence, moments: Moments): Judgement[] {
  const { now } = moments;
  const living = evidence.workers.filter(({ seenAt }) => now.getTime() - seenAt.getTime() <= PATIENCE_MS);
  const isServed = ({ id }: { id: string }) => living.some(({ regions }) => regions.includes(id));
  const builtIn = evidence.regions.filter(({ id }) => isBuiltInRegionId(id));
  const ofOperator = living.filter((worker) => !isOfOrganizations(worker));
  return [
    judgeRecording(ofOperator, moments),
    judgeNetwork(ofOperator, moments),
    judgeSchedule(builtIn.filter(isServed), living, moments),
    judgeHeartbeats(evidence.deadlineSince, living, moments),
    ...builtIn.map(({ id }) => judgeRegion(id, evidence.regionServedAt.get(id) ?? null, moments)),
    ...judgeOwnRegions(evidence, living, moments),
    ...judgeHome(evidence, living, moments),
    ...judgeBackups(evidence.backups, moments),
  ];
}

function judgeRecording(living: WorkerEvidence[], moments: Moments): Judgement {
  // As of the heartbeat: results stored since then are not known yet.
  const stalled = living.filter(
    ({ pendingSince, seenAt }) => pendingSince && seenAt.getTime() - pendingSince.getTime() > PATIENCE_MS,
  );
  const pendingSince = earliest(stalled.map((worker) => worker.pendingSince));
  const late = findLate(pendingSince, PATIENCE_MS, moments);
  if (pendingSince === null || late === null) return ok('recording', 'Results are stored within 15 seconds.');
  const age = formatAge(pendingSince, moments.now);
  const message = `Results that finished ${age} ago are not stored yet. Check the worker logs for errors.`;
  return down('recording', late, message);
}

/** Down while a worker is cut off: nobody is alerted by what it checks. */
function judgeNetwork(living: WorkerEvidence[], { now }: Moments): Judgement {
  const cutOff = living.filter(({ cutOffAt }) => cutOffAt !== null);
  const cutOffAt = earliest(cutOff.map((worker) => worker.cutOffAt));
  if (cutOffAt !== null) {
    const dropped = cutOff.reduce((sum, { droppedResults }) => sum + droppedResults, 0);
    const message = `Pharos has been unable to reach the network from ${formatRegions(cutOff)} for ${formatAge(cutOffAt, now)}. Failures to reach targets count as unknown, ${dropped} so far. Check the network of the worker.`;
    return down('network', cutOffAt, message);
  }
  const deaf = living.filter(({ silentCanaryAt }) => silentCanaryAt !== null);
  const since = earliest(deaf.map((worker) => worker.silentCanaryAt));
  if (since === null) return ok('network', 'The workers reach the network.');
  const message = `NETWORK_CANARY does not respond to the worker of ${formatRegions(deaf)}, although targets are reached. It is ignored until it does. Correct NETWORK_CANARY, or what it names.`;
  return { name: 'network', status: 'degraded', since, message };
}

function formatRegions(workers: WorkerEvidence[]): string {
  return [...new Set(workers.flatMap(({ regions }) => regions))].filter(isBuiltInRegionId).join(', ');
}

/** Only regions with a live worker: the others are reported as regions. */
function judgeSchedule(
  served: HealthEvidence['regions'],
  living: WorkerEvidence[],
  moments: Moments,
): Judgement {
  const overdue = served.flatMap(({ id, overdueSince }) => {
    const startedAt = earliest(
      living.filter(({ regions }) => regions.includes(id)).map((worker) => worker.startedAt),
    );
    const late = findLate(overdueSince, PATIENCE_MS, moments, startedAt);
    return overdueSince === null || late === null ? [] : [{ overdueSince, late }];
  });
  const overdueSince = earliest(overdue.map((one) => one.overdueSince));
  if (overdueSince === null) return ok('schedule', 'Checks start within 15 seconds of their due time.');
  const message = `Checks are up to ${formatAge(overdueSince, moments.now)} overdue. Add workers or raise CHECK_CONCURRENCY; if the workers are idle, check their logs.`;
  return down('schedule', earliest(overdue.map(({ late }) => late)), message);
}

/** Missed deadlines are recorded by workers with all duties, unless they are cut off from the network, which health says elsewhere. */
function judgeHeartbeats(since: Date | null, living: WorkerEvidence[], moments: Moments): Judgement {
  const judging = living.filter(({ duties }) => duties === 'all');
  const isCutOff = judging.length > 0 && judging.every(({ cutOffAt }) => cutOffAt !== null);
  const startedAt = earliest(judging.map((worker) => worker.startedAt));
  const late = findLate(since, PATIENCE_MS, moments, startedAt);
  if (since === null || late === null || isCutOff)
    return ok('heartbeats', 'Missed heartbeats are noticed within 15 seconds.');
  const message = `A missed heartbeat has not been noticed for ${formatAge(since, moments.now)}. Check that a worker with WORKER_DUTIES=all runs, and its logs for errors.`;
  return down('heartbeats', late, message);
}

function judgeRegion(id: string, servedAt: Date | null, moments: Moments): Judgement {
  const name = `region:${id}`;
  const silent = findSilent(servedAt, moments);
  if (silent === null) return ok(name, 'A worker is serving this region.');
  const last = servedAt === null ? 'No worker has ever served' : 'No worker serves';
  const age = servedAt === null ? '' : `; the last one was seen ${formatAge(servedAt, moments.now)} ago`;
  return down(name, silent.since, `${last} ${id}${age}. Start one with PROBE_REGIONS=${id}.`);
}

/** Whether it runs only the checks of own regions, which are the business of their organizations. */
function isOfOrganizations({ regions, duties }: WorkerEvidence): boolean {
  return duties === 'probe' && !regions.some(isBuiltInRegionId);
}

/** Own regions of organizations, in one part that names none. Never down: their probes are those of organizations, not of the operator. */
function judgeOwnRegions(evidence: HealthEvidence, living: WorkerEvidence[], moments: Moments): Judgement[] {
  const own = evidence.regions.filter(({ id }) => isOwnRegionId(id));
  if (own.length === 0) return [];
  const troubles = own.flatMap(({ id, overdueSince }) => {
    const silent = findSilent(evidence.regionServedAt.get(id) ?? null, moments);
    if (silent !== null) return [silent];
    const runners = living.filter(({ regions }) => regions.includes(id));
    const startedAt = earliest(runners.map((worker) => worker.startedAt));
    const pendingSince = earliest(runners.filter(isOfOrganizations).map((worker) => worker.pendingSince));
    const late =
      earliest(runners.filter(isOfOrganizations).map((worker) => worker.cutOffAt)) ??
      findLate(overdueSince, PATIENCE_MS, moments, startedAt) ??
      findLate(pendingSince, PATIENCE_MS, moments);
    return late === null ? [] : [{ since: late }];
  });
  const name = 'own-regions';
  if (troubles.length === 0) return [ok(name, 'Workers or probes serve all own regions of organizations.')];
  const message = `${troubles.length} of ${own.length} own regions of organizations are checked late or not at all. Probes of the organizations serve them, or workers with PROBE_REGIONS.`;
  return [{ name, status: 'degraded', since: earliest(troubles.map(({ since }) => since)), message }];
}

function judgeHome(evidence: HealthEvidence, living: WorkerEvidence[], moments: Moments): Judgement[] {
  const { homeServedAt, deliveries, mail } = evidence;
  const silent = findSilent(homeServedAt, moments);
  const home = living.filter(({ duties }) => duties === 'all');
  const startedAt = earliest(home.map((worker) => worker.startedAt));
  const judge = (name: string, work: string, backlog: Backlog | null): Judgement => {
    if (silent !== null) {
      const message = `No worker ${work}. Start a worker with WORKER_DUTIES=all.`;
      return down(name, silent.since, message);
    }
    const dueSince = backlog?.unattemptedSince ?? null;
    const late = findLate(dueSince, ATTEMPT_PATIENCE_MS, moments, startedAt);
    if (dueSince === null || late === null) return ok(name, `A worker ${work}.`);
    const message = `The oldest has been due for ${formatAge(dueSince, moments.now)} without an attempt. Check the worker logs for errors.`;
    return down(name, late, message);
  };
  return [
    judge('deliveries', 'delivers webhooks', deliveries),
    judge('mail', 'sends email', mail),
    (silent === null ? judgeJobs(home, moments) : null) ?? judge('upkeep', 'runs upkeep tasks', null),
  ];
}

/** Degraded if a job has not run well on any worker for too long; null: all have, or the workers do not report it. */
function judgeJobs(home: WorkerEvidence[], { now, readableSince }: Moments): Judgement | null {
  const reported = home.flatMap(({ jobs }) => jobs);
  const from = readableSince === null ? 0 : readableSince.getTime() + JOB_PATIENCE_MS;
  const late = [...groupBy(reported, ({ job }) => job)].flatMap(([job, reports]) => {
    const lateAt = Math.max(from, ...reports.map((report) => Date.parse(report.lateAt)));
    return now.getTime() > lateAt ? [{ job, since: new Date(lateAt), reports }] : [];
  });
  if (late.length === 0) return null;
  const names = late.map(({ job, reports }) => {
    const ranAt = latest(reports.map((report) => report.ranAt));
    const failedAt = latest(reports.map((report) => report.failedAt));
    const last = ranAt === null ? 'not since the workers started' : `last ${formatAge(ranAt, now)} ago`;
    return `${job} (${last}${failedAt === null ? '' : `; failed ${formatAge(failedAt, now)} ago`})`;
  });
  const message = `Jobs that do not run as they should: ${names.join(', ')}. Check the worker logs for errors with "job".`;
  return { name: 'upkeep', status: 'degraded', since: earliest(late.map(({ since }) => since)), message };
}

function latest(moments: (string | null)[]): Date | null {
  const known = moments.filter((moment) => moment !== null).toSorted();
  const last = known.at(-1);
  return last === undefined ? null : new Date(last);
}

/** Degraded at most: checks and notifications do not depend on it. No part once nobody schedules backups any more. */
function judgeBackups(backups: HealthEvidence['backups'], { now }: Moments): Judgement[] {
  if (backups === null || now.getTime() - backups.watchedAt.getTime() > BACKUP_WATCH_MS) return [];
  const { succeededAt, failedAt } = backups;
  const last =
    succeededAt === null
      ? 'None has succeeded yet'
      : `The last one succeeded ${formatAge(succeededAt, now)} ago`;
  if (failedAt === null) return [ok('backups', `${last}.`)];
  const message = `The scheduled backup failed. ${last}. Check the worker logs for errors.`;
  return [{ name: 'backups', status: 'degraded', since: failedAt, message }];
}

/** Degraded while a worker has to wake itself. `workers` may include dead ones. */
export function judgeInngest(workers: WorkerEvidence[], now: Date): Judgement {
  const living = workers.filter(({ seenAt }) => now.getTime() - seenAt.getTime() <= PATIENCE_MS);
  const since = earliest(living.map((worker) => worker.inngestSilentSince));
  if (since === null) return ok('inngest', 'Inngest wakes the workers.');
  const message = `Inngest has not woken a worker for ${formatAge(since, now)}. Workers are waking themselves instead. Check that Inngest is running and can reach the workers.`;
  return { name: 'inngest', status: 'degraded', since, message };
}

const DESCRIPTOR_LIMIT = 0.9;

/** Judges the responding process: down when more than 90% of its file descriptors are open. */
export function judgeDescriptors({ open, limit }: { open: number; limit: number }): Judgement {
  const share = `${open} of ${limit} file descriptors are open.`;
  if (open <= limit * DESCRIPTOR_LIMIT) return ok('descriptors', share);
  const message = `${share} New connections will soon fail. Raise the limit of the process (ulimit -n).`;
  return down('descriptors', null, message);
}

/** How the database responded when its evidence was read: in time, not yet, or with an error. */
export type DatabaseResponse = 'prompt' | 'late' | 'failed';

/**
 * Down if it cannot be used, or has not responded for 15 seconds. `respondedAt`: when it last did; null: not since this process started. A
 * response that is late once may be the doing of a busy machine: that is degraded, and the other parts stay as of then.
 */
export function judgeDatabase(database: {
  response: DatabaseResponse;
  respondedAt: Date | null;
  now: Date;
}): Judgement {
  const { response, respondedAt, now } = database;
  if (response === 'prompt') return ok('database', 'The database responds.');
  const isRecent = respondedAt !== null && now.getTime() - respondedAt.getTime() <= PATIENCE_MS;
  if (response === 'failed' || !isRecent) {
    const message = 'The database does not respond. Check that PostgreSQL is running and reachable.';
    return down('database', null, message);
  }
  const message = `The database responds slowly; the last response was ${formatAge(respondedAt, now)} ago. Check the load of PostgreSQL and of this machine.`;
  return { name: 'database', status: 'degraded', since: respondedAt, message };
}

function ok(name: string, message: string): Judgement {
  return { name, status: 'ok', since: null, message };
}

function down(name: string, since: Date | null, message: string): Judgement {
  return { name, status: 'down', since, message };
}

/** When work waiting since `since` became late; null if it is not. */
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

/** Whether something has gone unserved for too long, and since when if known; null if it is served. */
function findSilent(servedAt: Date | null, moments: Moments): { since: Date | null } | null {
  if (servedAt === null) return { since: null };
  const since = findLate(servedAt, PATIENCE_MS, moments);
  return since && { since };
}

function formatAge(since: Date, now: Date): string {
  return formatDuration(Math.max(0, now.getTime() - since.getTime()));
}
