import type { CallPlan, Gap } from '@/lib/checks/heartbeat/deadline';
import { NO_PHASES } from '@/lib/checks/result';
import type { Services } from '@/lib/domain/context/services';
import { IS_PROBED } from '@/lib/domain/monitors/last-checks';
import { type Advance, type AdvanceServices, advanceMonitors } from '@/lib/engine/checks/advance-monitors';
import { keepEvidence } from '@/lib/engine/checks/evidence/keep-evidence';
import { type LockedMonitor, lockMonitors } from '@/lib/engine/checks/recording/monitor-states';
import { toInput } from '@/lib/engine/checks/recording/note-result';
import { storeResults } from '@/lib/engine/checks/recording/store-results';
import type { Transaction } from '@/lib/platform/db/client';
import { Prisma } from '@/lib/platform/db/generated/client';
import { toMs } from '@/lib/platform/db/moment-columns';
import { readSchedule } from '@/lib/schemas/monitor/fields/schedule';
import { CALLER } from '@/lib/state/types';
import type { CallState, HeartbeatResult, Judged } from './judge-calls';
import { readGaps } from './reception';

/** What recording calls requires. */
export type CallServices = Pick<Services, 'db' | 'clock' | 'keyring' | 'races'> & AdvanceServices;

/** An enabled monitor that is called, whose state is locked by this transaction. */
export type CalledMonitor = LockedMonitor & {
  number: number;
  tokenHash: Uint8Array;
  plan: CallPlan;
  calls: CallState;
};

type Row = Pick<CalledMonitor, 'number' | 'tokenHash'> &
  CallState & { id: string; grace: number; period: number | null; schedule: string | null };

/** No partition is surely there for an older result. */
const MAX_AGE_MS = 86_400_000;

/** Locks monitors in ID order, as everyone does, and reads what is known of their calls, with the moment of the decisions about them. */
export async function lockCalled(
  tx: Transaction,
  services: CallServices,
  ids: string[],
): Promise<{ monitors: CalledMonitor[]; now: Date }> {
  const { monitors, now } = await lockMonitors(tx, services, ids);
  const ms = (column: string) => toMs(Prisma.raw(column));
  const rows = await tx.$queryRaw<Row[]>`
    SELECT monitor.id, number, heartbeat_token_hash AS "tokenHash", grace, period, schedule,
           ${ms('called_at')} AS "calledAt", ${ms('run_started_at')} AS "runStartedAt",
           ${ms('deadline_at')} AS "deadlineAt", ${ms('counted_from')} AS "countedFrom",
           ${ms('late_since')} AS "lateSince", runs
      FROM monitor
      JOIN heartbeat ON monitor_id = monitor.id
     WHERE monitor.id = ANY(${ids}) AND NOT ${IS_PROBED}`;
  const found = new Map(rows.map((row) => [row.id, row]));
  return {
    now,
    monitors: monitors.flatMap((monitor) => {
      const row = found.get(monitor.id);
      if (!row) return [];
      const { number, tokenHash, grace, period, schedule, ...calls } = row;
      const plan = { grace, period, schedule: readSchedule(schedule) };
      return [{ ...monitor, number, tokenHash, plan, calls }];
    }),
  };
}

/** The gaps that matter to monitors whose deadlines passed; most often none did, and nothing is read. */
export async function readGapsOf(
  tx: Transaction,
  monitors: readonly CalledMonitor[],
  now: Date,
): Promise<readonly Gap[]> {
  const overdue = monitors.filter(
    ({ calls }) => calls.deadlineAt !== null && calls.deadlineAt <= now.getTime(),
  );
  if (overdue.length === 0) return [];
  const since = overdue.map(({ calls }) => calls.countedFrom ?? calls.calledAt ?? 0);
  return readGaps(tx, new Date(Math.min(...since)));
}

/** Writes what was judged about locked monitors: results, statuses with everything that follows, and their calls. */
export async function recordJudged(
  tx: Transaction,
  services: CallServices,
  judged: readonly { monitor: CalledMonitor; judged: Judged }[],
  now: Date,
): Promise<void> {
  const finished = judged.map(({ monitor, judged: { results } }) => ({
    monitor,
    finished: toFinished(monitor, results, now),
  }));
  const all = finished.flatMap((each) => each.finished);
  await storeResults(tx, all);
  await advanceMonitors(
    tx,
    services,
    finished.filter((each) => each.finished.length > 0).map(toAdvance),
    now,
  );
  // Every failure, not only the first of a run: that one can be a missed deadline, which has no output.
  await keepEvidence(tx, all, { firstFailures: new Set(all), now });
  await writeCalls(
    tx,
    judged.map(({ monitor: { id }, judged: { state } }) => ({ id, ...state })),
  );
}

/** Results in their order, each later than the last one that the monitor knows. */
function toFinished({ id, number, state }: CalledMonitor, results: readonly HeartbeatResult[], now: Date) {
  let last = Math.max(state.regions[CALLER]?.startedAt ?? 0, now.getTime() - MAX_AGE_MS);
  return results.map(({ at, responseTime, error, evidence }) => {
    last = Math.max(at, last + 1);
    const outcome = error === null ? ('ok' as const) : ('failed' as const);
    return {
      check: { monitor: { id, number, region: CALLER } },
      startedAt: new Date(last),
      result: { ...NOTHING_PROBED, outcome, responseTime, error },
      evidence,
    };
  });
}

const NOTHING_PROBED = {
  statusCode: null,
  phases: NO_PHASES,
  certificateExpiresAt: null,
  certificateIssuer: null,
  certificateName: null,
  bodySize: null,
  networkFailure: false,
  evidence: null,
};

type Finished = { monitor: CalledMonitor; finished: ReturnType<typeof toFinished> };

function toAdvance({ monitor, finished }: Finished): Advance {
  const latest = finished.at(-1);
  const observation = latest
    ? { checkedAt: latest.startedAt, responseTime: latest.result.responseTime }
    : null;
  return { monitor, inputs: finished.map(toInput), observation };
}

async function writeCalls(tx: Transaction, rows: readonly ({ id: string } & CallState)[]): Promise<void> {
  if (rows.length === 0) return;
  const times = (name: Exclude<keyof CallState, 'runs'>) =>
    rows.map(({ [name]: at }) => (at === null ? null : new Date(at)));
  await tx.$executeRaw`
    UPDATE heartbeat
       SET called_at = given.called, run_started_at = given.started, deadline_at = given.deadline,
           counted_from = given.counted, late_since = given.late, runs = given.runs::jsonb
      FROM unnest(${rows.map(({ id }) => id)}::text[],
                  ${times('calledAt')}::timestamptz[], ${times('runStartedAt')}::timestamptz[],
                  ${times('deadlineAt')}::timestamptz[], ${times('countedFrom')}::timestamptz[],
                  ${times('lateSince')}::timestamptz[],
                  ${rows.map(({ runs }) => JSON.stringify(runs))}::text[])
           AS given (id, called, started, deadline, counted, late, runs)
     WHERE monitor_id = given.id`;
}
