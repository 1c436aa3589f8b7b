/** The model of "Status of a monitor" in decisions.md: what status, ledger and incidents must be, given the recorded results. */

export type Status = 'pending' | 'operational' | 'degraded' | 'down';
export type LedgerState = Status | 'unknown' | 'maintenance' | 'paused';
type Verdict = 'failing' | 'slow' | 'good';

export type ModelConfig = {
  regions: readonly string[];
  /** Milliseconds, like all durations here. */
  interval: number;
  timeout: number;
  alertThreshold: number;
  recoveryThreshold: number;
};

/** A result as the model sees it. An unknown one says nothing and is left out. */
export type ModelResult = { region: string; begunAt: number; outcome: Verdict; responseTime?: number | null };

/** A period of the ledger. It ends where the next begins. `isBounded`: it begins where known time does. */
export type Period = { state: LedgerState; at: number; decidedAt: number; isBounded?: boolean };

export type ModelIncident = {
  severity: 'minor' | 'critical';
  status: 'investigating' | 'monitoring' | 'resolved';
  startedAt: number;
  createdAt: number;
  resolvedAt: number | null;
  isBounded?: boolean;
};

/** How far known time may begin from an interval after a lost vote's last result, since only its commit is known. */
export const BOUND_MS = 10_000;

/** Results of one kind in a row: how many, and when the first of them began. */
type Run = { count: number; from: number };

/** A region with a vote. */
type Vote = {
  /** When its last result came, and what it was. */
  resultAt: number;
  last: Verdict;
  /** The verdicts that it has had, newest first: each since the begin of the run that led to it. */
  verdicts: { verdict: Verdict; since: number }[];
  failed: Run;
  slow: Run;
  fast: Run;
  successful: Run;
};

export type Model = {
  config: ModelConfig;
  status: Status;
  votes: Record<string, Vote>;
  /** The begin of the last check of each region that ever reported. */
  lastChecks: Record<string, number>;
  /** The begin of the first check of a round, in which each region counts until it reports; null outside one. */
  roundFrom: number | null;
  lastResultAt: number;
  /** When it was created, resumed, or changed in what is probed. */
  restartedAt: number;
  /** The begin of the last check that changed a verdict. */
  changedAt: number;
  /** Nothing is back-dated beyond this moment. */
  knownFrom: number;
  isUnknown: boolean;
  /** The status before maintenance; null outside it. */
  hidden: Status | null;
  /** The status that the incident follows: the last one taken over outside maintenance. */
  announced: Status;
  periods: Period[];
  incidents: ModelIncident[];
};

/** How long a region that has not reported counts, beyond an interval and a timeout. */
const GRACE_MS = 15_000;
const [NEVER, NO_RUN] = [Number.NEGATIVE_INFINITY, { count: 0, from: 0 }];

/** A monitor that was created now. */
export function createModel(config: ModelConfig, now: number): Model {
  return {
    config,
    ...restarted(now),
    hidden: null,
    announced: 'pending',
    periods: [{ state: 'pending', at: now, decidedAt: now }],
    incidents: [],
  };
}

function restarted(now: number) {
  const rounds = { lastChecks: {}, roundFrom: null, lastResultAt: now, changedAt: NEVER };
  return {
    status: 'pending',
    votes: {},
    ...rounds,
    restartedAt: now,
    knownFrom: now,
    isUnknown: false,
  } as const;
}

/**
 * A result was recorded. `lag` is by how much later the service may have measured the age of votes: what it decides near a
 * limit depends on it.
 */
export function record(
  before: Model,
  { region, begunAt, outcome, responseTime }: ModelResult,
  now: number,
  lag = 0,
): Model {
  const { config } = before;
  // A check ends after its response time, or else within its timeout, even if its result is recorded later.
  const resultAt = Math.min(now, begunAt + (responseTime ?? config.timeout));
  const isOld = begunAt <= (before.lastChecks[region] ?? NEVER) || now + lag - resultAt > lifetimeOf(config);
  if (isOld) return before;
  const model = loseVotes(before, now, (_, age) => age + lag > lifetimeOf(config));
  const old = model.votes[region];
  const vote = judge(config, old, { begunAt, outcome, resultAt });
  const isChange = vote.verdicts[0]?.verdict !== old?.verdicts[0]?.verdict;
  // Nothing came for so long that the regions that lost their votes meanwhile may just be later than the first.
  const isRound =
    Object.keys(model.votes).length === 0 || resultAt + lag - model.lastResultAt > roundOf(config);
  const lastChecks = { ...model.lastChecks, [region]: begunAt };
  const roundFrom = isRound ? begunAt : model.roundFrom && Math.min(model.roundFrom, begunAt);
  const isAwaiting =
    roundFrom !== null && config.regions.some((each) => (lastChecks[each] ?? NEVER) < roundFrom);
  const reported: Model = {
    ...model,
    votes: { ...model.votes, [region]: vote },
    lastChecks,
    roundFrom: isAwaiting ? roundFrom : null,
    lastResultAt: Math.max(model.lastResultAt, resultAt),
    changedAt: isChange ? Math.max(model.changedAt, begunAt) : model.changedAt,
  };
  const known = { ...reported, isUnknown: false, knownFrom: Math.max(model.knownFrom, begunAt) };
  return decide(model.isUnknown ? enter(known, model.status, begunAt, now) : reported, now, resultAt + lag);
}

