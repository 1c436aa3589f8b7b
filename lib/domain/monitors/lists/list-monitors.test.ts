import { expect, it, onTestFinished } from 'vitest';
import { createManualClock } from '@/lib/core/time/clock';
import { createMonitorSchema } from '@/lib/schemas/monitor';
import { useSharedDatabase } from '@/lib/testing/database';
import { createTestOrganization, createTestServices } from '@/lib/testing/services';
import { openCountingDatabase } from '@/lib/testing/statements';
import { createMonitor } from '../create-monitor';
import { listMonitorReadiness } from './list-monitors';

const database = useSharedDatabase();

it('what a status page depends on is read at once: who is paused, and whose status no check has decided', async () => {
  const clock = createManualClock(new Date('2026-03-10T18:00:00.000Z'));
  const services = createTestServices({ db: database.db, clock });
  const { ctx } = await createTestOrganization(services);
  const other = await createTestOrganization(services);
  const add = (name: string, enabled: boolean, to = ctx) =>
    createMonitor(to, createMonitorSchema.parse({ name, url: 'http://shop.test', enabled }));
  await add('Paused 10', false);
  await add('New', true);
  const { id: monitorId } = await add('Paused 9', false);
  await add('Foreign', true, other.ctx);
  const { id } = await add('Checked', true);
  await database.db.monitorState.update({ where: { monitorId: id }, data: { status: 'operational' } });
  const counting = openCountingDatabase(database.url);
  onTestFinished(() => counting.db.$disconnect());
  const read = () => listMonitorReadiness({ ...ctx, db: counting.db });
  const found = await read();
  expect(found.map(({ name, enabled, isPending }) => [name, enabled, isPending])).toEqual([
    ['Checked', true, false],
    ['New', true, true],
    ['Paused 9', false, false],
    ['Paused 10', false, false],
  ]);
  expect(found[2]).toEqual({ id: monitorId, name: 'Paused 9', enabled: false, isPending: false });
  expect(await counting.count(read)).toBe(1);
});
