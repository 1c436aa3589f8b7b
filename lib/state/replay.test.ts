import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createEstimate } from './confirmation/estimate-checks';
import { endOf, type StoredCheck, sortByEnd, toInput } from './region';
import { compareAlerts, Replay, type ReplayedAlert, type ReplayMark } from './replay';
import { configOf, MINUTE, SECOND, START, Story } from './testing/story';
import type { StateConfig } from './types';

const REGIONS = ['us', 'eu', 'ap'];

/** Checks of one region, a minute apart: `.` good, `x` failed, `s` slow (6 s). */
function checksOf(pattern: string, region = 'us'): StoredCheck[] {
  return [...pattern].map((seen, index) => ({
    region,
    startedAt: START + index * MINUTE,
    outcome: seen === 'x' ? ('failed' as const) : ('ok' as const),
    responseTime: seen === 'x' ? null : seen === 's' ? 6000 : 100,
    error: seen === 'x' ? { code: 'connect', message: 'connection refused' } : null,
  }));
}

function replay(config: StateConfig, checks: StoredCheck[], marks: ReplayMark[] = []) {
  const sorted = [...checks];
  sortByEnd(sorted, config.timeoutMs);
  const run = new Replay(config, START);
  const estimate = createEstimate(config, sorted);
  const steps = [
    ...marks.map((mark) => ({ at: mark.at, take: () => run.mark(mark) })),
    ...sorted.map((check) => {
      const at = endOf(check, config.timeoutMs);
      const take = () => {
        run.confirm(estimate, at);
        run.feed(toInput(check, config), at);
      };
      return { at, take };
    }),
  ];
  for (const { take } of steps.sort((a, b) => a.at - b.at)) take();
  return run.end(START + 60 * MINUTE);
}

const minutes = ({ alerts, downMs, degradedMs }: ReturnType<typeof replay>) => ({
  alerts: alerts.map(({ status, since, until }) =>
    [status, (since - START) / MINUTE, until === null ? 'on' : (until - START) / MINUTE].join(' '),
  ),
  down: downMs / MINUTE,
  degraded: degradedMs / MINUTE,
});

