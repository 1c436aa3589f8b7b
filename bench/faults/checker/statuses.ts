import type { Change, Observations, ShownTransition, StoredResult, WatchedMonitor } from '../observations';
import { compareIncidents } from './incidents';
import {
  BOUND_MS,
  beginMaintenance,
  createModel,
  endMaintenance,
  type Model,
  type ModelResult,
  type Period,
  pause,
  record,
  restart,
  tick,
} from './model';
import { formatMoment, groupBy, type Violation } from './violation';

/** Slower responses than this are slow: the default of `degradedThreshold`. */
const SLOW_MS = 5000;
/**
 * How far the moment of a decision may be from that of its commit, in virtual milliseconds: a transaction reads the clock when it
 * begins, and a database that stands still delays its commit.
 */
const LAGS_MS = [0, -10_000, 10_000];
/** During a fault, it may be further. */
const FAULT_LAGS_MS = [...LAGS_MS, -60_000, 60_000];
/** A transaction that waited for the end of a fault is committed this long after it at the latest. */
const AFTER_FAULT_MS = 30_000;
/** What was decided so shortly before the end may have been read only in part. */
const MARGIN_MS = 60_000;
/** Models are kept apart while it depends on a lag what they are. */
const MAX_MODELS = 200;
const MAX_RESULTS = 12;

/** What happened to a monitor, in order: results, and what people and the passing of time did according to the ledger. */
type Step = { at: number } & ({ result: StoredResult } | { shown: ShownTransition } | { change: Change });

/** Statuses and ledger are what an independent model makes of the recorded results, and incidents follow them. */
export function checkStatuses(seen: Observations): Violation[] {
  const results = groupBy(seen.results, ({ monitorId }) => monitorId);
  const transitions = groupBy(seen.transitions, ({ monitorId }) => monitorId);
  return seen.monitors.flatMap((monitor) => {
    // The API lists the newest first. Periods of no length keep their order.
    const shown = (transitions.get(monitor.id) ?? []).toReversed().toSorted((a, b) => a.at - b.at);
    if (monitor.deletedAt !== null || shown.length === 0) return [];
    return compare(seen, monitor, { shown, results: results.get(monitor.id) ?? [] });
  });
}

type Own = { shown: ShownTransition[]; results: StoredResult[] };

function compare(seen: Observations, monitor: WatchedMonitor, own: Own): Violation[] {
  const ledger = listVisible(own.shown.map(({ to, at, decidedAt }) => ({ state: to, at, decidedAt })));
  const [birth] = own.shown;
  const { regions, interval, timeout, alertThreshold, recoveryThreshold } = monitor.plan;
  const config = {
    regions,
    alertThreshold,
    recoveryThreshold,
    interval: interval * 1000,
    timeout: timeout * 1000,
  };
  let models = [createModel(config, birth?.at ?? monitor.createdAt)];
  for (const step of listSteps(seen, monitor, own)) {
    const lags = seen.faults.some(({ from, to }) => from <= step.at && step.at <= to + AFTER_FAULT_MS)
      ? FAULT_LAGS_MS
      : LAGS_MS;
    const next = models.flatMap((model) => takeStep(model, step, lags));
    // Before those of one essence become one: they may have come to it by other decisions.
    const agreeing = distinct(
      next.filter((model) => findDifference(listVisible(model.periods).slice(0, -1), ledger) === null),
    );
    if (agreeing.length === 0) return explain(seen, monitor, { ...own, ledger, model: next[0] });
    // Those whose current period is not the ledger's either must not crowd out the others.
    const isWhole = (model: Model) => findDifference(listVisible(model.periods), ledger) === null;
    models = [...agreeing.filter(isWhole), ...agreeing.filter((model) => !isWhole(model))].slice(
      0,
      MAX_MODELS,
    );
  }
  const horizon = seen.endedAt - MARGIN_MS;
  const agrees = (model: Model) => {
    const periods = listVisible(model.periods);
    const rest = [...ledger.slice(periods.length), ...periods.slice(ledger.length)];
    return findDifference(periods, ledger) === null && rest.every(({ decidedAt }) => decidedAt > horizon);
  };
  const found = models.find(agrees);
  return found
    ? compareIncidents(seen, monitor, found.incidents)
    : explain(seen, monitor, { ...own, ledger, model: models[0] });
}

function listSteps({ endedAt }: Observations, { changes }: WatchedMonitor, { shown, results }: Own): Step[] {
  const steps = [
    ...results.map((result): Step => ({ at: result.recordedAt, result })),
    ...shown.slice(1).map((each): Step => ({ at: each.decidedAt, shown: each })),
    ...changes.map((change): Step => ({ at: change.to, change })),
  ];
  return steps.filter(({ at }) => at <= endedAt).sort((a, b) => a.at - b.at);
}

/** What a step can make of a model: one for each lag that makes a difference. */
function takeStep(model: Model, step: Step, lags: number[]): Model[] {
  if ('result' in step) {
    const result = toModelResult(step.result);
    if (!result) return [model];
    const recorded = lags.map((lag) => record(model, result, step.at, lag));
    // It was checked as it was before, and may have been stored while the change waited, unless a clock is wrong.
    return result.begunAt <= model.restartedAt ? [model, ...recorded] : recorded;
  }
  // Below maintenance, the ledger does not show that a monitor starts over.
  if ('change' in step) return model.hidden === null ? [model] : [model, restart(model, step.at)];
  const { from, to } = step.shown;
  if (to === 'paused') return [pause(model, step.at)];
  if (to === 'maintenance')
    return [beginMaintenance(from === 'paused' ? restart(model, step.at) : model, step.at)];
  if (to === 'pending' && from !== 'maintenance') return [restart(model, step.at)];
  if (from === 'maintenance') return [endMaintenance(model, step.at)];
  if (to !== 'unknown') return [model];
  // Without a living worker, the votes of a region expire earlier.
  return [[], model.config.regions].flatMap((gone) => lags.map((lag) => tick(model, step.at, lag, gone)));
}

