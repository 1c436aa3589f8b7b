import { describe, expect, it } from 'vitest';
import { deleteMonitor } from '@/lib/domain/monitors/change-selected';
import { getMonitor } from '@/lib/domain/monitors/find-monitor';
import { updateMonitor } from '@/lib/domain/monitors/update-monitor';
import { revokeProbeToken, rotateProbeToken } from '@/lib/domain/probe-tokens/probe-tokens';
import { listRegions } from '@/lib/domain/regions/list-regions';
import { createDatabaseStore } from '@/lib/engine/checks/shards/database-store';
import { createShardKeeper } from '@/lib/engine/checks/shards/keep-shards';
import { idsOf, REGION, settle, takeAll, useShardStory } from '@/lib/engine/testing/shard-story';
import { FAILED, OK } from '@/lib/engine/testing/story';
import { SHARDS } from '@/lib/state/schedule-grid';
import { createTestOrganization } from '@/lib/testing/services';
import { connectDirectly, startProbe } from './testing/remote-story';

const { database, begin } = useShardStory();
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

describe('a probe', () => {
  it('shares the shards of its region with workers, so that each monitor is due at one of them', async () => {
    const { worker, addMany, owned, services, clock } = await begin();
    const ids = await addMany(100);
    const local = worker('wrk_local');
    await local.sync();
    const { keeper } = await startProbe(services);
    await settle(keeper, local);
    expect(Object.values(await owned())).toEqual([SHARDS / 2, SHARDS / 2]);
    clock.advance(2 * MINUTE);
    await settle(keeper, local);
    const taken = [keeper, local].map((one) => idsOf(takeAll(one)));
    expect(taken.every((part) => part.length > 10)).toBe(true);
    expect(taken.flat().toSorted()).toEqual(ids.toSorted());

    await keeper.handOver(AbortSignal.timeout(1000));
    await keeper.release();
    await settle(local);
    expect(await owned()).toEqual({ wrk_local: SHARDS });
  });

  it('loses its shards to a worker ten seconds after it was last heard of', async () => {
    const { worker, owned, pass, services } = await begin();
    const { keeper } = await startProbe(services);
    const local = worker('wrk_local');
    await settle(keeper, local);
    await pass(10_001, local);
    expect(await owned()).toEqual({ wrk_local: SHARDS });
    expect(takeAll(keeper)).toEqual([]);
  });

  it('takes over from a worker ten seconds after that was last seen, though its reports wait for news', async () => {
    const { worker, owned, services, clock, log } = await begin();
    const store = createDatabaseStore(services, { region: REGION, workerId: 'wrk_patient' }, log);
    // As `awaitNews` does, with the time of the story.
    const beat: typeof store.beat = async (report) => {
      for (const _ of [1, 2]) {
        await store.beat(report);
        clock.advance(1000);
      }
      return store.beat(report);
    };
    const patient = createShardKeeper({ store: { ...store, beat }, clock, region: REGION, log });
    const local = worker('wrk_local');
    await settle(patient, local);
    await local.sync();
    for (let report = 0; report < 5; report++) await patient.sync();
    clock.advance(1000);
    await patient.sync();
    expect(await owned()).toEqual({ wrk_patient: SHARDS });
  });

  it('leaves the shards of a worker alone that was cut off like itself, and comes back after it', async () => {
    const { worker, owned, services, clock } = await begin();
    const { keeper } = await startProbe(services);
    const local = worker('wrk_local');
    await settle(keeper, local);
    const before = await owned();
    clock.advance(MINUTE);
    await keeper.sync();
    clock.advance(1000);
    await local.sync();
    await keeper.sync();
    expect(await owned()).toEqual(before);
  });

  it('decides with its results like a worker: down after the threshold, and up again', async () => {
    const { addMonitor, services, ctx, clock } = await begin();
    const { id } = await addMonitor({ alertThreshold: 2 });
    const probe = await startProbe(services);
    for (const result of [OK, FAILED, FAILED]) {
      expect(await probe.record(await probe.take(), { result })).toBe(1);
      clock.advance(1.5 * MINUTE);
    }
    expect((await getMonitor(ctx, id)).status).toBe('down');
    expect(await probe.record(await probe.take())).toBe(1);
    expect((await getMonitor(ctx, id)).status).toBe('operational');
  });

  it('follows changes, and what it measured of the old configuration does not count', async () => {
    const { addMonitor, services, ctx } = await begin();
    const { id } = await addMonitor();
    const probe = await startProbe(services);
    const before = await probe.take();
    expect(before[0]?.monitor.target).toMatchObject({ url: 'http://shop.test/' });
    await updateMonitor(ctx, id, { url: 'http://other.test/' });
    const [changed] = await probe.take();
    expect(changed?.monitor.target).toMatchObject({ url: 'http://other.test/' });
    expect(await probe.record(before, { result: FAILED })).toBe(0);
    await deleteMonitor(ctx, id);
    expect(await probe.take()).toEqual([]);
  });

  it('is among the workers of its region, and is not once it has stopped', async () => {
    const { ctx, services } = await begin();
    const probe = await startProbe(services, 'eu-west');
    await probe.take();
    const read = async () =>
      (await listRegions(ctx, { showsHosts: true })).find(({ id }) => id === 'eu-west');
    expect(await read()).toMatchObject({ workers: 1, machines: [{ id: 'machine', host: 'host.test' }] });
    await probe.keeper.release();
    expect(await read()).toMatchObject({ workers: 0 });
  });
});