describe('a replay', () => {
  const flapping = `${'..x.'.repeat(5)}${'.'.repeat(40)}`;

  it('counts the alerts and the downtime that a threshold would have produced', () => {
    const checks = checksOf(flapping);
    expect(minutes(replay(configOf({ alertThreshold: 1 }), checks))).toEqual({
      alerts: ['down 2 3', 'down 6 7', 'down 10 11', 'down 14 15', 'down 18 19'],
      down: 5,
      degraded: 0,
    });
    expect(minutes(replay(configOf({ alertThreshold: 2 }), checks))).toEqual({
      alerts: [],
      down: 0,
      degraded: 0,
    });
  });

  it('treats a check that exceeds the proposed timeout as failed, and one above the limit as slow', () => {
    const checks = checksOf(`...ssss${'.'.repeat(53)}`);
    const slow = minutes(replay(configOf({ degradedThresholdMs: 5000 }), checks));
    expect(slow).toEqual({ alerts: ['degraded 3 7'], down: 0, degraded: 4 });
    const failed = replay(configOf({ timeoutMs: 5 * SECOND }), checks);
    expect(minutes(failed)).toEqual({ alerts: ['down 3 7'], down: 4, degraded: 0 });
    expect(failed.alerts[0]?.reason).toBe('no response within 5s');
    expect(minutes(replay(configOf({ degradedThresholdMs: 7000 }), checks)).alerts).toEqual([]);
  });

  it('ignores regions that are not proposed', () => {
    const checks = [...checksOf('x'.repeat(60)), ...checksOf('.'.repeat(60), 'eu')];
    expect(replay(configOf({ regions: ['eu'] }), checks).alerts).toEqual([]);
    expect(minutes(replay(configOf({ regions: ['us', 'eu'] }), checks)).alerts).toEqual(['degraded 0 on']);
  });

  it('waits at the start, and after a resume, for regions that have not reported', () => {
    const config = configOf({ regions: ['us', 'eu', 'ap'], alertThreshold: 1 });
    const late = (checks: StoredCheck[], seconds: number) =>
      checks.map((check) => ({ ...check, startedAt: check.startedAt + seconds * SECOND }));
    const three = [
      ...checksOf('x'.repeat(60)),
      ...late(checksOf('.'.repeat(60), 'eu'), 20),
      ...late(checksOf('.'.repeat(60), 'ap'), 40),
    ];
    const resumed: ReplayMark[] = [{ kind: 'restart', at: START + 29.5 * MINUTE }];
    expect(minutes(replay(config, three, resumed)).alerts).toEqual([
      `degraded ${20 / 60} 29.5`,
      'degraded 30 on',
    ]);
    const alone = replay(config, checksOf('x'.repeat(60)));
    expect(minutes(alone).alerts, 'the other two never report').toEqual(['down 0 on']);
    expect((alone.alerts[0]?.decidedAt ?? 0) - START).toBe(2 * MINUTE);
  });

  it('counts nothing during maintenance, and alerts afterwards if the problem persists', () => {
    const marks: ReplayMark[] = [
      { kind: 'maintenance', isRestart: false, at: START + 10 * MINUTE },
      { kind: 'maintenance-end', at: START + 20 * MINUTE },
    ];
    const within = checksOf(`${'.'.repeat(11)}${'x'.repeat(7)}${'.'.repeat(42)}`);
    expect(minutes(replay(configOf(), within, marks))).toEqual({ alerts: [], down: 0, degraded: 0 });
    const beyond = checksOf(`${'.'.repeat(11)}${'x'.repeat(19)}${'.'.repeat(30)}`);
    expect(minutes(replay(configOf(), beyond, marks))).toEqual({
      alerts: ['down 20 30'],
      down: 10,
      degraded: 0,
    });
  });

  it('restarts at pending when the monitor is resumed', () => {
    const marks: ReplayMark[] = [
      { kind: 'pause', at: START + 9.5 * MINUTE },
      { kind: 'restart', at: START + 19.5 * MINUTE },
    ];
    const checks = checksOf(`.....${'x'.repeat(55)}`).filter((_, index) => index < 10 || index >= 20);
    expect(minutes(replay(configOf(), checks, marks))).toEqual({
      alerts: ['down 5 9.5', 'down 20 on'],
      down: 44.5,
      degraded: 0,
    });
  });

  it('counts no downtime while no region delivers data', () => {
    const checks = checksOf(`xxxxx${'.'.repeat(15)}xxxxx.`).filter((_, at) => at < 5 || at >= 20);
    const { alerts, ...spent } = minutes(replay(configOf(), checks));
    expect(alerts).toEqual(['down 0 25']);
    expect(spent, 'from 0 to one interval after the last result, and from 20').toEqual({
      down: 10,
      degraded: 0,
    });
    const ended = checksOf('xxxxx');
    expect(minutes(replay(configOf(), ended))).toEqual({ alerts: ['down 0 on'], down: 5, degraded: 0 });
    const paused: ReplayMark[] = [{ kind: 'pause', at: START + 20 * MINUTE }];
    expect(minutes(replay(configOf(), ended, paused))).toEqual({
      alerts: ['down 0 20'],
      down: 5,
      degraded: 0,
    });
    const maintained: ReplayMark[] = [
      { kind: 'maintenance', isRestart: false, at: START + 20 * MINUTE },
      { kind: 'maintenance-end', at: START + 30 * MINUTE },
    ];
    expect(minutes(replay(configOf(), ended, maintained)).down).toBe(5);
  });

  it('continues an alert after maintenance, but begins another if the monitor restarted meanwhile', () => {
    const during = (isRestart: boolean): ReplayMark[] => [
      { kind: 'maintenance', isRestart, at: START + 10 * MINUTE },
      { kind: 'maintenance-end', at: START + 20 * MINUTE },
    ];
    const checks = checksOf('x'.repeat(60));
    expect(minutes(replay(configOf(), checks, during(false)))).toEqual({
      alerts: ['down 0 on'],
      down: 50,
      degraded: 0,
    });
    expect(minutes(replay(configOf(), checks, during(true)))).toEqual({
      alerts: ['down 0 10', 'down 20 on'],
      down: 50,
      degraded: 0,
    });
  });

  it('ignores the end of maintenance that began before', () => {
    const end: ReplayMark[] = [{ kind: 'maintenance-end', at: START + 20 * MINUTE }];
    expect(minutes(replay(configOf(), checksOf('x'.repeat(60)), end)).down).toBe(60);
  });

  it('that ends within maintenance alerts no more', () => {
    const begun: ReplayMark[] = [{ kind: 'maintenance', isRestart: false, at: START + 10 * MINUTE }];
    const checks = checksOf(`${'.'.repeat(12)}xxx`);
    expect(minutes(replay(configOf(), checks, begun))).toEqual({ alerts: [], down: 0, degraded: 0 });
  });

  it('reproduces the actual changes with the actual settings', () => {
    const wild = fc.array(
      fc.record({
        region: fc.constantFrom(...REGIONS),
        seen: fc.constantFrom('ok', 'ok', 'slow', 'fail', 'timeout', 'unknown'),
        pause: fc.oneof(
          { weight: 9, arbitrary: fc.integer({ min: 1, max: 40 }) },
          { weight: 1, arbitrary: fc.constant(400) },
        ),
      }),
      { maxLength: 100 },
    );
    const configs = fc.record({
      alertThreshold: fc.integer({ min: 1, max: 4 }),
      recoveryThreshold: fc.integer({ min: 1, max: 4 }),
      regions: fc.subarray(REGIONS, { minLength: 1 }),
    });
    fc.assert(
      fc.property(configs, wild, (settings, steps) => {
        const config = configOf(settings);
        let startedAt = START;
        const checks = steps.map(({ region, seen, pause }): StoredCheck => {
          startedAt += pause * SECOND;
          const isOk = seen === 'ok' || seen === 'slow';
          return {
            region,
            startedAt,
            outcome: seen === 'unknown' ? 'unknown' : isOk ? 'ok' : 'failed',
            responseTime: isOk ? (seen === 'slow' ? 6000 : 100) : null,
            error: isOk ? null : { code: seen === 'timeout' ? 'timeout' : 'connect', message: seen },
          };
        });
        const story = new Story(config);
        const ended = checks.map((check) => ({ check, at: endOf(check, config.timeoutMs) }));
        ended.sort((a, b) => a.at - b.at || a.check.startedAt - b.check.startedAt);
        for (const { check, at } of ended) {
          story.feed({ kind: 'result', ...check, certificateExpiresAt: null, statusCode: null }, at);
        }
        const happened = story
          .changes()
          .filter(({ event }) => event === 'monitor.down' || event === 'monitor.degraded')
          .map(({ to, since, at }) => [to, since, at]);
        const replayed = replay(config, checks).alerts.map((alert) => [
          alert.status,
          alert.since,
          alert.decidedAt,
        ]);
        // The story does not include what the final tick alone changes.
        expect(replayed.slice(0, happened.length)).toEqual(happened);
        expect(replayed.length - happened.length).toBeLessThanOrEqual(1);
      }),
      { numRuns: 300 },
    );
  });
});

