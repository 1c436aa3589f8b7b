import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { strictEnvironment } from '@/lib/checks/testing/target';
import { createManualClock } from '@/lib/core/time/clock';
import { createWake } from '@/lib/core/time/wake';
import { createSlots } from '@/lib/engine/runtime/slots';
import { createScheduled } from '@/lib/engine/testing/scheduled';
import { simulateNetwork } from '@/lib/engine/testing/simulated-network';
import { keepLog } from '@/lib/testing/kept-log';
import { waitFor } from '@/lib/testing/wait-for';
import { type CheckEngine, drainChecks } from './drain-checks';
import { OutageWatch } from './outage-watch';
import type { FinishedCheck } from './recording/store-results';
import type { ShardKeeper } from './shards/keep-shards';
import { CheckSchedule } from './shards/schedule';
import type { DueCheck } from './shards/scheduled-monitor';

const START = new Date('2026-03-01T12:00:00.000Z');
const REGION = 'us-east';
const INTERVAL_MS = 30_000;
const SECOND_MS = 1000;

/** A drain of monitors, ten by default, due within a second, whose targets are blocked, so that checks end at once; this worker owns them all. */
function begin({
  slots,
  monitors = 10,
  isLeased = () => true,
  sync = async () => false,
  record = async () => true,
  organizationOf = () => 'org_1',
}: {
  slots: number;
  monitors?: number;
  /** Whether the worker may start checks. */
  isLeased?: () => boolean;
  sync?: (passed: (ms: number) => void) => Promise<boolean>;
  record?: (finished: FinishedCheck, passed: (ms: number) => void) => Promise<boolean>;
  organizationOf?: (n: number) => string;
}) {
  const clock = createManualClock(START);
  const { log, lines } = keepLog();
  const schedule = new CheckSchedule();
  for (let n = 0; n < monitors; n++) {
    const dueAt = START.getTime() + ((n + 1) * SECOND_MS) / monitors;
    const fields = { id: `mon_${n}`, region: REGION, intervalMs: INTERVAL_MS, dueAt };
    schedule.put(createScheduled({ ...fields, organizationId: organizationOf(n) }));
  }
  const looked = createWake();
  const started: string[][] = [];
  const recorded: string[] = [];
  const keeper: ShardKeeper = {
    region: REGION,
    isWithoutLease: () => false,
    sync: () => sync(clock.advance),
    takeDue: (limit, free = limit) => {
      const checks: DueCheck[] = [];
      while (isLeased() && checks.length < limit) {
        const next = schedule.take(clock.now().getTime(), free - checks.length);
        if (next === null) break;
        const { monitor, dueAt } = next;
        checks.push({ monitor, lease: { shard: 0, epoch: 1 }, dueAt: new Date(dueAt) });
      }
      if (checks.length > 0) started.push(checks.map(({ monitor }) => monitor.id));
      looked.ring();
      return checks;
    },
    isBehind: () => schedule.isBehind(),
    giveBack: ({ monitor }) => schedule.giveBack(monitor, clock.now().getTime()),
    checkAgain: ({ monitor }) => schedule.checkAgain(monitor.id, clock.now().getTime()),
    nextDueAt: () => {
      const dueAt = schedule.nextDueAt();
      return dueAt === null ? null : new Date(dueAt);
    },
    spread: () => schedule.spread(clock.now().getTime()),
    handOver: async () => undefined,
    release: async () => undefined,
  };
  const wake = createWake();
  const engine: CheckEngine = {
    openKeeper: () => keeper,
    clock,
    sealEvidence: async () => expect.fail('no evidence was asked for'),
    log,
    wake,
    changes: createWake(),
    slots: createSlots(slots, wake.ring),
    keepers: new Map(),
    probeEnvironment: strictEnvironment,
    outageWatch: new OutageWatch({ clock, log, ...simulateNetwork([]), onCutOff: () => undefined }),
    recorder: {
      add: async (finished) => {
        recorded.push(finished.check.monitor.id);
        return record(finished, clock.advance);
      },
      flushed: async () => undefined,
      stop: () => undefined,
      pending: () => 0,
      oldestPendingMs: () => null,
    },
  };
  const stopping = new AbortController();
  const draining = drainChecks(engine, keeper, stopping.signal);
  onTestFinished(async () => {
    stopping.abort();
    await draining;
  });
  /** Lets time pass, and the drain look for what is due. */
  const pass = async (ms: number) => {
    const seen = looked.rings();
    clock.advance(ms);
    wake.ring();
    await looked.sleep(10_000, { seen });
  };
  return {
    pass,
    passSeconds: async (seconds: number) => {
      for (let second = 0; second < seconds; second++) await pass(SECOND_MS);
    },
    /** Takes every slot until the returned function is called. */
    fillSlots: () => {
      let free = () => undefined;
      const freed = new Promise<void>((resolve) => {
        free = () => void resolve();
      });
      while (engine.slots.free() > 0) engine.slots.run(() => freed);
      return free;
    },
    /** What each look began that began something. */
    started,
    recorded,
    lines,
    messages: () => lines().map(({ msg }) => msg),
  };
}

