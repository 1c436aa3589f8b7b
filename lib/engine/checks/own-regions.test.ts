import { describe, expect, it } from 'vitest';
import { requestCheck } from '@/lib/domain/monitors/check-monitor';
import { getMonitor } from '@/lib/domain/monitors/find-monitor';
import { listTransitions } from '@/lib/domain/monitors/history/ledger';
import { readLastFailures, readPhases } from '@/lib/domain/monitors/history/read-phases';
import { listResults, readLatestChecks } from '@/lib/domain/monitors/history/read-results';
import { readOverview, readStats } from '@/lib/domain/monitors/read-overview';
import { recordPresence } from '@/lib/domain/monitors/silence';
import { updateMonitor } from '@/lib/domain/monitors/update-monitor';
import { readWorkerNotes } from '@/lib/domain/monitors/worker-notes';
import { createRegion, deleteRegion } from '@/lib/domain/regions/change-region';
import { createWebhook } from '@/lib/domain/webhooks/change-webhook';
import { startProbe } from '@/lib/engine/remote/testing/remote-story';
import { beginStory, FAILED, OK } from '@/lib/engine/testing/story';
import { followRegions } from '@/lib/engine/upkeep/watch-regions';
import { isOwnRegionId, type OwnRegionId } from '@/lib/schemas/regions';
import { createWebhookSchema } from '@/lib/schemas/webhooks/webhook';
import { useTestDatabase } from '@/lib/testing/database';

const database = useTestDatabase();

/** An organization with two own regions, and a monitor that is checked from both and from a built-in one. */
async function begin(fields: object = {}) {
  const story = await beginStory(database.db, { mail: true });
  const add = async (name: string): Promise<OwnRegionId> => {
    const { id } = await createRegion(story.ctx, { name, place: 'hamburg' });
    if (!isOwnRegionId(id)) throw new Error(`${id} is not the ID of an own region`);
    return id;
  };
  const [office, depot] = [await add('Office'), await add('Depot')];
  const regions = [office, 'us-east', depot];
  const { id } = await story.addMonitor({ alertThreshold: 1, regions, ...fields });
  const all = async (result: typeof OK, ...where: string[]) => {
    for (const region of where) await story.check(result, { region, afterMs: 0 });
  };
  await all(OK, ...regions);
  story.clock.advance(90_000);
  return { ...story, id, office, depot, regions, all, monitor: () => getMonitor(story.ctx, id) };
}

