/** The model of "Status of a monitor" in decisions.md: what a status, a ledger and incidents must be, given the recorded results. */

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
export type ModelResult = { region: string; begunAt: number; outcome: Verdict };

/** A period of the ledger. It ends where the next begins. */
export type Period = { state: LedgerState; at: number; decidedAt: number };

export type ModelIncident = {
  severity: 'minor' | 'critical';
  status: 'investigating' | 'monitoring' | 'resolved';
  startedAt: number;
  createdAt: number;
  resolvedAt: number | null;
};

/** Results of one kind in a row: how many, and when the first of them began. */
type Run = { count: number; from: number };

type RegionState = {
  lastAt: number;
  last: Verdict;
  verdict: Verdict | null;
  /** When the run that led to the verdict began. */
  since: number;
  failed: Run;
  slow: Run;
  fast: Run;
  successful: Run;
};

export type Model = {
  config: ModelConfig;
  status: Status;
  /** The regions with a vote. */
  votes: Record<string, RegionState>;
  /** Regions that have not reported since the birth, a reset or a gap, and the begin of the first check since then. */
  awaited: string[];
  firstCheckAt: number | null;
  lastResultAt: number;
  /** The begin of the check that last changed a verdict. */
  changedAt: number;
  /** Nothing is back-dated beyond this moment. */
  knownFrom: number;
  isUnknown: boolean;
  inMaintenance: boolean;
  /** The status that the incident follows: the last one taken over outside maintenance. */
  announced: Status;
  periods: Period[];
  incidents: ModelIncident[];
};

/** How long a region that has not reported counts, beyond an interval and a timeout. */
const GRACE_MS = 15_000;
const NO_RUN: Run = { count: 0, from: 0 };

/** A monitor that was created now. */
export function createModel(config: ModelConfig, now: number): Model {
  return {
    config,
    ...restarted(config, now),
    inMaintenance: false,
    announced: 'pending',
    periods: [{ state: 'pending', at: now, decidedAt: now }],
    incidents: [],
  };
}

function restarted({ regions }: ModelConfig, now: number) {
  const awaited = { awaited: [...regions], firstCheckAt: null, lastResultAt: now };
  return {
    status: 'pending',
    votes: {},
    ...awaited,
    changedAt: 0,
    knownFrom: now,
    isUnknown: false,
  } as const;
}

/** A result was recorded. */
export function record(before: Model, { region, begunAt, outcome }: ModelResult, now: number): Model {
  const model = tick(before, now);
  const { config } = model;
  const old = model.votes[region];
  const next = judge(config, old, { begunAt, outcome });
  const isChange = next.verdict !== (old?.verdict ?? null);
  const reported: Model = {
    ...model,
    votes: { ...model.votes, [region]: next },
    awaited: model.awaited.filter((each) => each !== region),
    firstCheckAt: Math.min(model.firstCheckAt ?? begunAt, begunAt),
    lastResultAt: Math.max(model.lastResultAt, begunAt),
    changedAt: isChange ? begunAt : model.changedAt,
  };
  const known = model.isUnknown
    ? enter({ ...reported, isUnknown: false, knownFrom: begunAt }, model.status, begunAt, now)
    : reported;
  return decide(known, now);
}

/** Time has passed: votes expire. `gone` are regions without a living worker, which lose their votes at once. */
export function tick(model: Model, now: number, gone: readonly string[] = []): Model {
  const { interval, timeout, regions } = model.config;
  const votes = Object.entries(model.votes);
  const kept = votes.filter(
    ([region, { lastAt }]) => now - lastAt <= 3 * Math.max(interval, timeout) && !gone.includes(region),
  );
  if (kept.length === votes.length) return model;
  const rest = { ...model, votes: Object.fromEntries(kept) };
  if (kept.length > 0) return decide(rest, now);
  const silent: Model = { ...rest, awaited: [...regions], firstCheckAt: null };
  if (model.status === 'pending') return silent;
  return enter({ ...silent, isUnknown: true }, 'unknown', model.lastResultAt + interval, now);
}

/** It was paused: its incident is resolved. */
export function pause(model: Model, now: number): Model {
  return resolve(
    { ...enter({ ...model, inMaintenance: false }, 'paused', now, now), announced: 'pending' },
    now,
  );
}

/** It was resumed, or what is probed was changed. */
export function restart(model: Model, now: number): Model {
  return enter({ ...model, ...restarted(model.config, now) }, 'pending', now, now);
}

export function beginMaintenance(model: Model, now: number): Model {
  return { ...enter(model, 'maintenance', now, now), inMaintenance: true };
}

/** The ledger goes on with the status, and what happened meanwhile is announced. */
export function endMaintenance(model: Model, now: number): Model {
  const { isUnknown, status } = model;
  const ended = enter({ ...model, inMaintenance: false }, isUnknown ? 'unknown' : status, now, now);
  return followIncident({ ...ended, knownFrom: now }, now);
}