describe('a report', () => {
  it('brings what was changed at once, and otherwise waits', async () => {
    const { addMonitor, services, ctx } = await begin();
    const { id } = await addMonitor();
    const probe = await startProbe(services);
    await probe.take();
    const { own, snapshot } = await database.db.$queryRaw<
      { own: { shard: number; epoch: number }[]; snapshot: string }[]
    >`
        SELECT json_agg(json_build_object('shard', shard, 'epoch', epoch)) AS own, pg_current_snapshot()::text AS snapshot
          FROM raw.shard_lease WHERE owner IS NOT NULL`.then(([row]) => row ?? expect.fail('it owns shards'));
    const report = {
      snapshot,
      own,
      dueSince: null,
      judgedAgoMs: 0,
      waitMs: 3000,
      startedAt: 0,
      cutOffAt: null,
      pendingMs: null,
      machine: { id: 'machine', host: 'host.test' },
    };
    const waiting = probe.exchange.request('beat', report);
    await expect(
      Promise.race([waiting, new Promise((resolve) => setTimeout(resolve, 200, 'waits'))]),
    ).resolves.toBe('waits');
    await updateMonitor(ctx, id, { url: 'http://other.test/' });
    probe.wakes.changes.ring();
    expect(await waiting).toMatchObject({ beat: { changed: [id] } });
  });
});

describe('a token', () => {
  it('serves its region only, with the secrets of that region only', async () => {
    const { addMonitor, services } = await begin();
    const headers = { authorization: 'Bearer of-the-target' };
    const { id: here } = await addMonitor({ regions: ['us-east'], headers });
    const { id: there } = await addMonitor({ regions: ['eu-west'], headers });
    const probe = await startProbe(services);
    const [check] = await probe.take();
    expect(check?.monitor).toMatchObject({ id: here, target: { headers } });
    const shards = Array.from({ length: SHARDS }, (_, shard) => shard);
    const { publicKey } = probe.keys;
    const { monitors } = await probe.exchange.request('load', { shards, ids: [here, there], publicKey });
    expect(monitors.items.map(({ id }) => id)).toEqual([here]);
    expect(JSON.stringify(monitors), 'not even to who sees the response').not.toContain('of-the-target');
    expect(await probe.keys.restore(monitors)).toMatchObject([{ target: { headers } }]);
    const other = await startProbe(services);
    await expect(other.keys.restore(monitors)).rejects.toThrow();
    if (!check) expect.fail('a check is due');
    expect(await probe.record([check], { change: { id: there } })).toBe(0);
  });

  it('leads to targets with defaults, for fields that a service of an older version does not send', async () => {
    const { addMonitor, services } = await begin();
    const { id } = await addMonitor({ regions: ['us-east'], headers: { 'X-Token': 'one' } });
    const { exchange, keys, take } = await startProbe(services);
    expect(await take()).toHaveLength(1);
    const shards = Array.from({ length: SHARDS }, (_, shard) => shard);
    const { monitors } = await exchange.request('load', { shards, ids: [id], publicKey: keys.publicKey });
    const items = monitors.items.map((item) => {
      const { protocol: _protocol, ipVersion: _version, authentication: _own, ...target } = item.target;
      return { ...item, target: target as typeof item.target };
    });
    const expected = { protocol: 'none', ipVersion: 'any', authentication: null };
    expect(await keys.restore({ ...monitors, items })).toMatchObject([
      { target: { ...expected, headers: { 'X-Token': 'one' } } },
    ]);
    expect(await keys.restore({ items, sealed: null })).toMatchObject([{ target: expected }]);
  });

  it('is refused once it is revoked, with everything that its probe still sends', async () => {
    const { addMonitor, services } = await begin();
    await addMonitor();
    const probe = await startProbe(services);
    const due = await probe.take();
    await revokeProbeToken(services, probe.tokenId);
    await expect(probe.record(due)).rejects.toThrow('valid probe token');
    await expect(probe.keeper.sync()).rejects.toThrow('valid probe token');
  });

  it('works for the overlap after it was rotated', async () => {
    const { services, clock } = await begin();
    const probe = await startProbe(services);
    await rotateProbeToken(services, probe.tokenId, { overlapHours: 1 });
    clock.advance(HOUR - 1);
    await expect(probe.send('hello', {})).resolves.toMatchObject({ output: { region: 'us-east' } });
    clock.advance(1);
    await expect(probe.send('hello', {})).rejects.toThrow('valid probe token');
    await expect(rotateProbeToken(services, probe.tokenId, { overlapHours: 1 })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
    });
  });

  it('of a probe is no API key, and an API key is no token', async () => {
    const { services } = await begin();
    const { apiKey } = await createTestOrganization(services);
    const probe = await startProbe(services);
    await expect(probe.send('nothing-like-that', {})).rejects.toThrow('not found');
    await expect(connectDirectly(services, { token: apiKey }).send('hello', {})).rejects.toThrow(
      'valid probe token',
    );
  });
});
