import { expect, it } from 'vitest';
import { beginDependencies } from '@/lib/engine/announcements/testing/dependency-story';
import { useTestDatabase } from '@/lib/testing/database';
import { createTestOrganization } from '@/lib/testing/services';
import { listStoryMembers, readIncidentStories } from './read-incident-stories';

const database = useTestDatabase();

it('incidents of one story know how many they are, what they have in common, and each other; those of other organizations do not', async () => {
  const names = ['Shop 1', 'Shop 2', 'Shop 3', 'Blog'];
  const fieldsOf = (name: string) => ({
    dependsOn: [],
    url: name === 'Blog' ? 'http://blog.test/' : `http://shop.test/${name.slice(-1)}`,
  });
  const { ctx, check, services, organizationId } = await beginDependencies(database.db, { names, fieldsOf });
  await check([]);
  await check(names, { only: names });
  const incidents = await database.db.incident.findMany({
    where: { organizationId },
    orderBy: { number: 'asc' },
  });
  const ids = incidents.map(({ id }) => id);
  const stories = await readIncidentStories(ctx, ids);
  const shops = incidents.filter(({ title }) => title.startsWith('Shop'));
  expect([...stories.keys()].toSorted()).toEqual(shops.map(({ id }) => id).toSorted());
  const [story, ...same] = [...stories.values()];
  expect(story).toMatchObject({ cause: 'same host shop.test', incidents: 3 });
  expect(new Set(same.map(({ id }) => id))).toEqual(new Set([story?.id]));
  const [first, ...others] = shops;
  const page = { except: first?.id ?? '', limit: 2 };
  expect(await listStoryMembers(ctx, story?.id ?? '', page)).toEqual(
    others.map(({ id, title, status }) => ({ id, title, status })),
  );
  expect(await listStoryMembers(ctx, story?.id ?? '', { ...page, limit: 1 })).toHaveLength(1);

  const other = await createTestOrganization(services);
  expect(await readIncidentStories(other.ctx, ids)).toEqual(new Map());
  expect(await listStoryMembers(other.ctx, story?.id ?? '', page)).toEqual([]);
});
