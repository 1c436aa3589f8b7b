import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { createManualClock } from '@/lib/core/time/clock';
import { createProbeToken, revokeProbeToken } from '@/lib/domain/probe-tokens/probe-tokens';
import { listAllProbes } from '@/lib/domain/probes/list-probes';
import { applyRetention } from '@/lib/engine/upkeep/retention';
import { useTestDatabase } from '@/lib/testing/database';
import { createTestServices } from '@/lib/testing/services';
import { forgetPresence, noteLeaving, notePresence } from './serve/note-presence';

const START = new Date('2026-03-01T12:00:00.000Z');
const SECOND = 1000;
const HOUR = 3_600_000;
const STATISTICS = { version: '0.1.0', checksPerSecond: 2.5, latenessMs: 40, backlog: 3 };
const database = useTestDatabase();
beforeEach(async () => {
  await database.db.probeToken.deleteMany();
  await database.db.regionPresence.deleteMany();
});

async function begin() {
  const clock = createManualClock(START);
  const services = createTestServices({ db: database.db, clock });
  const { id: tokenId } = await createProbeToken(services, { region: 'eu-west', name: 'Berlin' });
  /** A probe that starts now. */
  const start = (host = 'berlin-1', machine: string = randomUUID()) => {
    const runner = {
      region: 'eu-west',
      workerId: `${tokenId}/${randomUUID()}`,
      tokenId,
      address: '192.0.2.7',
    };
    const startedAt = clock.now().getTime();
    const report = { machine: { id: machine, host }, startedAt, cutOffAt: null, pendingMs: null };
    return {
      runner,
      report,
      note: (statistics: Partial<typeof STATISTICS> | null = {}) =>
        notePresence(services, runner, {
          ...report,
          ...(statistics && { statistics: { ...STATISTICS, ...statistics } }),
        }),
    };
  };
  return { clock, services, tokenId, start, list: () => listAllProbes(services) };
}

describe('a probe', () => {
  it('is listed with what it reports, where it reports from, and when it was last seen', async () => {
    const { clock, tokenId, start, list } = await begin();
    const { note } = start();
    await note();
    const listed = {
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      region: 'eu-west',
      host: 'berlin-1',
      token: { id: tokenId, name: 'Berlin' },
      address: '192.0.2.7',
      version: '0.1.0',
      checksPerSecond: 2.5,
      lateness: 40,
      backlog: 3,
      isLive: true,
      startedAt: START.toISOString(),
      lastSeenAt: START.toISOString(),
    };
    expect(await list()).toEqual([listed]);
    clock.advance(3 * SECOND);
    await note({ checksPerSecond: 4, backlog: 0 });
    const lastSeenAt = clock.now().toISOString();
    expect(await list()).toEqual([{ ...listed, lastSeenAt, checksPerSecond: 4, backlog: 0 }]);
  });

  it('is recorded at most every three seconds', async () => {
    const { clock, start, list } = await begin();
    const { note } = start();
    await note();
    clock.advance(2999);
    await note({ backlog: 9 });
    expect(await list()).toMatchObject([{ lastSeenAt: START.toISOString(), backlog: 3 }]);
    expect(await database.db.regionPresence.findMany()).toMatchObject([
      { region: 'eu-west', servedAt: START },
    ]);
  });

  it('reports since when it is cut off from its network, and what it dropped', async () => {
    const { services, start } = await begin();
    const { runner, report } = start();
    const network = { dropped: 5, silentCanaryAt: START.getTime() };
    await notePresence(services, runner, { ...report, cutOffAt: START.getTime(), network });
    expect(await database.db.worker.findMany({ where: { id: runner.workerId } })).toMatchObject([
      { cutOffAt: START, droppedResults: 5, silentCanaryAt: START },
    ]);
  });

  it('of an older version is listed without what it does not report', async () => {
    const { start, list } = await begin();
    await start().note(null);
    const unknown = { version: null, checksPerSecond: null, lateness: null, backlog: null };
    expect(await list()).toMatchObject([{ host: 'berlin-1', ...unknown }]);
  });

  it('that vanished stays listed for a day', async () => {
    const { clock, services, start, list } = await begin();
    await start().note();
    clock.advance(15 * SECOND);
    expect(await list()).toMatchObject([{ isLive: false }]);
    clock.advance(23.9 * HOUR);
    await applyRetention(services, { rawDays: 30 });
    expect(await list()).toMatchObject([{ isLive: false }]);
    clock.advance(0.2 * HOUR);
    expect(await list()).toEqual([]);
    await applyRetention(services, { rawDays: 30 });
    expect(await database.db.probe.count()).toBe(0);
  });

  it('that stops is not', async () => {
    const { services, start, list } = await begin();
    const { note, runner } = start();
    await note();
    await noteLeaving(services, runner);
    expect(await database.db.probe.findMany()).toMatchObject([{ isLeaving: true }]);
    await forgetPresence(services, runner);
    expect(await list()).toEqual([]);
    expect(await database.db.worker.count({ where: { id: runner.workerId } })).toBe(0);
  });

  it('whose token was revoked is not', async () => {
    const { services, tokenId, start, list } = await begin();
    await start().note();
    await revokeProbeToken(services, tokenId);
    expect(await list()).toEqual([]);
  });
});

describe('a probe that was restarted', () => {
  it.each([
    ['its machine, as another container', 'container-2', 'machine'],
    ['its host, which booted', 'berlin-1', 'booted'],
  ])('takes the place of the one before it on %s', async (_, host, machine) => {
    const { clock, start, list } = await begin();
    await start('berlin-1', 'machine').note();
    clock.advance(5 * SECOND);
    const restarted = start(host, machine);
    await restarted.note();
    expect(await list()).toMatchObject([{ host, startedAt: clock.now().toISOString() }]);
  });

  it('replaces neither another machine nor a process that was seen since', async () => {
    const { clock, start, list } = await begin();
    const [first, second] = [start('berlin-1', 'machine'), start('paris-1')];
    await first.note();
    await second.note();
    clock.advance(SECOND);
    const third = start('berlin-1', 'machine');
    clock.advance(2 * SECOND);
    await first.note();
    await third.note();
    expect((await list()).map(({ host }) => host)).toEqual(['berlin-1', 'berlin-1', 'paris-1']);
  });
});

it('a token is remembered with the fifty probes seen last, whatever its holder starts', async () => {
  const { clock, start, list } = await begin();
  for (let each = 0; each < 55; each++) {
    await start(`host-${each}`).note();
    clock.advance(10);
  }
  const hosts = (await list()).map(({ host }) => host);
  expect(hosts.toSorted()).toEqual(Array.from({ length: 50 }, (_, each) => `host-${each + 5}`).toSorted());
});
