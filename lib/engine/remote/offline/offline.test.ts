import { describe, expect, it } from 'vitest';
import { sized } from '@/bin/testing/thorough.mjs';
import { startOfflineProbe } from '@/lib/engine/remote/testing/offline-story';
import { useShardStory } from '@/lib/engine/testing/shard-story';
import { FAILED, OK } from '@/lib/engine/testing/story';
import { slotOf } from '@/lib/state/schedule-grid';

const { database, begin } = useShardStory();
const [SECOND, MINUTE] = [1000, 60_000];
const MONITORS = sized(4, { thorough: 10 });
/** How long a probe may be cut off; the product's is an hour. */
const OFFLINE_MS = sized(8 * MINUTE, { thorough: 60 * MINUTE });

type Story = Awaited<ReturnType<typeof begin>>;
type Probe = Awaited<ReturnType<typeof startOfflineProbe>>;

/** A probe that has checked monitors for three minutes. */
async function beginOnline(setup: (story: Story) => Parameters<typeof startOfflineProbe>[1] = () => ({})) {
  const story = await begin();
  const ids = await story.addMany(MONITORS);
  const probe = await startOfflineProbe(story.services, { offlineMs: OFFLINE_MS, ...setup(story) });
  const waits: Promise<boolean>[] = [];
  /** Lets the probe run, with results of one kind. Returns when which monitor was checked. */
  const run = async (ms: number, result = OK) => {
    const checks: { id: string; at: number }[] = [];
    for (let rest = ms; rest > 0; rest -= SECOND) {
      story.clock.advance(SECOND);
      const { finished, added } = await probe.tick(result);
      waits.push(...added);
      for (const { check } of finished)
        checks.push({ id: check.monitor.id, at: story.clock.now().getTime() });
      if (!probe.isCut()) await Promise.all(added);
    }
    return checks;
  };
  await run(3 * MINUTE);
  return { ...story, ids, probe, run, waits };
}

/** Sends late results until there are none, as fast as the service takes them. */
async function deliver({ clock }: Pick<Story, 'clock'>, probe: Probe) {
  clock.advance(3 * MINUTE);
  await probe.keeper.sync();
  for (let step = 0; probe.spool.size() > 0; step++) {
    if (step > 20) expect.fail(`${probe.spool.size()} late results are not delivered`);
    await probe.sendLate();
  }
}

const readStored = () => database.db.$queryRaw<
  { id: string; at: Date; phase: number; late: boolean | null }[]
>`
  SELECT id, checked_at AS at, phase::int AS phase, late FROM raw.check_result
    JOIN monitor ON number = monitor JOIN probe_schedule ON monitor_id = id ORDER BY 1, 2`;

/** The slots of each monitor that have a result; fails if one has several. */
async function readSlots() {
  const rows = await readStored();
  const slots = rows.map(
    ({ id, at, phase }) => `${id} ${slotOf(at.getTime(), { phase, intervalMs: MINUTE }).at}`,
  );
  expect(new Set(slots).size, 'each slot has one result').toBe(slots.length);
  return { slots: new Set(slots), late: rows.filter(({ late }) => late).length, rows };
}

const readStatus = async () => ({
  states: await database.db.monitorState.findMany({ orderBy: { monitorId: 'asc' } }),
  periods: await database.db.statusPeriod.findMany({ orderBy: { id: 'asc' } }),
  incidents: await database.db.incident.count(),
  events: await database.db.outboxEvent.count(),
});

describe('a probe that cannot reach the service', () => {
  it('loses nothing for as long as it may be cut off: each slot has one result after it, and no status has changed, though all failed', async () => {
    const { probe, run, waits, clock, ids } = await beginOnline();
    const before = await readStatus();
    probe.cut();
    const begunAt = clock.now().getTime();
    const checks = await run(OFFLINE_MS, FAILED);
    expect(checks.length).toBeGreaterThanOrEqual(MONITORS * (OFFLINE_MS / MINUTE - 1));
    expect(Math.max(...checks.map(({ at }) => at)) - begunAt).toBeGreaterThan(OFFLINE_MS - MINUTE);
    expect(await run(2 * MINUTE, FAILED), 'it stops then').toEqual([]);
    await Promise.all(waits);
    probe.join();
    await deliver({ clock }, probe);
    const { slots, late } = await readSlots();
    const phases = new Map((await readStored()).map(({ id, phase }) => [id, phase]));
    for (const id of ids)
      for (let at = begunAt; at < begunAt + OFFLINE_MS - MINUTE; at += MINUTE) {
        const slot = slotOf(at + MINUTE / 2, { phase: phases.get(id) ?? 0, intervalMs: MINUTE }).at;
        expect(slots).toContain(`${id} ${slot}`);
      }
    expect(late).toBe(checks.length);
    expect(await readStatus()).toEqual(before);
    expect(
      probe.messages().filter((text) => /checking offline|have stopped|is reached again/.test(String(text))),
    ).toEqual([
      'the service cannot be reached: checking offline, and keeping the results',
      'the service could not be reached for too long: checks have stopped',
      'the service is reached again',
    ]);
  });

  it('leaves the slots to a probe that has taken over', async () => {
    const { probe, run, waits, clock, services } = await beginOnline();
    const other = await startOfflineProbe(services);
    probe.cut();
    for (let minute = 0; minute < 4; minute++) {
      for (let second = 0; second < 60; second++) {
        const { added } = await other.tick(OK);
        await Promise.all(added);
        await run(SECOND, FAILED);
      }
    }
    await Promise.all(waits);
    probe.join();
    await deliver({ clock }, probe);
    const { rows, late } = await readSlots();
    expect(late).toBeLessThanOrEqual(MONITORS);
    expect(rows.length).toBeGreaterThan(MONITORS * 5);
    const { states } = await readStatus();
    expect(new Set(states.map(({ status }) => status))).toEqual(new Set(['operational']));
  });

  it('has its results after a crash in the middle', async () => {
    const { probe, run, waits, clock, services } = await beginOnline();
    probe.cut();
    const checks = await run(OFFLINE_MS / 3, FAILED);
    await Promise.all(waits);
    const next = await startOfflineProbe(services, { directory: probe.directory });
    expect(next.spool.size()).toBe(checks.length);
    await deliver({ clock }, next);
    expect((await readSlots()).late).toBe(checks.length);
  });

  it.each(
    sized([['ten minutes fast', 600_000] as const], {
      thorough: [
        ['ten minutes fast', 600_000],
        ['ten minutes slow', -600_000],
      ],
    }),
  )('measures with a clock that is %s and drifts, and corrects it once it knows', async (_, offMs) => {
    const { probe, run, waits, clock } = await beginOnline(({ clock: service }) => {
      const since = service.now().getTime();
      return { local: () => since + offMs + (service.now().getTime() - since) * 1.001 };
    });
    probe.cut();
    const checks = await run(OFFLINE_MS / 2, FAILED);
    await Promise.all(waits);
    probe.join();
    await deliver({ clock }, probe);
    const { rows } = await readSlots();
    const late = rows.filter(({ late }) => late);
    expect(late).toHaveLength(checks.length);
    const wrong = late.map(({ id, at }) =>
      Math.min(
        ...checks.filter((check) => check.id === id).map((check) => Math.abs(check.at - at.getTime())),
      ),
    );
    // Without the correction: minutes, and a fifth of a second of drift or more.
    expect(Math.max(...wrong)).toBeLessThan(60);
  });
});