/** Time has passed: votes expire. A region without a living worker loses its vote when its next result is overdue. */
export function tick(model: Model, now: number, lag = 0, gone: readonly string[] = []): Model {
  const { config } = model;
  const isLost = (region: string, age: number) =>
    age + lag > lifetimeOf(config) || (gone.includes(region) && age + lag >= config.interval);
  return decide(loseVotes(model, now, isLost), now, now);
}

/** It was paused: its incident is resolved. */
export function pause(model: Model, now: number): Model {
  return resolve({ ...enter({ ...model, hidden: null }, 'paused', now, now), announced: 'pending' }, now);
}

/** It was resumed, or what is probed was changed. */
export function restart(model: Model, now: number): Model {
  const hidden = model.hidden && 'pending';
  return enter({ ...model, ...restarted(now), hidden }, 'pending', now, now);
}

export function beginMaintenance(model: Model, now: number): Model {
  return { ...enter(model, 'maintenance', now, now), hidden: model.status };
}

/** The ledger continues with the status before maintenance, until another one is due. */
export function endMaintenance(before: Model, now: number): Model {
  const status = before.hidden ?? before.status;
  const model: Model = { ...before, status, hidden: null, knownFrom: now };
  return decide(enter(model, model.isUnknown ? 'unknown' : status, now, now), now, now);
}

const lifetimeOf = ({ interval, timeout }: ModelConfig) => 3 * Math.max(interval, timeout);
const roundOf = ({ interval, timeout }: ModelConfig) => interval + timeout + GRACE_MS;

function loseVotes(model: Model, now: number, isLost: (region: string, age: number) => boolean): Model {
  const votes = Object.entries(model.votes);
  const kept = votes.filter(([region, { resultAt }]) => !isLost(region, now - resultAt));
  if (kept.length === votes.length) return model;
  const { interval } = model.config;
  const lost = votes.filter((vote) => !kept.includes(vote)).map(([, { resultAt }]) => resultAt + interval);
  const knownFrom = Math.max(model.knownFrom, Math.min(now, Math.max(...lost)));
  const rest: Model = { ...model, votes: Object.fromEntries(kept), knownFrom };
  if (kept.length > 0 || model.status === 'pending') return rest;
  return enter({ ...rest, isUnknown: true }, 'unknown', model.lastResultAt + interval, now);
}

/** A region's verdict, with hysteresis. */
function judge(
  { alertThreshold, recoveryThreshold }: ModelConfig,
  old: Vote | undefined,
  { begunAt, outcome, resultAt }: { begunAt: number; outcome: Verdict; resultAt: number },
): Vote {
  const extend = (run: Run | undefined, isPart: boolean): Run => {
    if (!isPart) return NO_RUN;
    return run && run.count > 0 ? { ...run, count: run.count + 1 } : { count: 1, from: begunAt };
  };
  const failed = extend(old?.failed, outcome === 'failing');
  const slow = extend(old?.slow, outcome === 'slow');
  const fast = extend(old?.fast, outcome === 'good');
  const successful = extend(old?.successful, outcome !== 'failing');
  const verdicts = old?.verdicts ?? [];
  const recovery = verdicts[0]?.verdict === 'slow' ? fast : successful;
  const vote = { resultAt, last: outcome, verdicts, failed, slow, fast, successful };
  const become = (verdict: Verdict, { from }: Run): Vote =>
    verdicts[0]?.verdict === verdict ? vote : { ...vote, verdicts: [{ verdict, since: from }, ...verdicts] };
  if (failed.count >= alertThreshold) return become('failing', failed);
  if (slow.count >= alertThreshold) return become('slow', slow);
  return recovery.count >= recoveryThreshold ? become('good', recovery) : vote;
}

/** The regions that count: those with a vote, and those that are awaited, as regions without a verdict. */
function listVoters({ config, votes, lastChecks, roundFrom }: Model, at: number): (Vote | null)[] {
  const voters = Object.values(votes);
  if (roundFrom === null || at - roundFrom >= roundOf(config)) return voters;
  const awaited = config.regions.filter((each) => !votes[each] && (lastChecks[each] ?? NEVER) < roundFrom);
  return [...voters, ...awaited.map(() => null)];
}

