import { afterAll, beforeAll, expect, it } from 'vitest';
import { recordResults } from '@/lib/engine/checks/recording/record-results';
import type { FinishedCheck } from '@/lib/engine/checks/recording/store-results';
import { FAILED } from '@/lib/engine/testing/story';
import { useTestDatabase } from '@/lib/testing/database';
import { openCountingDatabase } from '@/lib/testing/statements';
import { decideHeld } from './decide-held';
import { beginDependencies } from './testing/dependency-story';

const database = useTestDatabase();
let counting: ReturnType<typeof openCountingDatabase>;
beforeAll(() => {
  counting = openCountingDatabase(database.url);
});
afterAll(() => counting.db.$disconnect());

async function countFailing(monitors: number, { isDependent }: { isDependent: boolean }) {
  const names = Array.from({ length: monitors }, (_, index) => `Shop ${index}`);
  const story = await beginDependencies(database.db, { names });
  if (!isDependent) for (const name of names) await story.change(name, { dependsOn: [] });
  await story.check([]);
  const ids = names.map(story.idOf);
  await database.db.probeSchedule.updateMany({
    where: { monitorId: { in: ids } },
    data: { nextCheckAt: story.clock.now() },
  });
  const startedAt = story.clock.now();
  const due = (await story.take()).filter(({ monitor }) => ids.includes(monitor.id));
  const finished: FinishedCheck[] = due.map((check) => ({ check, startedAt, result: FAILED }));
  expect(finished).toHaveLength(monitors);
  story.clock.advance(1);
  const services = { ...story.services, db: counting.db };
  const recording = await counting.count(() => recordResults(services, finished));
  return {
    recording,
    dependencies: counting.seen('held_announcement') + counting.seen('WITH RECURSIVE'),
    services,
  };
}

it('without dependencies, recording an outage takes one statement more: how many depend on what is down', async () => {
  const { recording, dependencies } = await countFailing(3, { isDependent: false });
  expect(dependencies).toBe(1);
  const dependent = await countFailing(3, { isDependent: true });
  // Ancestors and their silence, what is held, and its rows with their notification; without a delivery of a body.
  expect(dependent.recording - recording).toBeLessThanOrEqual(4);
});

it('recording and deciding take the same number of statements, however many monitors they are about', async () => {
  const few = await countFailing(2, { isDependent: true });
  const decidingFew = await counting.count(() => decideHeld(few.services));
  const many = await countFailing(30, { isDependent: true });
  const decidingMany = await counting.count(() => decideHeld(many.services));
  expect(many.recording).toBe(few.recording);
  expect(decidingMany).toBe(decidingFew);
});

it('stories take the same number of statements, however many changes belong to them', async () => {
  const few = await countFailing(2, { isDependent: false });
  const many = await countFailing(30, { isDependent: false });
  expect(many.recording).toBe(few.recording);
});

it('what depends on a monitor is counted if it is down, unless that is suppressed', async () => {
  const story = await beginDependencies(database.db, { names: ['Shop', 'Till'] });
  await story.change('Till', { dependsOn: [story.idOf('Shop')] });
  await story.check([]);
  const services = { ...story.services, db: counting.db };
  const countCounted = async (name: string) => {
    await counting.count(() => story.check([name], { only: [name], services }));
    return counting.seen('reached (root, id)');
  };
  expect(await countCounted('Gateway')).toBe(1);
  expect(await countCounted('Shop')).toBe(0);
  expect(await story.held()).toHaveLength(1);
});
