import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { beginStory, OK } from '@/lib/engine/testing/story';
import { createDatabase, type Database } from '@/lib/platform/db/client';
import { keepLog } from '@/lib/testing/kept-log';
import { type StoppableDatabase, startStoppableDatabase } from '@/lib/testing/stoppable-database';
import { createResultRecorder } from './record-results';

const MONITORS = 3;
let server: StoppableDatabase;
let db: Database;

beforeAll(async () => {
  server = await startStoppableDatabase();
  db = createDatabase(server.url, { poolSize: 3, name: 'pharos worker' });
});
afterAll(async () => {
  await db.$disconnect();
  await server.close();
});

/** Monitors whose checks are running, and a recorder of their results; the checks began `sleptMs` after they were taken. */
async function begin({ sleptMs = 0 } = {}) {
  const kept = keepLog();
  const story = await beginStory(db);
  for (let n = 0; n < MONITORS; n++) await story.addMonitor();
  story.clock.advance(90_000);
  const checks = await story.take();
  const recorder = createResultRecorder(story.services, kept.log);
  story.clock.advance(sleptMs);
  const startedAt = story.clock.now();
  return {
    kept,
    recorder,
    addAll: () => Promise.all(checks.map((check) => recorder.add({ check, startedAt, result: OK }))),
    recorded: () =>
      db.monitor.count({ where: { organizationId: story.organizationId, state: { status: 'operational' } } }),
  };
}

describe('results that finish while the database is unavailable', () => {
  it('are recorded once PostgreSQL is back, and pending until then', async () => {
    const { recorder, addAll, recorded, kept } = await begin();
    await server.stop();
    const added = addAll();
    await expect.poll(() => kept.lines().length).toBe(1);
    await expect.poll(() => recorder.oldestPendingMs()).toBeGreaterThan(1500);
    expect(recorder.pending()).toBe(MONITORS);
    await server.start();
    expect(await added).toEqual([true, true, true]);
    expect(await recorded()).toBe(MONITORS);
    expect([recorder.pending(), recorder.oldestPendingMs()]).toEqual([0, null]);
    expect(kept.lines().at(-1)).toMatchObject({ msg: 'recording resumed', recording: 'results' });
  });

  it('are recorded after the connection was terminated midway', async () => {
    const { addAll, recorded } = await begin();
    const blocker = createDatabase(server.url, { poolSize: 1, name: 'blocker' });
    const ended = blocker.$transaction(async (tx) => {
      await tx.$executeRaw`LOCK TABLE monitor_state`;
      const added = addAll();
      await expect
        .poll(
          () => tx.$queryRaw`
            SELECT pg_terminate_backend(pid) AS ended FROM pg_stat_activity
             WHERE application_name = 'pharos worker' AND wait_event_type = 'Lock'`,
        )
        .toEqual([{ ended: true }]);
      return { added };
    });
    const { added } = await ended;
    expect(await added).toEqual([true, true, true]);
    expect(await recorded()).toBe(MONITORS);
    await blocker.$disconnect();
  });
});

describe('results of a day without a partition', () => {
  it('are recorded, as on a machine suspended for longer than partitions are created ahead', async () => {
    const { addAll, recorded, kept } = await begin({ sleptMs: 30 * 86_400_000 });
    expect(await addAll()).toEqual([true, true, true]);
    expect(await recorded()).toBe(MONITORS);
    expect(kept.lines()).toEqual([]);
  });
});
