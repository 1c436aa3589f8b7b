import { expect, it } from 'vitest';
import { useTestDatabase } from '@/lib/testing/database';
import { createTestOrganization, createTestServices } from '@/lib/testing/services';
import { openCountingDatabase } from '@/lib/testing/statements';
import { readPageStandings } from './aggregate-status';
import { addMonitor, addPage } from './testing/pages';

const database = useTestDatabase();
const begin = () => createTestOrganization(createTestServices({ db: database.db }));

it('every page has the worst status of its monitors, in four statements for any number of pages', async () => {
  const { ctx } = await begin();
  const [up, down] = [await addMonitor(ctx), await addMonitor(ctx)];
  const paused = await addMonitor(ctx, { enabled: false });
  await database.db.monitorState.updateMany({ where: { monitorId: up }, data: { status: 'operational' } });
  await database.db.monitorState.updateMany({ where: { monitorId: down }, data: { status: 'down' } });
  const pages = [
    { monitors: [], standing: 'empty' },
    { monitors: [paused], standing: 'paused' },
    { monitors: [up, paused], standing: 'operational' },
    { monitors: [up, down], standing: 'down' },
  ];
  const expected = new Map<string, string>();
  for (const { monitors, standing } of pages) expected.set((await addPage(ctx, { monitors })).id, standing);
  await addPage((await begin()).ctx);

  expect(await readPageStandings(ctx)).toEqual(expected);

  const { db, count } = openCountingDatabase(database.url);
  expect(await count(() => readPageStandings({ ...ctx, db }))).toBe(4);
  await db.$disconnect();
});
