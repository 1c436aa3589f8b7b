import { expect, it } from 'vitest';
import { createIncident } from '@/lib/domain/incidents/create-incident';
import { createIncidentSchema } from '@/lib/schemas/incidents/incident';
import { useSharedDatabase } from '@/lib/testing/database';
import { createTestOrganization, createTestServices } from '@/lib/testing/services';
import { openCountingDatabase } from '@/lib/testing/statements';
import { readPageStates } from './read-page-status';
import { addMonitor, addPage } from './testing/pages';

const database = useSharedDatabase();
const begin = () => createTestOrganization(createTestServices({ db: database.db }));

it('every page has the state of its worst monitors and their incidents, in five statements for any number of pages', async () => {
  const { ctx } = await begin();
  const [up, down, troubled] = [await addMonitor(ctx), await addMonitor(ctx), await addMonitor(ctx)];
  await createIncident(ctx, createIncidentSchema.parse({ title: 'Trouble', affectedMonitors: [troubled] }));
  const paused = await addMonitor(ctx, { enabled: false });
  await database.db.monitorState.updateMany({ where: { monitorId: up }, data: { status: 'operational' } });
  await database.db.monitorState.updateMany({ where: { monitorId: down }, data: { status: 'down' } });
  const pages = [
    { monitors: [], state: 'empty' },
    { monitors: [paused], state: 'paused' },
    { monitors: [up, paused], state: 'operational' },
    { monitors: [up, down], state: 'majorOutage' },
    { monitors: [up, troubled], state: 'partialOutage' },
  ];
  const expected = new Map<string, string>();
  for (const { monitors, state } of pages) expected.set((await addPage(ctx, { monitors })).id, state);
  await addPage((await begin()).ctx);

  expect(await readPageStates(ctx)).toEqual(expected);

  const { db, count } = openCountingDatabase(database.url);
  expect(await count(() => readPageStates({ ...ctx, db }))).toBe(5);
  await db.$disconnect();
});