describe('an own region', () => {
  it('votes like a built-in one: a majority decides, and every reader knows which region it was', async () => {
    const { ctx, id, office, depot, regions, all, monitor } = await begin();
    expect((await monitor()).status).toBe('operational');
    await all(FAILED, office);
    await all(OK, 'us-east', depot);
    expect((await monitor()).status).toBe('degraded');
    await all(FAILED, depot);
    expect((await listResults(ctx, id, { limit: 1, region: office })).items).toMatchObject([
      { region: office, outcome: 'failed' },
    ]);
    const latest = await readLatestChecks(ctx, id);
    expect(latest.map(({ region }) => region)).toEqual(['us-east', office, depot]);
    expect((await readOverview(ctx, await monitor(), '24h')).regions.map(({ region }) => region)).toEqual([
      'us-east',
      office,
      depot,
    ]);
    expect(await readStats(ctx, id, { window: '24h', region: office })).toMatchObject({
      region: office,
      checks: 2,
      failures: 1,
    });
    expect((await readPhases(ctx, id, '24h')).map(({ region }) => region)).toEqual([
      null,
      'us-east',
      office,
      depot,
    ]);
    expect((await readLastFailures(ctx, id, '24h')).map(({ region }) => region)).toEqual([office]);
    const [change] = (await listTransitions(ctx, id, { limit: 1 })).items;
    expect(change?.why?.regions.map(({ region }) => region).toSorted()).toEqual(regions.toSorted());
  });

  it('confirms an outage quickly, with the others', async () => {
    const story = await begin({ confirmInterval: 10, alertThreshold: 2 });
    const { clock, id, office, regions, monitor } = story;
    await database.db.probeSchedule.updateMany({ where: { monitorId: id }, data: { phase: 5000 } });
    const see = (region: string) => story.check(FAILED, { region, afterMs: 0 });
    expect(await see(office)).toBe(1);
    const others = regions.filter((region) => region !== office);
    for (const region of others) expect(await see(region), region).toBe(1);
    expect((await monitor()).status).toBe('operational');
    clock.advance(10_000);
    // A majority is enough.
    for (const region of regions.slice(0, 2)) expect(await see(region), region).toBe(1);
    expect((await monitor()).status).toBe('down');
  });

  it('is named in messages for people, and has its ID in standard webhooks', async () => {
    const { ctx, all, organizationId, office, depot } = await begin();
    for (const format of ['standard', 'slack'] as const) {
      const events = ['monitor.down'] as const;
      const input = { url: `http://receiver.test/${format}`, format, events };
      await createWebhook(ctx, createWebhookSchema.parse(input));
    }
    await all(FAILED, office, depot);
    const where = { organizationId, event: { kind: 'monitor.down' } };
    const deliveries = await database.db.delivery.findMany({ where, include: { event: true } });
    expect(deliveries).toHaveLength(2);
    const [payload] = deliveries.map(({ event }) => JSON.parse(event.payload));
    expect([office, depot]).toContain(payload.details.region);
    const bodies = deliveries.map(({ body }) => body).filter((body) => body !== null);
    expect(bodies).toEqual([expect.stringMatching(/Office|Depot/)]);
    expect(bodies.join()).not.toContain('loc_');
  });

  it('without a probe has no data, its organization is notified by its name, and others do not see it', async () => {
    const { ctx, services, clock, id, office, depot, monitor, organizationId } = await begin();
    const other = await beginStory(database.db);
    const serve = (regions: string[]) => recordPresence(services, { regions, duties: 'all' });
    await serve([office, depot, 'us-east']);
    for (let passed = 0; passed < 150; passed += 5) {
      clock.advance(5000);
      await serve([depot, 'us-east']);
      await followRegions(services);
    }
    expect((await monitor()).silentRegions).toContain(office);
    const where = { organizationId, kind: 'region.silent', subjectId: office };
    expect(await database.db.memberNotice.findMany({ where })).toMatchObject([{ subjectName: 'Office' }]);
    const notes = await readWorkerNotes(ctx);
    expect(notes.unserved).toMatchObject([{ region: office, monitors: 1 }]);
    expect(notes.regionNames).toEqual({ [office]: 'Office', [depot]: 'Depot' });
    await database.db.worker.create({
      data: {
        id: `wrk_${id}`,
        regions: [office],
        startedAt: clock.now(),
        seenAt: clock.now(),
        cutOffAt: clock.now(),
      },
    });
    expect((await readWorkerNotes(ctx)).cutOff).toMatchObject([{ region: office }]);
    expect(await readWorkerNotes(other.ctx)).toMatchObject({ cutOff: [], unserved: [], regionNames: {} });
  });

  it('still names old results once it is deleted', async () => {
    const { ctx, id, office } = await begin();
    await updateMonitor(ctx, id, { regions: ['us-east'] });
    await deleteRegion(ctx, office);
    const { items } = await listResults(ctx, id, { limit: 1, region: office });
    expect(items).toMatchObject([{ region: office }]);
    expect((await readWorkerNotes(ctx)).regionNames[office]).toBe('Office');
  });
});

describe('a probe of an own region', () => {
  it('gets only monitors of the organization, whatever a row names', async () => {
    const { services, ctx, clock, id, office } = await begin();
    const stranger = await beginStory(database.db);
    const foreign = await stranger.addMonitor();
    await database.db.monitor.update({ where: { id: foreign.id }, data: { regions: [office] } });
    await database.db.probeSchedule.updateMany({
      where: { monitorId: foreign.id },
      data: { region: office },
    });
    await database.db.$executeRaw`DELETE FROM raw.check_runner`;
    const probe = await startProbe(services, office);
    clock.advance(120_000);
    await database.db.$executeRaw`DELETE FROM raw.check_runner WHERE worker_id NOT LIKE 'prt_%'`;
    await probe.take();
    clock.advance(120_000);
    const taken = await probe.take();
    expect(taken.map(({ monitor }) => monitor.id)).toEqual([id]);
    expect(await probe.record(taken)).toBe(1);
    const checks = [await requestCheck(ctx, id), await requestCheck(stranger.ctx, foreign.id)];
    const { publicKey } = probe.keys;
    const request = { limit: 10, waitMs: 0, publicKey };
    const { manualChecks } = await probe.exchange.request('takeRequests', request);
    expect(manualChecks.items.map(({ checkId }) => checkId)).toEqual([checks[0]?.id]);
  });
});