/** A region's verdict, with hysteresis. */
function judge(
  { alertThreshold, recoveryThreshold }: ModelConfig,
  old: RegionState | undefined,
  { begunAt, outcome }: Omit<ModelResult, 'region'>,
): RegionState {
  const extend = (run: Run | undefined, isPart: boolean): Run => {
    if (!isPart) return NO_RUN;
    return run && run.count > 0 ? { ...run, count: run.count + 1 } : { count: 1, from: begunAt };
  };
  const failed = extend(old?.failed, outcome === 'failing');
  const slow = extend(old?.slow, outcome === 'slow');
  const fast = extend(old?.fast, outcome === 'good');
  const successful = extend(old?.successful, outcome !== 'failing');
  const verdict = old?.verdict ?? null;
  const recovery = verdict === 'slow' ? fast : successful;
  let reached: [Verdict, Run] | null = null;
  if (failed.count >= alertThreshold) reached = ['failing', failed];
  else if (slow.count >= alertThreshold) reached = ['slow', slow];
  else if (recovery.count >= recoveryThreshold) reached = ['good', recovery];
  const isNew = reached !== null && reached[0] !== verdict;
  return {
    ...{ failed, slow, fast, successful, last: outcome },
    lastAt: Math.max(old?.lastAt ?? begunAt, begunAt),
    verdict: isNew && reached ? reached[0] : verdict,
    since: isNew && reached ? reached[1].from : (old?.since ?? begunAt),
  };
}

/** Takes over the aggregate status if it is to be taken over now. */
function decide(model: Model, now: number): Model {
  const { config, status, changedAt } = model;
  const deadline = (model.firstCheckAt ?? now) + config.interval + config.timeout + GRACE_MS;
  const awaited = now <= deadline ? model.awaited.length : 0;
  const votes = Object.values(model.votes);
  const quorum = Math.floor((votes.length + awaited) / 2) + 1;
  const having = (...verdicts: (Verdict | null)[]) =>
    votes.filter(({ verdict }) => verdicts.includes(verdict));
  const failing = having('failing').length;
  let next: Status = 'operational';
  if (failing >= quorum) next = 'down';
  else if (failing > 0 || having('slow').length >= quorum) next = 'degraded';

  const isSettled =
    awaited === 0 && votes.every(({ lastAt, last, verdict }) => lastAt >= changedAt && last === verdict);
  const isDue =
    status === 'pending'
      ? having('failing', 'slow', 'good').length >= quorum
      : next !== status && (next === 'down' || isSettled);
  if (!isDue) return model;

  const starts = having(...findCauses(status, next, failing))
    .map(({ since }) => since)
    .sort((a, b) => a - b);
  const start = starts[Math.min(quorum, starts.length) - 1] ?? now;
  return followIncident(enter({ ...model, status: next }, next, Math.max(start, model.knownFrom), now), now);
}

/** The verdicts whose runs led to a status. */
function findCauses(status: Status, next: Status, failing: number): Verdict[] {
  if (next === 'down') return ['failing'];
  if (next === 'operational' || status === 'down') return ['good', 'slow'];
  return [failing > 0 ? 'failing' : 'slow'];
}

/** The ledger goes on with another state. It has no overlaps, and shows maintenance only while there is one. */
function enter(model: Model, state: LedgerState, at: number, now: number): Model {
  if (model.inMaintenance) return model;
  const from = Math.max(at, model.periods.at(-1)?.at ?? at);
  return { ...model, periods: [...model.periods, { state, at: from, decidedAt: now }] };
}

/** Opens, changes or resolves the incident after the ledger went on. At most one is open. */
function followIncident(model: Model, now: number): Model {
  const { status, incidents } = model;
  if (model.inMaintenance || status === 'pending' || status === model.announced) return model;
  const followed = { ...model, announced: status };
  const at = model.periods.at(-1)?.at ?? now;
  if (status === 'operational') return resolve(followed, at);
  const open = incidents.at(-1);
  const isDown = status === 'down';
  if (!open || open.resolvedAt !== null) {
    const severity = isDown ? 'critical' : 'minor';
    const opened = {
      severity,
      status: 'investigating',
      startedAt: at,
      createdAt: now,
      resolvedAt: null,
    } as const;
    return { ...followed, incidents: [...incidents, opened] };
  }
  if (isDown) return withLast(followed, { ...open, severity: 'critical', status: 'investigating' });
  return open.severity === 'critical' ? withLast(followed, { ...open, status: 'monitoring' }) : followed;
}

function resolve(model: Model, at: number): Model {
  const open = model.incidents.at(-1);
  if (!open || open.resolvedAt !== null) return model;
  return withLast(model, { ...open, status: 'resolved', resolvedAt: at });
}

function withLast(model: Model, incident: ModelIncident): Model {
  return { ...model, incidents: [...model.incidents.slice(0, -1), incident] };
}
