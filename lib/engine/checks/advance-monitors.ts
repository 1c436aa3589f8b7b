import { describeError } from '@/lib/core/errors';
import { createId } from '@/lib/core/ids';
import { type JournalEntry, writeJournal } from '@/lib/core/journal/journal';
import type { Logger } from '@/lib/core/logger';
import type { Services } from '@/lib/domain/context/services';
import { followStatus } from '@/lib/domain/incidents/follow-status';
import { countDependents } from '@/lib/domain/monitors/dependencies/count-dependents';
import { readAncestors } from '@/lib/domain/monitors/dependencies/read-ancestors';
import { type PeriodChange, switchPeriods } from '@/lib/domain/monitors/history/ledger';
import { moveSchedules } from '@/lib/domain/monitors/probe-schedules';
import { writePageNotices } from '@/lib/domain/notices/write-page-notices';
import type { MonitorChange } from '@/lib/notify/change';
import { addressChanges, planNotifications } from '@/lib/notify/plan';
import { readNotificationFacts } from '@/lib/notify/read-facts';
import { readMessages } from '@/lib/notify/read-messages';
import { writePlan } from '@/lib/notify/write-plan';
import { afterCommit } from '@/lib/platform/db/after-commit';
import type { Transaction } from '@/lib/platform/db/client';
import { type Hint, noteLive } from '@/lib/platform/live/note-live';
import { notePagesChanged } from '@/lib/platform/page-front/application';
import { listOffGridChecks } from '@/lib/state/confirmation/follow-confirmation';
import { rebuiltState } from '@/lib/state/initial-state';
import { keepLastNotified } from '@/lib/state/maintenance';
import { isFirstFailure } from '@/lib/state/region';
import { isContested } from '@/lib/state/routine';
import { transition } from '@/lib/state/transition';
import type { CheckInput, Effect, MonitorState, ResultInput, StatusEffect } from '@/lib/state/types';
import { type LockedMonitor, type MonitorObservation, writeStates } from './recording/monitor-states';

/** A monitor's inputs in order, and the latest observation for its row. */
export type Advance = {
  monitor: LockedMonitor;
  inputs: CheckInput[];
  observation: MonitorObservation | null;
  /** See `writeStates`. */
  ownerKnows?: boolean;
};

/** What the owners of monitors and the keepers of evidence have to know. */
export type Decided = {
  /** The inputs that began a run of failures. */
  firstFailures: ResultInput[];
  /** Whether the next results of monitors will be decided upon, by their ID. */
  isContested: ReadonlyMap<string, boolean>;
};

/** What notifications need (link base, whether members get email), and the log for rebuilt states. */
export type AdvanceServices = Pick<Services, 'appUrl' | 'mail'> & { log?: Logger };

type Advanced = Omit<Advance, 'inputs'> & {
  state: MonitorState;
  effects: Effect[];
  /** The inputs that began a run of failures in their region. */
  firstFailures: ResultInput[];
  /** The stored state was unusable: the monitor restarts at pending. */
  isRebuilt: boolean;
};

/**
 * Applies inputs to the status of monitors and writes everything that follows: state, checks off the grid, ledger,
 * incidents, events with their deliveries, notices to members and subscribers, and page invalidations. The only place
 * where a status changes; the caller has locked the monitors' state rows.
 */
export async function advanceMonitors(
  tx: Transaction,
  services: AdvanceServices,
  advances: Advance[],
  now: Date,
): Promise<Decided> {
  const advanced = advances.map((advance) => runTransitions(advance, now, services.log));
  await writeStates(tx, advanced);
  await scheduleConfirmations(tx, advanced);
  await writeLedger(tx, advanced, now);
  const changes = listChanges(advanced);
  if (changes.length > 0) afterCommit(tx, () => writeJournal(changes.map(toEntry)));
  await notifyStatusChanges(tx, services, changes, now);
  const changed = advanced.filter(hasChanged);
  await notePagesChanged(tx, { monitorIds: changed.map(({ monitor }) => monitor.id) });
  await noteLive(tx, listHints(advanced));
  return {
    firstFailures: advanced.flatMap(({ firstFailures }) => firstFailures),
    isContested: new Map(
      advanced.map(({ monitor: { id, config }, state }) => [id, isContested(config, state)]),
    ),
  };
}

/** A monitor, locked until the transaction ends, and a change of its status. */
type StatusChange = { monitor: LockedMonitor; effect: StatusEffect };

/** Writes what follows from changes of status: incidents, notices to subscribers, and whatever else anybody hears of them. */
async function notifyStatusChanges(
  tx: Transaction,
  services: AdvanceServices,
  changes: readonly StatusChange[],
  now: Date,
): Promise<void> {
  if (changes.length === 0) return;
  const followed = await followStatus(
    tx,
    changes.map(({ monitor, effect }) => ({
      monitor,
      effect,
      organizationId: monitor.organizationId,
      monitorId: monitor.id,
      monitorName: monitor.name,
      status: requireChecked(effect),
      at: new Date(effect.at),
      since: new Date(effect.since),
    })),
  );
  const dependent = changes.map(({ monitor }) => monitor).filter(({ dependsOn }) => dependsOn.length > 0);
  const ancestors = await readAncestors(tx, dependent, now);
  // What is down because of others is not announced now, nor how many depend on it.
  const isSuppressed = (id: string) =>
    (ancestors.get(id) ?? []).some(({ isWatched, isDown }) => isWatched && isDown);
  const roots = changes.filter(({ monitor, effect }) => effect.to === 'down' && !isSuppressed(monitor.id));
  const dependents = await countDependents(tx, [...new Set(roots.map(({ monitor }) => monitor.id))]);
  const notified = followed.map(
    ({ monitor, effect, incident, events }): MonitorChange => ({
      monitor,
      effect,
      incident,
      incidentEvents: events,
      ancestors: ancestors.get(monitor.id) ?? [],
      dependents: dependents.get(monitor.id) ?? 0,
    }),
  );
  const facts = await readNotificationFacts(tx, services, notified, now);
  const addressed = addressChanges(notified, facts, createId);
  const messages = await readMessages(tx, addressed.events);
  await writePlan(tx, services, planNotifications(addressed, { ...facts, messages }, createId));
  await writePageNotices(
    tx,
    services,
    followed.flatMap(({ notice }) => notice ?? []),
  );
}

