import { describe, expect, it } from 'vitest';
import { getMonitor } from '@/lib/domain/monitors/find-monitor';
import { listResults, readLatestChecks } from '@/lib/domain/monitors/history/read-results';
import { useShardStory } from '@/lib/engine/testing/shard-story';
import { FAILED, OK, SLOW, START } from '@/lib/engine/testing/story';
import { rollUp } from '@/lib/engine/upkeep/roll-up';
import { resultsQuerySchema } from '@/lib/schemas/monitor/result';
import { slotOf } from '@/lib/state/schedule-grid';
import { startProbe } from './testing/remote-story';

const { database, begin } = useShardStory();
const [SECOND, MINUTE, HOUR] = [1000, 60_000, 3_600_000];

/** A monitor that was checked once in time, and the slots of the hour after that. */
async function beginOffline(fields: object = {}) {
  const story = await begin();
  const { id } = await story.addMonitor({ alertThreshold: 1, ...fields });
  const probe = await startProbe(story.services);
  const [check] = await probe.take();
  if (!check) expect.fail('a check is due');
  await probe.record([check]);
  const { phase, config } = check.monitor;
  const first = slotOf(story.clock.now().getTime(), { phase, intervalMs: config.intervalMs }).at;
  const slots = Array.from({ length: 60 }, (_, n) => new Date(first + (n + 1) * config.intervalMs + 30));
  story.clock.advance(HOUR + 3 * MINUTE);
  const query = resultsQuerySchema.parse({ limit: '100' });
  return {
    ...story,
    id,
    probe,
    check,
    slots,
    list: async () => (await listResults(story.ctx, id, query)).items,
    rolled: () => readRolled(check.monitor.number),
    /** All that a status consists of. */
    status: async () => ({
      shown: (await getMonitor(story.ctx, id)).status,
      state: await database.db.monitorState.findUnique({ where: { monitorId: id } }),
      ledger: await database.db.statusPeriod.findMany({ where: { monitorId: id } }),
      events: await database.db.outboxEvent.count({ where: { organizationId: story.organizationId } }),
    }),
  };
}

const readRolled = (monitor: number) => database.db.$queryRaw<{ checks: number; failures: number }[]>`
  SELECT sum(checks)::int AS checks, sum(failures)::int AS failures, sum(response_time_sum)::int AS ms
    FROM raw.rollup_hour WHERE monitor = ${monitor}`;

describe('late results', () => {
  it('of an hour are in history, marked, and change no status, even if all are failures', async () => {
    const { probe, check, slots, list, status, ctx, id, clock } = await beginOffline();
    const before = await status();
    expect(await probe.sendLate(check, slots, { result: FAILED })).toEqual({ count: 60, waiting: [] });
    const items = await list();
    expect(items).toHaveLength(61);
    expect(items.filter(({ late }) => late)).toHaveLength(60);
    expect(items[0]).toMatchObject({ late: true, outcome: 'failed', checkedAt: slots[59]?.toISOString() });
    expect(await status()).toEqual(before);
    expect(await readLatestChecks(ctx, id)).toMatchObject([{ late: false, outcome: 'ok' }]);
    // Nor does the next decision read them.
    clock.advance(MINUTE);
    await probe.record(await probe.take(), { result: OK });
    expect((await status()).shown).toBe('operational');
  });

  it('do not delay the next check, which knows only what was in time', async () => {
    const { probe, check, slots, pass } = await beginOffline();
    await probe.sendLate(check, slots);
    const next = await startProbe(probe.services);
    await pass(11 * SECOND, next.keeper);
    expect(await next.take()).toMatchObject([
      { monitor: { id: check.monitor.id, lastResultAt: START.getTime() } },
    ]);
  });

  it('are counted once in hours that are rolled up already, and in those that are not', async () => {
    const { probe, check, slots, rolled, clock, services } = await beginOffline();
    await rollUp(services);
    expect(await rolled()).toEqual([{ checks: 1, failures: 0, ms: 12 }]);
    await probe.sendLate(check, slots.slice(0, 40), { result: SLOW });
    await probe.sendLate(check, slots, { result: SLOW });
    const inHour = slots.filter((at) => at < new Date('2026-03-01T13:00:00Z')).length;
    expect(await rolled()).toEqual([{ checks: 1 + inHour, failures: 0, ms: 12 + inHour * 9000 }]);
    clock.advance(HOUR);
    await rollUp(services);
    expect(await rolled()).toEqual([{ checks: 61, failures: 0, ms: 12 + 60 * 9000 }]);
  });

  it('wait while hours are being rolled up', async () => {
    const { probe, check, slots, list } = await beginOffline();
    await database.db.$transaction(async (tx) => {
      await tx.$executeRaw`SELECT pg_advisory_xact_lock(7274270)`;
      const waiting = [...slots.keys()];
      expect(await probe.sendLate(check, slots)).toEqual({ count: 0, waiting });
    });
    expect(await list()).toHaveLength(1);
  });

  it('wait as long as another probe could still record their slots in time', async () => {
    const { probe, check, slots, clock } = await beginOffline();
    const [last = clock.now()] = slots.slice(-1);
    clock.set(new Date(last.getTime() + 119 * SECOND));
    expect(await probe.sendLate(check, slots.slice(-3))).toEqual({ count: 2, waiting: [2] });
    clock.advance(SECOND);
    expect(await probe.sendLate(check, [last])).toEqual({ count: 1, waiting: [] });
  });

  it('are dropped if they are of another configuration, monitor, region or time', async () => {
    const { probe, check, slots, services, clock, list, addMonitor } = await beginOffline();
    const { id: elsewhere } = await addMonitor({ regions: ['eu-west'] });
    const drop = async (change: object, sender = probe) =>
      expect(await sender.sendLate(check, slots.slice(0, 1), { change })).toEqual({ count: 0, waiting: [] });
    await drop({ configVersion: 7 });
    await drop({ id: 'mon_unknown' });
    await drop({ id: elsewhere });
    await drop({}, await startProbe(services, 'eu-west'));
    const now = clock.now().getTime();
    await drop({ startedAt: now - 2 * HOUR - 1 });
    await drop({ startedAt: now + MINUTE });
    expect(await list()).toHaveLength(1);
    await expect(
      probe.sendLate(check, slots, { change: { evidence: 'AAAA' } }),
      'what a check saw is not sent late',
    ).rejects.toThrow('not valid');
  });
});