function toModelResult({ region, checkedAt, outcome, responseTime }: StoredResult): ModelResult | null {
  if (outcome === 'unknown') return null;
  const good = (responseTime ?? 0) > SLOW_MS ? 'slow' : 'good';
  return { region, begunAt: checkedAt, outcome: outcome === 'failed' ? 'failing' : good, responseTime };
}

function distinct(models: Model[]): Model[] {
  const byEssence = new Map<string, Model>();
  for (const each of models) {
    const model = { ...each, periods: listVisible(each.periods) };
    const essence = JSON.stringify(essenceOf(model));
    // The first is the one with the least lag.
    if (!byEssence.has(essence)) byEssence.set(essence, model);
  }
  return [...byEssence.values()];
}

/** Of a model, what can make a difference from now on: a lag that lost a vote for a moment mostly does not. */
function essenceOf({ config, votes, lastChecks, changedAt, knownFrom, periods, ...rest }: Model) {
  const needed = Math.max(config.alertThreshold, config.recoveryThreshold);
  const lastAt = periods.at(-1)?.at ?? 0;
  const ifAfter = (at: number, other: number) => (at > other ? at : 0);
  const runOf = ({ count, from }: { count: number; from: number }) =>
    count >= needed ? needed : { count, from: ifAfter(from, lastAt) };
  return {
    status: rest.status,
    flags: [rest.hidden, rest.announced, rest.isUnknown, rest.roundFrom],
    votes: Object.entries(votes).map(([region, { verdicts, last, failed, slow, fast, successful }]) => [
      region,
      last,
      verdicts[0]?.verdict,
      ifAfter(verdicts[0]?.since ?? 0, lastAt),
      ...[failed, slow, fast, successful].map(runOf),
    ]),
    changedAt: ifAfter(changedAt, Math.min(...Object.values(lastChecks))),
    knownFrom: ifAfter(knownFrom, lastAt),
    periods: periods.map(({ state, at }) => [state, at]),
    // Those before are what the ledger shows.
    decidedAt: periods.at(-1)?.decidedAt,
    incidents: rest.incidents.map(({ severity, status, startedAt }) => [severity, status, startedAt]),
  };
}

type Shown = { state: string; at: number; decidedAt: number };

/** An unknown time this short begins and ends with results whose arrival is only known by their commits. */
const BRIEF_MS = 5000;

/** Periods that have a length, those of one state as one. */
function listVisible<P extends Shown | Period>(periods: P[]): P[] {
  const long = periods.filter(({ state, at }, index) => {
    const end = periods[index + 1]?.at ?? Number.POSITIVE_INFINITY;
    return end - at > (state === 'unknown' ? BRIEF_MS : 0);
  });
  return long.filter(({ state }, index) => long[index - 1]?.state !== state);
}

/** The index of the first period that is not the same in both, as far as both go. */
function findDifference(model: Period[], ledger: Shown[]): number | null {
  const index = model.findIndex((period, place) => {
    const shown = ledger[place];
    return shown !== undefined && !isSame(period, shown);
  });
  return index === -1 ? null : index;
}

/** How far from the ledger an unknown time may begin: an interval after a result came, which is known by its commit. */
const UNKNOWN_MS = 60_000;

/** How far from the commit of the result that led to it a decision may be dated. */
const DECISION_MS = 120_000;

function isSame(period: Period, shown: Shown): boolean {
  const tolerance = period.state === 'unknown' ? UNKNOWN_MS : period.isBounded ? BOUND_MS : 0;
  return (
    period.state === shown.state &&
    Math.abs(period.at - shown.at) <= tolerance &&
    Math.abs(period.decidedAt - shown.decidedAt) <= DECISION_MS
  );
}

/** The results around the first difference, with both statuses. */
function explain(
  seen: Observations,
  { id }: WatchedMonitor,
  { results, ledger, model }: Own & { ledger: Shown[]; model: Model | undefined },
): Violation[] {
  const periods = listVisible(model?.periods ?? []);
  const index = findDifference(periods, ledger) ?? Math.min(periods.length, ledger.length);
  const [expected, shown] = [periods[index], ledger[index]];
  const until = Math.max(expected?.decidedAt ?? 0, shown?.decidedAt ?? 0);
  const before = results.filter(({ recordedAt }) => recordedAt <= until);
  return [
    {
      rule: 'statuses follow the recorded results',
      object: id,
      message: `${formatPeriod(seen, shown)} instead of ${formatPeriod(seen, expected)}`,
      history: [
        ...ledger.slice(Math.max(0, index - 2), index).map((each) => formatPeriod(seen, each)),
        ...before
          .slice(-MAX_RESULTS)
          .map(
            ({ checkedAt, recordedAt, region, outcome, responseTime }) =>
              `checked ${formatMoment(seen, checkedAt)}, recorded ${formatMoment(seen, recordedAt)}: ${region} ${outcome}` +
              ((responseTime ?? 0) > SLOW_MS ? ', slow' : ''),
          ),
      ],
    },
  ];
}

function formatPeriod(seen: Observations, period: Shown | undefined): string {
  if (!period) return 'nothing';
  const { state, at, decidedAt } = period;
  return `${state} from ${formatMoment(seen, at)}, decided at ${formatMoment(seen, decidedAt)}`;
}
