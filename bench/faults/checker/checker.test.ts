import { describe, expect, it } from 'vitest';
import type { Observations } from '../observations';
import type { Received } from '../receivers';
import { checkRun } from './index';
import { announce, END, MINUTE, monitor, OUTAGE, perfectRun, START } from './testing/perfect-run';

const rulesBroken = (change: (run: Observations) => void): string[] => {
  const run = perfectRun();
  change(run);
  return [...new Set(checkRun(run).map(({ rule }) => rule))];
};

/** Replaces the first webhook request by several. */
const retry = (run: Observations, ...requests: Partial<Received>[]) => {
  const [first] = run.received;
  if (!first) throw new Error('the run has no request');
  run.received.splice(0, 1, ...requests.map((each) => ({ ...first, ...each })));
};

/** A fault of a second. */
const addFault = (run: Observations, at: number) =>
  void run.faults.push({ kind: 'connections cut', object: 'all', from: START + at, to: START + at + 1000 });

describe('the checker', () => {
  it('finds nothing in a run in which everything is as promised', () => {
    expect(checkRun(perfectRun())).toEqual([]);
  });

  it.each<[string, string, (run: Observations) => void]>([
    [
      'a slot that was recorded twice',
      'one result per slot',
      (run) => {
        const result = run.results[20];
        if (result) run.results.push({ ...result, checkedAt: result.checkedAt + 5000 });
      },
    ],
    ['slots without results', 'no slot is missed', (run) => void run.results.splice(25, 4)],
    [
      'an event that exists twice',
      'no event is doubled',
      (run) => {
        const [first] = run.received;
        if (first) run.received.push({ ...first, eventId: 'evt_other', deliveryId: 'del_other' });
      },
    ],
    [
      'a transition that nobody was notified of',
      'one event per transition',
      (run) => void run.received.splice(0, 1),
    ],
    [
      'an event that exists twice',
      'one event per transition',
      (run) => retry(run, {}, { deliveryId: 'del_3', eventId: 'evt_other', bodyHash: 'other' }),
    ],
    [
      'an event without a transition',
      'no event without a transition',
      (run) => void run.received.push(announce('monitor.degraded', START + MINUTE, 'del_1')),
    ],
    [
      'a delivery that never arrived',
      'every delivery reaches its endpoint',
      (run) => void run.received.splice(1, 1),
    ],
    [
      'a delivery to the endpoint of another organization',
      'a delivery has one endpoint',
      (run) => retry(run, {}, { endpoint: 1, attempt: 2 }),
    ],
    [
      'a body that changed',
      'a delivery has one body',
      (run) => retry(run, {}, { attempt: 2, bodyHash: 'other' }),
    ],
    [
      'two attempts with one number',
      'attempts are numbered without doubles',
      (run) => retry(run, { mode: 'refuse' }, { at: START + 7 * MINUTE }),
    ],
    [
      'a retry that comes early',
      'retries follow the schedule',
      (run) => retry(run, { mode: 'refuse' }, { attempt: 2, at: START + OUTAGE.from + 76_000 }),
    ],
    [
      'a retry that comes late',
      'retries follow the schedule',
      (run) => retry(run, { mode: 'refuse' }, { attempt: 2, at: START + OUTAGE.from + 146_000 }),
    ],
    [
      'a slot that was recorded twice, two intervals after an edit',
      'one result per slot',
      (run) => {
        const result = run.results[20];
        if (!result) return;
        const edited = result.checkedAt - 70_000;
        monitorOf(run).changes.push({ kind: 'edit', from: edited, to: edited, status: 200 });
        run.results.push({ ...result, checkedAt: result.checkedAt + 5000 });
      },
    ],
    [
      'a retry that never comes',
      'retries follow the schedule',
      (run) => {
        for (const request of run.received) request.mode = 'refuse';
      },
    ],
    [
      'slots that are missed long after a resume',
      'no slot is missed',
      (run) => {
        for (const [kind, at] of [
          ['pause', 2 * MINUTE],
          ['resume', 3 * MINUTE],
        ] as const)
          monitorOf(run).changes.push({ kind, from: START + at, to: START + at, status: 200 });
        run.results.splice(25, 4);
      },
    ],
    [
      'a retry that comes later than a short fault explains',
      'retries follow the schedule',
      (run) => {
        addFault(run, OUTAGE.from + 60_000);
        retry(run, { mode: 'refuse' }, { attempt: 2, at: START + OUTAGE.from + 400_000 });
      },
    ],
    [
      'slots that are missed for longer than a short fault explains',
      'no slot is missed',
      (run) => {
        addFault(run, 12 * MINUTE);
        run.results.splice(24, 10);
      },
    ],
    [
      'a retry after success',
      'an acknowledged delivery is not sent again',
      (run) => retry(run, {}, { attempt: 2, at: START + OUTAGE.from + 106_000 }),
    ],
    [
      'an alert although the target worked',
      'no false alarm',
      (run) => {
        monitorOf(run).plan = {
          ...monitor,
          spells: { ...monitor.spells, 'us-east': [{ untilMs: END, mode: 'ok' }] },
        };
      },
    ],
    [
      'an outage without an alert',
      'no outage is missed',
      (run) => {
        run.transitions.splice(2);
        run.received.length = 0;
        run.deliveries.length = 0;
        run.uptimes.mon_1 = 100;
        for (const transition of run.transitions.slice(1)) transition.endedAt = null;
      },
    ],
    [
      'a gap in the ledger',
      'the ledger has no gaps and no overlaps',
      (run) => {
        const [first] = run.transitions;
        if (first) first.endedAt = START + MINUTE;
      },
    ],
    [
      'a monitor that stays down',
      'everything recovers',
      (run) => {
        run.transitions.pop();
        for (const transition of run.transitions.slice(-1)) transition.endedAt = null;
      },
    ],
    [
      'uptime that is not that of the ledger',
      'uptime is the integral of the ledger',
      (run) => {
        run.uptimes.mon_1 = 99.99;
      },
    ],
    [
      'health that is down without a fault',
      'health is 200 outside faults',
      (run) => {
        for (const sample of run.health.slice(50, 60)) sample.status = 503;
      },
    ],
    [
      'an error without its object',
      'errors name their object',
      (run) => void run.namelessErrors.push('us-east 1: {"level":50,"msg":"failed"}'),
    ],
  ])('finds %s', (_, rule, change) => {
    expect(rulesBroken(change)).toContain(rule);
  });

  it('excuses missed slots during a fault and the recovery from it', () => {
    const broken = rulesBroken((run) => {
      run.results.splice(25, 2);
      run.faults.push({
        kind: 'worker killed',
        object: 'us-east 1',
        from: START + 12 * MINUTE,
        to: START + 13 * MINUTE,
      });
    });
    expect(broken).toEqual([]);
  });
});

function monitorOf({ monitors: [first] }: Observations) {
  if (!first) throw new Error('the run has no monitor');
  return first;
}
