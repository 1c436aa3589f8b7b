import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { createProbeToken } from '@/lib/domain/probe-tokens/probe-tokens';
import { createRegion } from '@/lib/domain/regions/change-region';
import { createRegionToken, revokeRegionToken, rotateRegionToken } from '@/lib/domain/regions/region-tokens';
import { forgetPresence, noteLeaving, notePresence } from '@/lib/engine/remote/serve/note-presence';
import { beginStory } from '@/lib/engine/testing/story';
import type { RegionId } from '@/lib/schemas/regions';
import { useTestDatabase } from '@/lib/testing/database';
import { followProbes } from './watch-probes';

const MINUTE = 60_000;
const database = useTestDatabase();
beforeEach(async () => {
  await database.db.organization.deleteMany();
  await database.db.probeToken.deleteMany();
});

/** An own region with a token, whose probes are watched by two workers. */
async function begin({ mail = true, region = null }: { mail?: boolean; region?: RegionId | null } = {}) {
  const story = await beginStory(database.db, { mail });
  const { ctx, services, clock, organizationId } = story;
  const own = await createRegion(ctx, { name: 'Hamburg office', place: 'hamburg' });
  const regionId = region ?? own.id;
  const { id: tokenId } =
    region === null
      ? await createRegionToken(ctx, regionId, { name: 'Rack 2' })
      : await createProbeToken(services, { region, name: 'Operator' });
  const start = (host = 'rack-2', token = tokenId) => {
    const runner = {
      region: regionId,
      workerId: `${token}/${randomUUID()}`,
      tokenId: token,
      address: '192.0.2.7',
    };
    const report = {
      machine: { id: host, host },
      startedAt: clock.now().getTime(),
      cutOffAt: null,
      pendingMs: null,
    };
    return { runner, note: () => notePresence(services, runner, report) };
  };
  const suspected: string[][] = [[], []];
  return {
    ...story,
    tokenId,
    regionId,
    start,
    /** Lets time pass, in which both workers poll every 15 seconds. */
    pass: async (ms: number) => {
      for (let passed = 0; passed < ms; passed += 15_000) {
        clock.advance(15_000);
        for (const [worker, before = []] of suspected.entries())
          suspected[worker] = await followProbes(services, before);
      }
    },
    notices: () =>
      database.db.memberNotice.findMany({
        where: { organizationId },
        orderBy: { id: 'asc' },
        select: { kind: true, subjectName: true, regionName: true, downtime: true, occurredAt: true },
      }),
  };
}

describe('a probe of an own region that vanished', () => {
  it('is noticed once after five minutes, whatever the number of workers, and once when it is back', async () => {
    const { start, pass, notices, clock } = await begin();
    const { note } = start();
    await note();
    const occurredAt = clock.now();
    await pass(4.75 * MINUTE);
    expect(await notices()).toEqual([]);
    await pass(0.5 * MINUTE);
    const about = { subjectName: 'rack-2', regionName: 'Hamburg office' };
    const silence = { kind: 'probe.silent', ...about, downtime: null, occurredAt };
    expect(await notices()).toEqual([silence]);
    await pass(2 * MINUTE);
    expect(await notices()).toHaveLength(1);
    await note();
    await pass(15_000);
    expect(await notices()).toEqual([
      silence,
      { kind: 'probe.back', ...about, downtime: 450, occurredAt: clock.now() },
    ]);
    await note();
    await pass(MINUTE);
    expect(await notices()).toHaveLength(2);
  });

  it('is back as the process that takes its place', async () => {
    const { start, pass, notices } = await begin();
    await start().note();
    await pass(6 * MINUTE);
    await start().note();
    await pass(15_000);
    expect((await notices()).map(({ kind }) => kind)).toEqual(['probe.silent', 'probe.back']);
  });

  it('is not noticed at the first poll after an outage of the service, until which nobody could report', async () => {
    const { start, notices, services, clock } = await begin();
    const { note } = start();
    await note();
    clock.advance(20 * MINUTE);
    const suspected = await followProbes(services, []);
    expect(suspected).toHaveLength(1);
    await note();
    expect(await followProbes(services, suspected)).toEqual([]);
    expect(await notices()).toEqual([]);
  });
});

describe('nobody is notified of a probe', () => {
  it('that was restarted in time', async () => {
    const { start, pass, notices } = await begin();
    await start().note();
    await pass(MINUTE);
    const restarted = start();
    for (let minute = 0; minute < 6; minute++) {
      await restarted.note();
      await pass(MINUTE);
    }
    expect(await notices()).toEqual([]);
  });

  it.each(['announced that it stops', 'stopped'] as const)('that %s', async (how) => {
    const { start, pass, notices, services } = await begin();
    const { note, runner } = start();
    await note();
    await (how === 'stopped' ? forgetPresence(services, runner) : noteLeaving(services, runner));
    await pass(6 * MINUTE);
    expect(await notices()).toEqual([]);
  });

  it('whose token was revoked, or expired after a rotation', async () => {
    const { ctx, start, pass, notices, tokenId, regionId } = await begin();
    const rotated = await createRegionToken(ctx, regionId, { name: 'Rack 3' });
    await start('rack-2').note();
    await start('rack-3', rotated.id).note();
    await revokeRegionToken(ctx, { regionId, tokenId });
    await rotateRegionToken(ctx, { regionId, tokenId: rotated.id }, { overlapHours: 0 });
    await pass(6 * MINUTE);
    expect(await notices()).toEqual([]);
  });

  it('of a built-in region, which is the operator’s', async () => {
    const { start, pass, notices } = await begin({ region: 'eu-west' });
    await start().note();
    await pass(6 * MINUTE);
    expect(await notices()).toEqual([]);
    expect(await database.db.memberNotice.count()).toBe(0);
  });

  it('without email', async () => {
    const { start, pass, notices } = await begin({ mail: false });
    await start().note();
    await pass(6 * MINUTE);
    expect(await notices()).toEqual([]);
  });
});
