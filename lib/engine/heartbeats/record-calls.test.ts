import { describe, expect, it } from 'vitest';
import { setMonitorsEnabled } from '@/lib/domain/monitors/change-selected';
import { getMonitor } from '@/lib/domain/monitors/find-monitor';
import { listResults } from '@/lib/domain/monitors/history/read-results';
import { useTestDatabase } from '@/lib/testing/database';
import { missDeadlines } from './miss-deadlines';
import { beginCalls } from './testing/call-story';

const database = useTestDatabase();
const begin = (fields: object = {}) => beginCalls(database.db, fields);

describe('a heartbeat', () => {
  it('stays pending without a deadline until its first call, and is operational from then on', async () => {
    const { pass, call, status } = await begin({ period: 3600, grace: 60 });
    await pass(86_400);
    expect(await status()).toBe('pending');
    expect(await call()).toBe(true);
    expect(await status()).toBe('operational');
  });

  it('is down once, one second after period and grace, and recovers with the next call', async () => {
    const { pass, call, status, events } = await begin({ period: 3600, grace: 60 });
    await call();
    await pass(3659);
    expect(await status()).toBe('operational');
    await pass(1);
    expect(await status()).toBe('down');
    await pass(60);
    expect(await call()).toBe(true);
    expect(await status()).toBe('operational');
    expect(await events()).toEqual([
      expect.objectContaining({
        event: 'monitor.down',
        causedBy: null,
        monitor: expect.objectContaining({ url: '', type: 'heartbeat' }),
        details: {
          consecutiveFailures: 1,
          errorMessage: 'no heartbeat since 2026-03-01 12:00:00 UTC; expected every 1h 0m',
          responseTime: null,
          statusCode: null,
          region: 'heartbeat',
        },
      }),
      expect.objectContaining({ event: 'incident.created' }),
      expect.objectContaining({
        event: 'monitor.up',
        details: expect.objectContaining({ downtime: '1m', statusCode: null }),
      }),
      expect.objectContaining({ event: 'incident.resolved' }),
    ]);
  });

  it('fails once per period while it is silent, and alerts after alertThreshold of them', async () => {
    const { ctx, id, pass, call, status } = await begin({ period: 3600, grace: 60, alertThreshold: 3 });
    await call();
    await pass(3660 + 3600);
    expect(await status()).toBe('operational');
    await pass(3600);
    expect(await status()).toBe('down');
    const { items } = await listResults(ctx, id, { limit: 10 });
    expect(items.map(({ checkedAt, outcome, region }) => [checkedAt, outcome, region])).toEqual([
      ['2026-03-01T15:01:00.000Z', 'failed', null],
      ['2026-03-01T14:01:00.000Z', 'failed', null],
      ['2026-03-01T13:01:00.000Z', 'failed', null],
      ['2026-03-01T12:00:00.000Z', 'ok', null],
    ]);
  });

  it('keeps its last status however long nothing calls, if that is in time', async () => {
    const { ctx, id, pass, call } = await begin({ period: 366 * 86_400, grace: 0 });
    await call();
    await pass(200 * 86_400);
    const monitor = await getMonitor(ctx, id);
    expect(monitor).toMatchObject({ status: 'operational', noDataSince: null, silentRegions: [] });
    expect(monitor).toMatchObject({ lastCheckedAt: '2026-03-01T12:00:00.000Z', lastResponseTime: null });
  });

  it('goes down at once when the job reports a failure, with its exit code', async () => {
    const { call, status, events } = await begin({ period: 3600 });
    await call();
    await call('failure', 'the job ended with exit code 3');
    expect(await status()).toBe('down');
    const [down] = await events();
    expect(down).toMatchObject({ details: { errorMessage: 'the job ended with exit code 3' } });
  });

  it('has the time from start to end as response time, and is down if a run does not end within the grace', async () => {
    const { ctx, id, clock, pass, call, status, events } = await begin({ period: 86_400, grace: 600 });
    await call('start');
    expect(await status()).toBe('pending');
    clock.advance(95_000);
    await call();
    expect(await getMonitor(ctx, id)).toMatchObject({ status: 'operational', lastResponseTime: 95_000 });
    await call('start');
    await pass(599);
    expect(await status()).toBe('operational');
    await pass(1);
    expect(await status()).toBe('down');
    const [down] = await events();
    expect(down).toMatchObject({
      details: { errorMessage: 'the run that started at 2026-03-01 12:01:35 UTC did not end within 10m' },
    });
    // It ends after all.
    await call();
    expect(await getMonitor(ctx, id)).toMatchObject({ status: 'operational', lastResponseTime: 600_000 });
  });

  it('ignores calls while it is paused, and begins a period when it is resumed', async () => {
    const { ctx, id, pass, call, status } = await begin({ period: 3600, grace: 0 });
    await call();
    await setMonitorsEnabled(ctx, [id], false);
    await pass(7200);
    expect(await call('failure')).toBe(true);
    expect(await status()).toBe('operational');
    await setMonitorsEnabled(ctx, [id], true);
    await pass(3599);
    expect(await status()).toBe('pending');
    await pass(1);
    expect(await status()).toBe('down');
  });

  it('does not know another token', async () => {
    const { callWith } = await begin({ period: 3600 });
    expect(await callWith('x'.repeat(32))).toBe(false);
  });
});

describe('several workers', () => {
  it('record a missed deadline once', async () => {
    const { ctx, id, elapse, call, services } = await begin({ period: 60, grace: 0 });
    await call();
    await elapse(60);
    const missed = await Promise.all(Array.from({ length: 4 }, () => missDeadlines(services)));
    expect(missed.reduce((sum, count) => sum + count, 0)).toBe(1);
    const { items } = await listResults(ctx, id, { limit: 10, outcome: 'failed' });
    expect(items).toHaveLength(1);
  });
});

describe('time in which calls could not be received', () => {
  it('does not count: nothing is late when the service starts again', async () => {
    const { pass, outage, call, status } = await begin({ period: 3600, grace: 60 });
    await call();
    await pass(1800);
    await outage(7200);
    expect(await status()).toBe('operational');
    // The call that was lost meanwhile may be the last one for a period.
    await pass(3659);
    expect(await status()).toBe('operational');
    await pass(1);
    expect(await status()).toBe('down');
  });

  it('moves a deadline by its length if no call was expected then', async () => {
    const { pass, outage, call, status } = await begin({ period: 86_400, grace: 60 });
    await call();
    await outage(600);
    await pass(86_459);
    expect(await status()).toBe('operational');
    await pass(1);
    expect(await status()).toBe('down');
  });

  it('is still in progress when the worker starts before the web process', async () => {
    const { clock, call, status, services, receive } = await begin({ period: 3600, grace: 60 });
    await call();
    clock.advance(7_200_000);
    expect(await missDeadlines(services)).toBe(0);
    await receive();
    expect(await missDeadlines(services)).toBe(1);
    expect(await status()).toBe('operational');
  });

  it('is not the time in which only the worker was away: what was missed then is recorded once it is back', async () => {
    const { ctx, id, elapse, call, status } = await begin({ period: 60, grace: 0 });
    await call();
    await elapse(150);
    await call();
    expect(await status()).toBe('operational');
    const { items } = await listResults(ctx, id, { limit: 10 });
    expect(items.map(({ outcome }) => outcome)).toEqual(['ok', 'failed', 'failed', 'ok']);
  });
});