describe('a drain of checks', () => {
  it('starts a few checks in each turn of the event loop, so that responses are read before more are started', async () => {
    const { pass, started, recorded } = begin({ slots: 1000, monitors: 200 });
    await pass(SECOND_MS);
    await waitFor(() => expect(recorded).toHaveLength(200));
    expect(started.flat()).toHaveLength(200);
    expect(Math.max(...started.map(({ length }) => length))).toBeLessThanOrEqual(48);
  });

  it('gives an organization all slots that it may hold, also a few at a time', async () => {
    const { pass, started } = begin({
      slots: 1000,
      monitors: 600,
      organizationOf: (n) => (n === 0 ? 'org_other' : 'org_1'),
      record: () => new Promise(() => undefined),
    });
    await pass(SECOND_MS);
    await waitFor(() => expect(started.flat()).toHaveLength(600));
  });

  it('runs and records what is due, once per interval', async () => {
    const { passSeconds, recorded } = begin({ slots: 10 });
    await passSeconds(1);
    await waitFor(() => expect(new Set(recorded).size).toBe(10));
    expect(recorded).toHaveLength(10);
    await passSeconds(2 * (INTERVAL_MS / SECOND_MS));
    await waitFor(() => expect(recorded.length).toBeGreaterThanOrEqual(20));
    expect(recorded.length).toBeLessThanOrEqual(30);
  });

  it('spreads what is overdue after a gap', async () => {
    const { pass, messages, lines } = begin({ slots: 10 });
    await pass(10 * SECOND_MS);
    expect(messages()).toEqual(['no check was started for a while; spread overdue checks over time']);
    expect(lines()).toMatchObject([{ region: REGION, gapMs: 10 * SECOND_MS, spread: 10 }]);
  });

  it('takes looks that start nothing, as while every slot is taken, for no gap', async () => {
    const { passSeconds, fillSlots, messages, recorded } = begin({ slots: 10 });
    const free = fillSlots();
    await passSeconds(10);
    expect(recorded).toEqual([]);
    free();
    await waitFor(() => expect(recorded).toHaveLength(10));
    expect(messages(), 'nothing was spread').toEqual([]);
  });

  it('counts the slots that pass because there are too many checks, and logs them once a minute', async () => {
    const { passSeconds, fillSlots, lines, recorded } = begin({ slots: 5 });
    const free = fillSlots();
    await passSeconds(2 * (INTERVAL_MS / SECOND_MS) + 2);
    free();
    await waitFor(() => expect(recorded).toHaveLength(10));
    const msg =
      'checks were skipped: more are due than this worker can run; add a worker or raise CHECK_CONCURRENCY';
    expect(lines()).toMatchObject([{ region: REGION, skipped: 10, msg }]);
    await passSeconds(INTERVAL_MS / SECOND_MS);
    expect(lines()).toHaveLength(1);
    await passSeconds(INTERVAL_MS / SECOND_MS);
    expect(lines()).toMatchObject([{}, { skipped: 10, msg }]);
  });

  it('blames the processor for slots that pass although slots are free', async () => {
    // Each turn of the event loop, in which 48 begin, takes two thirds of a second.
    const { pass, messages, recorded } = begin({
      slots: 3000,
      monitors: 2400,
      record: async (_, passed) => {
        passed(14);
        return true;
      },
    });
    await pass(SECOND_MS);
    await waitFor(() => expect(recorded.length).toBeGreaterThanOrEqual(2400));
    expect(messages()).toEqual([
      'checks were skipped: more are due than the processor of this worker can run; add a worker, or give it more of the processor',
    ]);
  });

  it('leaves a slot to others while the checks of one organization do not end, and counts what that skips', async () => {
    let end = () => undefined;
    const ended = new Promise<void>((resolve) => {
      end = () => void resolve();
    });
    const { passSeconds, recorded, lines } = begin({
      slots: 9,
      organizationOf: (n) => (n === 9 ? 'org_quiet' : 'org_flood'),
      record: async ({ check }) => {
        if (check.monitor.organizationId === 'org_flood') await ended;
        return true;
      },
    });
    await passSeconds(2 * (INTERVAL_MS / SECOND_MS) + 2);
    await waitFor(() => expect(recorded.filter((id) => id === 'mon_9').length).toBeGreaterThanOrEqual(2));
    expect(new Set(recorded).size, 'eight of the flood, and the other').toBe(9);
    end();
    await waitFor(() => expect(new Set(recorded).size).toBe(10));
    await passSeconds(1);
    const msg =
      'checks were skipped: more are due than this worker can run; add a worker or raise CHECK_CONCURRENCY';
    expect(lines()).toMatchObject([{ region: REGION, msg }]);
  });

  it('does not blame its limit for slots that pass while it may start nothing', async () => {
    let isLeased = false;
    const { passSeconds, lines, recorded } = begin({ slots: 10, isLeased: () => isLeased });
    await passSeconds(2 * (INTERVAL_MS / SECOND_MS) + 2);
    isLeased = true;
    await passSeconds(1);
    await waitFor(() => expect(recorded).toHaveLength(10));
    const msg =
      'checks were skipped while none was started: this worker was paused, or had neither its shards nor the database';
    expect(lines()).toMatchObject([{ region: REGION, skipped: 20, msg }]);
  });

  it('checks a monitor again whose check failed to run, in its next slot', async () => {
    let failures = 1;
    const record = async () => {
      if (failures-- > 0) throw new Error('out of memory');
      return true;
    };
    const { passSeconds, recorded, lines } = begin({ slots: 10, record });
    await passSeconds(1);
    await waitFor(() => expect(recorded).toHaveLength(10));
    await passSeconds(1.5 * (INTERVAL_MS / SECOND_MS));
    await waitFor(() => expect(recorded.filter((id) => id === 'mon_0').length).toBeGreaterThan(1));
    expect(lines()).toMatchObject([{ monitor: 'mon_0', error: 'out of memory' }]);
  });

  it('continues while the schedule cannot be followed, which is logged once', async () => {
    let failures = 2;
    const sync = vi.fn(async () => {
      if (failures-- > 0) throw new Error('connect ECONNREFUSED');
      return false;
    });
    const { passSeconds, recorded, messages } = begin({ slots: 10, sync });
    await waitFor(() => expect(sync).toHaveBeenCalled());
    await passSeconds(1);
    await waitFor(() => expect(recorded).toHaveLength(10));
    await waitFor(() => expect(messages()).toHaveLength(2));
    expect(messages()).toEqual([
      'could not follow the schedule of a region; retrying',
      'the schedule of a region is followed again',
    ]);
  });

  it('spreads what is overdue after it was without its shards', async () => {
    let isBack = true;
    const sync = async (passed: (ms: number) => void) => {
      if (!isBack) return false;
      passed(1200);
      isBack = false;
      return true;
    };
    const { pass, started } = begin({ slots: 10, sync });
    await pass(0);
    expect(started).toEqual([['mon_0']]);
  });
});
