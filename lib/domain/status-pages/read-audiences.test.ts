import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { createId } from '@/lib/core/ids';
import { createMonitor } from '@/lib/domain/monitors/create-monitor';
import { createMonitorSchema } from '@/lib/schemas/monitor';
import { useSharedDatabase } from '@/lib/testing/database';
import { createTestOrganization, createTestServices } from '@/lib/testing/services';
import { readAudiences } from './public-address';
import { addPage } from './testing/pages';

const database = useSharedDatabase();
const AT = new Date('2026-03-01T12:00:00.000Z');

it('counts the confirmed subscribers of each page, without stopped endpoints', async () => {
  const services = {
    ...createTestServices({ db: database.db }),
    mail: { isOn: true },
    appUrl: 'https://pharos.test',
  };
  const { ctx } = await createTestOrganization(services);
  const input = createMonitorSchema.parse({ name: 'Shop', url: 'http://shop.test/', enabled: false });
  const { id: monitor } = await createMonitor(ctx, input);
  const sections = [{ name: 'All', items: [{ monitorId: monitor }, { name: 'Phone' }] }];
  const open = await addPage(ctx, { name: 'Open', published: true, monitors: [monitor], sections });
  const phone = open.sections[0]?.items[1]?.componentId;
  const hidden = await addPage(ctx, { name: 'Hidden', monitors: [] });
  const subscriber = (pageId: string, confirmedAt: Date | null) => {
    const id = createId('subscriber');
    const moments = { requestedAt: AT, confirmedAt, createdAt: AT };
    return { id, pageId, email: `${id}@example.com`, language: 'en', tokenHash: randomBytes(32), ...moments };
  };
  await database.db.pageSubscriber.createMany({
    data: [
      subscriber(open.id, AT),
      subscriber(open.id, AT),
      subscriber(open.id, null),
      subscriber(hidden.id, AT),
    ],
  });
  const endpoint = (fields: { confirmedAt?: Date; stoppedAt?: Date }) => {
    const { confirmedAt: _, ...by } = subscriber(open.id, null);
    const target = { urlSealed: randomBytes(8), urlHash: randomBytes(32), host: 'hooks.example.com' };
    return { ...by, ...target, id: createId('subscriber'), channel: 'webhook', ...fields };
  };
  await database.db.endpointSubscriber.createMany({
    data: [endpoint({ confirmedAt: AT }), endpoint({ confirmedAt: AT, stoppedAt: AT }), endpoint({})],
  });
  const shown = {
    id: open.id,
    slug: open.slug,
    automaticDelay: 0,
    automaticSince: null,
    name: 'Open',
    published: true,
    address: `https://pharos.test/status/${open.slug}`,
  };
  const kept = {
    id: hidden.id,
    automaticDelay: 0,
    automaticSince: null,
    slug: hidden.slug,
    name: 'Hidden',
    published: false,
    address: null,
  };
  expect(await readAudiences(ctx)).toEqual([
    { ...kept, monitors: [], components: [], subscribers: 0 },
    { ...shown, monitors: [monitor], components: [{ id: phone, name: 'Phone' }], subscribers: 3 },
  ]);
  const silent = await readAudiences({ ...ctx, mail: { isOn: false } });
  expect(silent.map(({ subscribers }) => subscribers)).toEqual([0, 0]);
  const other = await createTestOrganization(services);
  expect(await readAudiences(other.ctx)).toEqual([]);
});
