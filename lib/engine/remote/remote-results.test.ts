import { randomUUID } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { listEvidence } from '@/lib/domain/monitors/evidence/read-evidence';
import { getMonitor } from '@/lib/domain/monitors/find-monitor';
import { useShardStory } from '@/lib/engine/testing/shard-story';
import { FAILED, OK } from '@/lib/engine/testing/story';
import { startProbe } from './testing/remote-story';

const { database, begin } = useShardStory();
const MINUTE = 60_000;

async function beginWithCheck(fields: object = {}) {
  const story = await begin();
  const { id } = await story.addMonitor({ alertThreshold: 1, ...fields });
  const probe = await startProbe(story.services);
  const [check] = await probe.take();
  if (!check) expect.fail('a check is due');
  return { ...story, id, probe, check };
}

/** The results of a monitor that are stored. */
const countStored = async (id: string) => {
  const [row] = await database.db.$queryRaw<{ n: number }[]>`
    SELECT count(*)::int AS n FROM raw.check_result JOIN monitor ON monitor.number = monitor WHERE monitor.id = ${id}`;
  return row?.n;
};

describe('a result of a probe does not count', () => {
  it.each([
    ['of another epoch', { epoch: 7 }],
    ['of an older configuration', { configVersion: 0 }],
    ['of an unknown monitor', { id: 'mon_unknown' }],
  ])('%s', async (_, change) => {
    const { probe, check, ctx, id } = await beginWithCheck();
    expect(await probe.record([check], { result: FAILED, change })).toBe(0);
    expect((await getMonitor(ctx, id)).status).toBe('pending');
  });

  it('of a time that is long past, or not yet come', async () => {
    const { probe, check, clock } = await beginWithCheck();
    const now = clock.now().getTime();
    for (const startedAt of [now - 6 * MINUTE, now + MINUTE])
      expect(await probe.record([check], { change: { startedAt } })).toBe(0);
    expect(await probe.record([check], { change: { startedAt: now - 1000 } })).toBe(1);
  });

  it('of a shard that another probe has taken over', async () => {
    const { probe, check, services, pass } = await beginWithCheck();
    const other = await startProbe(services);
    await other.take();
    await pass(11_000, other.keeper);
    expect(await probe.record([check], { result: FAILED })).toBe(0);
    expect(await other.record([{ ...check }], { result: FAILED })).toBe(0);
  });

  it.each([
    ['an outcome that does not exist', { outcome: 'great' }],
    ['an error code that does not exist', { error: { code: 'tired', message: 'so tired' } }],
    ['a message that is longer than any', { error: { code: 'dns', message: 'x'.repeat(3000) } }],
  ])('with %s', async (_, change) => {
    const { probe, check } = await beginWithCheck();
    await expect(probe.record([check], { change })).rejects.toThrow('not valid');
  });
});

describe('a batch that is sent again', () => {
  it('is stored once, whether its results were routine or decided upon', async () => {
    const { probe, check, clock, id } = await beginWithCheck();
    const again = async (checks: (typeof check)[], result: typeof OK) => {
      const batch = randomUUID();
      const counts = [await probe.record(checks, { batch, result })];
      for (let attempt = 0; attempt < 2; attempt++)
        counts.push(await probe.record(checks, { batch, result, isRepeated: true }));
      return counts;
    };
    expect(await again([check], OK)).toEqual([1, 0, 0]);
    clock.advance(2 * MINUTE);
    expect(await again(await probe.take(), OK)).toEqual([1, 0, 0]);
    clock.advance(2 * MINUTE);
    expect(await again(await probe.take(), FAILED)).toEqual([1, 0, 0]);
    expect(await countStored(id)).toBe(3);
  });

  it('is stored once, if the first attempt comes after it', async () => {
    const { probe, check, clock, id } = await beginWithCheck();
    await probe.record([check]);
    for (const result of [OK, FAILED]) {
      clock.advance(2 * MINUTE);
      const checks = await probe.take();
      const batch = randomUUID();
      expect(await probe.record(checks, { batch, result, isRepeated: true })).toBe(1);
      // It counts what it finds stored.
      await probe.record(checks, { batch, result });
    }
    expect(await countStored(id)).toBe(3);
  });

  it('is stored if the first attempt was lost before anything was', async () => {
    const { probe, check, id } = await beginWithCheck();
    expect(await probe.record([check], { isRepeated: true })).toBe(1);
    expect(await countStored(id)).toBe(1);
  });
});

describe('what a check of a probe saw', () => {
  const evidence = (value: unknown) => deflateSync(JSON.stringify(value)).toString('base64');

  it('is kept, sealed', async () => {
    const { probe, check, ctx, id } = await beginWithCheck();
    const seen = evidence({ responseTime: 3, statusCode: 503, statusLine: 'HTTP/1.1 503 Nope' });
    expect(await probe.record([check], { result: FAILED, change: { evidence: seen } })).toBe(1);
    const { items } = await listEvidence(ctx, id, { limit: 10 });
    expect(items).toMatchObject([{ kind: 'failure', statusLine: 'HTTP/1.1 503 Nope' }]);
    const [row] = await database.db.checkEvidence.findMany({ where: { monitorId: id } });
    expect(Buffer.from(row?.contentSealed ?? []).includes('HTTP/1.1')).toBe(false);
  });

  it.each([
    ['is not JSON', Buffer.from('nonsense').toString('base64')],
    ['inflates to more than evidence can be', evidence({ statusLine: 'x'.repeat(3_000_000) })],
    ['has more values than evidence can have', evidence({ headers: Array(20_000).fill(0) })],
  ])('is dropped if it %s, and the check counts', async (_, seen) => {
    const { probe, check, ctx, id } = await beginWithCheck();
    expect(await probe.record([check], { result: FAILED, change: { evidence: seen } })).toBe(1);
    expect((await getMonitor(ctx, id)).status).toBe('down');
    expect((await listEvidence(ctx, id, { limit: 10 })).items).toEqual([]);
  });
});
