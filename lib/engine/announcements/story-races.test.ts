import { expect, it } from 'vitest';
import { recordResults } from '@/lib/engine/checks/recording/record-results';
import { FAILED } from '@/lib/engine/testing/story';
import { joinTransaction } from '@/lib/platform/db/client';
import { useTestDatabase } from '@/lib/testing/database';
import { holdBeforeCommit } from '@/lib/testing/races';
import { announceStories } from './announce-stories';
import { beginDependencies } from './testing/dependency-story';

const database = useTestDatabase();
const SECOND = 1000;

async function begin(names: string[]) {
  const fieldsOf = () => ({ dependsOn: [] });
  const story = await beginDependencies(database.db, { names, fieldsOf });
  await story.check([]);
  return {
    ...story,
    stories: () => database.db.story.count({ where: { organizationId: story.organizationId } }),
  };
}

it('workers that record changes of one cause at the same time begin one story', async () => {
  const names = Array.from({ length: 12 }, (_, index) => `Shop ${index}`);
  const { services, clock, idOf, take, stories, messages, announceRest } = await begin(names);
  clock.advance(90 * SECOND);
  const startedAt = clock.now();
  const ids = new Set(names.map(idOf));
  const due = (await take()).filter(({ monitor }) => ids.has(monitor.id));
  clock.advance(1);
  await Promise.all(due.map((check) => recordResults(services, [{ check, startedAt, result: FAILED }])));
  expect(await stories()).toBe(1);
  expect(await messages()).toHaveLength(1);
  await announceRest();
  expect((await messages())[1]).toMatch(/ is down, and 11 more$/);
});

it('workers at the same time announce the rest of a story once, and one that crashes loses nothing', async () => {
  const names = ['Shop', 'Blog', 'Docs'];
  const { check, services, clock, messages } = await begin(names);
  await check(['Shop'], { only: ['Shop'] });
  await check(['Blog', 'Docs'], { only: ['Blog', 'Docs'], afterMs: SECOND });
  clock.advance(60 * SECOND);
  const crashing = database.db.$transaction(async (tx) => {
    await announceStories({ ...services, db: joinTransaction(tx) });
    throw new Error('crashed');
  });
  await expect(crashing).rejects.toThrow('crashed');
  await Promise.all([announceStories(services), announceStories(services), announceStories(services)]);
  await announceStories(services);
  expect(await messages()).toEqual(['New incident: Shop is down', 'Shop is down, and 2 more']);
});

it('the rest of a story is announced after a change that is being added to it', async () => {
  const { check, services, clock, messages } = await begin(['Shop', 'Blog', 'Docs']);
  await check(['Shop'], { only: ['Shop'] });
  await check(['Blog'], { only: ['Blog'], afterMs: SECOND });
  clock.advance(58 * SECOND);
  const adding = await holdBeforeCommit(database.db, (db) =>
    check(['Docs'], { only: ['Docs'], afterMs: 500, services: { ...services, db } }),
  );
  clock.advance(SECOND);
  expect(await announceStories(services)).toEqual(new Date(clock.now().getTime() + SECOND));
  expect(await messages()).toHaveLength(1);
  await adding.release();
  await announceStories(services);
  expect((await messages())[1]).toBe('Shop is down, and 2 more');
});