const quorumOf = (voters: unknown[]) => Math.floor(voters.length / 2) + 1;

/** The aggregate status; null without a quorum of verdicts. */
function aggregate(verdicts: (Verdict | undefined)[]): Status | null {
  const quorum = quorumOf(verdicts);
  const count = (wanted: Verdict) => verdicts.filter((verdict) => verdict === wanted).length;
  const [failing, slow] = [count('failing'), count('slow')];
  if (failing + slow + count('good') < quorum) return null;
  if (failing >= quorum) return 'down';
  return failing > 0 || slow >= quorum ? 'degraded' : 'operational';
}

/** Takes over the aggregate status if it is to be taken over now. */
function decide(model: Model, now: number, at: number): Model {
  const voters = listVoters(model, at);
  const next = aggregate(voters.map((vote) => vote?.verdicts[0]?.verdict));
  if (next === null || next === model.status) return model;
  const isImmediate = next === 'down' || (model.status === 'pending' && next === 'operational');
  if (!isImmediate && !isSettled(model, voters)) return model;
  const from = Math.max(model.knownFrom, Math.min(now, findStart(model.status, next, voters)));
  const isBounded = from === model.knownFrom;
  return followIncident(enter({ ...model, status: next, knownFrom: from }, next, from, now, isBounded), now);
}

/**
 * Every voting region has a result from a check begun at or after the check that last changed a verdict, and no region's latest
 * result contradicts its verdict. Slow is a success like good.
 */
function isSettled({ votes, lastChecks, changedAt }: Model, voters: unknown[]): boolean {
  const voting = Object.entries(votes);
  const agrees = ({ last, verdicts }: Vote) => (last === 'failing') === (verdicts[0]?.verdict === 'failing');
  return (
    voting.length === voters.length &&
    voting.every(([region, vote]) => (lastChecks[region] ?? NEVER) >= changedAt && agrees(vote))
  );
}

/** When the run began that caused a status: since then, in hindsight, the verdicts have always led to it. */
function findStart(before: Status, next: Status, voters: (Vote | null)[]): number {
  const at = (moment: number) =>
    voters.map((vote) => vote?.verdicts.find(({ since }) => since <= moment)?.verdict);
  const works = (moment: number) => at(moment).filter((verdict) => verdict && verdict !== 'failing').length;
  // An outage ends with the recovery of a quorum, or of all that recovered.
  const needed = Math.min(quorumOf(voters), works(Number.POSITIVE_INFINITY));
  const holds = (moment: number) =>
    before === 'down' ? works(moment) >= needed : aggregate(at(moment)) === next;
  const starts = voters.flatMap((vote) => vote?.verdicts.map(({ since }) => since) ?? []);
  let start = Number.POSITIVE_INFINITY;
  for (const moment of starts.sort((a, b) => b - a)) {
    if (!holds(moment)) break;
    start = moment;
  }
  return start;
}

/** The ledger continues with another state. It has no overlaps, and shows maintenance only while there is one. */
function enter(model: Model, state: LedgerState, at: number, now: number, isBounded = false): Model {
  if (model.hidden !== null) return model;
  const from = Math.max(at, model.periods.at(-1)?.at ?? at);
  return { ...model, periods: [...model.periods, { state, at: from, decidedAt: now, isBounded }] };
}

/** Opens, changes or resolves the incident after the ledger went on. At most one is open. */
function followIncident(model: Model, now: number): Model {
  const { status, incidents } = model;
  if (model.hidden !== null || status === model.announced) return model;
  const followed = { ...model, announced: status };
  const { at = now, isBounded } = model.periods.at(-1) ?? {};
  if (status === 'operational') return resolve(followed, at);
  const open = incidents.at(-1);
  const isDown = status === 'down';
  if (!open || open.resolvedAt !== null) {
    const severity = isDown ? 'critical' : 'minor';
    const times = { startedAt: at, createdAt: now, resolvedAt: null, isBounded };
    const opened: ModelIncident = { severity, status: 'investigating', ...times };
    return { ...followed, incidents: [...incidents, opened] };
  }
  if (isDown) return withLast(followed, { ...open, severity: 'critical', status: 'investigating' });
  return open.severity === 'critical' ? withLast(followed, { ...open, status: 'monitoring' }) : followed;
}

function resolve(model: Model, at: number): Model {
  const open = model.incidents.at(-1);
  if (!open || open.resolvedAt !== null) return model;
  return withLast(model, { ...open, status: 'resolved', resolvedAt: Math.max(at, open.startedAt) });
}

const withLast = (model: Model, incident: ModelIncident): Model => ({
  ...model,
  incidents: [...model.incidents.slice(0, -1), incident],
});