describe('the comparison of two replays', () => {
  const alert = (status: 'down' | 'degraded', since: number, until: number | null): ReplayedAlert => ({
    status,
    since,
    decidedAt: since,
    until,
    reason: null,
  });

  it('lists removed and added alerts, but not those that only moved', () => {
    const current = [alert('down', 0, 5), alert('down', 10, 12), alert('degraded', 20, 22)];
    const proposed = [alert('down', 2, 5), alert('degraded', 30, null)];
    const { avoided, added } = compareAlerts(current, proposed);
    expect(avoided.map(({ since }) => since)).toEqual([10, 20]);
    expect(added.map(({ since }) => since)).toEqual([30]);
  });

  it.each([
    ['of another status', alert('down', 0, 5), alert('degraded', 0, 5), 1],
    ['that began later', alert('down', 0, 5), alert('down', 6, 7), 1],
    ['that ended before', alert('down', 6, 7), alert('down', 0, 5), 1],
    ['that began as it ended', alert('down', 0, 5), alert('down', 5, 9), 0],
    ['that ended as it began', alert('down', 5, 9), alert('down', 0, 5), 0],
    ['during it, as it continues', alert('down', 0, null), alert('down', 50, 60), 0],
    ['that continues', alert('down', 50, 60), alert('down', 0, null), 0],
  ])('does not mistake an alert for one %s', (_, one, other, changes) => {
    const { avoided, added } = compareAlerts([one], [other]);
    expect([avoided.length, added.length]).toEqual([changes, changes]);
  });

  it('matches each alert only once, so that the lists add up to the difference in counts', () => {
    const { avoided, added } = compareAlerts(
      [alert('down', 0, 100)],
      [alert('down', 0, 10), alert('down', 50, 60)],
    );
    expect([avoided.length, added.length]).toEqual([0, 1]);
  });
});