function requireChecked({ to }: StatusEffect): 'operational' | 'degraded' | 'down' {
  if (to === 'pending') throw new Error('a check cannot set a monitor to pending');
  return to;
}

/** Without the rule that applied, which has what targets sent. */
function toEntry({ monitor: { id, organizationId }, effect }: StatusChange): JournalEntry {
  const { from, to, region, since, why, details } = effect;
  const fields = {
    monitor: id,
    organization: organizationId,
    from,
    to,
    since: new Date(since).toISOString(),
    region,
    failing: why.regions.filter(({ verdict }) => verdict === 'failing').length,
    voting: why.voting,
    error: to === 'operational' ? null : details.errorMessage,
  };
  return { message: 'status changed', id, as: `${from} → ${to}`, fields };
}

/** With the decision that asks for them, so that no crash loses them. */
async function scheduleConfirmations(tx: Transaction, advanced: readonly Advanced[]): Promise<void> {
  const checks = advanced.flatMap(({ monitor, state }) =>
    listOffGridChecks(monitor.state, state).map(({ region, at }) => ({
      id: monitor.id,
      region,
      at: new Date(at),
    })),
  );
  await moveSchedules(tx, checks);
}

function listHints(advanced: Advanced[]): Hint[] {
  const changed = new Set<string>();
  const checked = new Set<string>();
  for (const one of advanced) {
    (hasChanged(one) ? changed : checked).add(one.monitor.organizationId);
  }
  return [
    { kind: 'changes', organizationIds: [...changed] },
    { kind: 'results', organizationIds: [...checked] },
  ];
}

function hasChanged({ effects, isRebuilt }: Advanced): boolean {
  return effects.length > 0 || isRebuilt;
}

/** Rebuilds a state that the transition cannot continue from, and drops inputs that fail either way. */
function runTransitions(advance: Advance, now: Date, log: Logger | undefined): Advanced {
  const { monitor, inputs: _, ...given } = advance;
  const isRebuilt = monitor.stateError !== null;
  const fields = { monitor: monitor.id, error: monitor.stateError };
  if (isRebuilt) log?.error(fields, 'could not read the state of a monitor; it restarts at pending');
  try {
    return { ...applyInputs(advance, now), isRebuilt };
  } catch (error) {
    fields.error = describeError(error);
  }
  try {
    const state = rebuiltState(monitor.status, now.getTime());
    const rebuilt = applyInputs({ ...advance, monitor: { ...monitor, state } }, now);
    log?.error(fields, 'could not use the state of a monitor; it restarts at pending');
    return { ...rebuilt, isRebuilt: true };
  } catch {
    log?.error(fields, 'could not apply a result to the status of a monitor');
    return { ...given, monitor, state: monitor.state, effects: [], firstFailures: [], isRebuilt };
  }
}

function applyInputs({ monitor, inputs, ...given }: Advance, now: Date): Omit<Advanced, 'isRebuilt'> {
  let state = monitor.state;
  const effects: Effect[] = [];
  const firstFailures: ResultInput[] = [];
  for (const input of inputs) {
    const next = transition(monitor.config, state, input, now.getTime());
    state = next.state;
    effects.push(...next.effects);
    if (isFirstFailure(state, input)) firstFailures.push(input);
  }
  // During maintenance the status is still decided, but the ledger shows maintenance and nobody is notified.
  if (monitor.statusBeforeMaintenance !== null) {
    const kept = keepLastNotified(monitor.state, state);
    return { ...given, monitor, state: kept, effects: [], firstFailures };
  }
  return { ...given, monitor, state, effects, firstFailures };
}

/** Writes several changes of one monitor sequentially, those of different monitors together. */
async function writeLedger(tx: Transaction, advanced: Advanced[], now: Date): Promise<void> {
  const changes = advanced.map((one) => periodChanges(one, now));
  const rounds = Math.max(0, ...changes.map((list) => list.length));
  for (let round = 0; round < rounds; round++) {
    await switchPeriods(
      tx,
      changes.flatMap((list) => list[round] ?? []),
    );
  }
}

function periodChanges({ monitor, effects, isRebuilt }: Advanced, now: Date): PeriodChange[] {
  let status = monitor.state.status;
  const change = { monitorId: monitor.id, decidedAt: now };
  const restart = { ...change, state: 'pending' as const, from: now, why: null };
  const isShown = isRebuilt && monitor.statusBeforeMaintenance === null;
  const changes = effects.map((effect) => {
    if (effect.kind === 'status') {
      status = effect.to;
      return { ...change, state: status, from: new Date(effect.since), why: effect.why };
    }
    const from = new Date(effect.from);
    const why = effect.rule === undefined ? null : { rule: effect.rule };
    return { ...change, state: effect.kind === 'unknown' ? ('unknown' as const) : status, from, why };
  });
  return isShown ? [restart, ...changes] : changes;
}

function listChanges(advanced: Advanced[]): StatusChange[] {
  return advanced.flatMap(({ monitor, effects }) =>
    effects.filter((effect) => effect.kind === 'status').map((effect) => ({ monitor, effect })),
  );
}
