import { type CallPlan, deadlineAfter } from '@/lib/checks/heartbeat/deadline';
import { isCalled, type MonitorType } from '@/lib/checks/types';
import type { Transaction } from '@/lib/platform/db/client';

/** A monitor as far as the calls of a job are concerned. */
export type Planned = CallPlan & { id: string; type: MonitorType; enabled: boolean };

/** A monitor before and after a change; `restarts`: it is resumed, or becomes one that is called. */
export type PlanChange = { current: Planned; next: Planned; restarts: boolean };

/** Begins to await the first call of new monitors; does nothing for those that no job calls. */
export async function awaitFirstCalls(tx: Transaction, monitors: readonly Pick<Planned, 'id' | 'type'>[]) {
  const data = monitors.filter(isCalled).map(({ id }) => ({ monitorId: id }));
  if (data.length > 0) await tx.heartbeat.createMany({ data, skipDuplicates: true });
}

/**
 * Moves the deadlines of monitors whose settings changed; the caller has locked their states. A resumed job, and one with another
 * period or schedule, has a whole period from now on; a paused one, and one that never called, has no deadline.
 */
export async function followPlans(tx: Transaction, changes: readonly PlanChange[], now: Date): Promise<void> {
  const called = changes.filter(({ next }) => isCalled(next));
  const left = changes.filter(({ current, next }) => isCalled(current) && !isCalled(next));
  if (left.length > 0) {
    await tx.heartbeat.deleteMany({ where: { monitorId: { in: left.map(({ next }) => next.id) } } });
  }
  if (called.length === 0) return;
  const begun = called.filter(({ current }) => !isCalled(current)).map(({ next }) => next);
  await awaitFirstCalls(tx, begun);
  const rows = await tx.heartbeat.findMany({
    where: { monitorId: { in: called.map(({ next }) => next.id) } },
  });
  const known = new Map(rows.map((row) => [row.monitorId, row]));
  const moved = called.filter(isMoved).map((change) => {
    const row = known.get(change.next.id);
    const deadline = row?.calledAt ? moveDeadline(change, row.deadlineAt, now) : null;
    return { id: change.next.id, deadline: deadline === null ? null : new Date(deadline) };
  });
  if (moved.length === 0) return;
  await tx.$executeRaw`
    UPDATE heartbeat
       SET deadline_at = moved.deadline, counted_from = ${now}, late_since = NULL, run_started_at = NULL, runs = '[]'
      FROM unnest(${moved.map(({ id }) => id)}::text[],
                  ${moved.map(({ deadline }) => deadline)}::timestamptz[]) AS moved (id, deadline)
     WHERE monitor_id = moved.id`;
}

const PLAN_FIELDS = ['enabled', 'grace', 'period', 'schedule'] as const;

function isMoved({ current, next, restarts }: PlanChange): boolean {
  return (
    restarts || PLAN_FIELDS.some((field) => JSON.stringify(current[field]) !== JSON.stringify(next[field]))
  );
}

function moveDeadline(
  { current, next, restarts }: PlanChange,
  deadline: Date | null,
  now: Date,
): number | null {
  if (!next.enabled) return null;
  const isSamePlan = current.period === next.period && sameSchedule(current, next);
  if (restarts || !isSamePlan || deadline === null) return deadlineAfter(next, now.getTime());
  return deadline.getTime() + 1000 * (next.grace - current.grace);
}

function sameSchedule(a: CallPlan, b: CallPlan): boolean {
  return a.schedule?.cron === b.schedule?.cron && a.schedule?.timeZone === b.schedule?.timeZone;
}
