import { expect, it } from 'vitest';
import { createWorld } from '@/lib/domain/context/testing/world';
import { useSharedDatabase } from '@/lib/testing/database';
import { createTestOrganization, createTestServices } from '@/lib/testing/services';
import { countSubscribers } from './read-subscribers';

const database = useSharedDatabase();

it('counts confirmed subscribers of the organization’s own pages', async () => {
  const services = createTestServices({ db: database.db });
  const [own, other] = [await createTestOrganization(services), await createTestOrganization(services)];
  const confirm = ({ id }: { id: string }) =>
    database.db.pageSubscriber.update({ where: { id }, data: { confirmedAt: new Date() } });
  await createWorld(own.ctx).subscriber();
  const { pageId } = await confirm(await createWorld(own.ctx).subscriber());
  await confirm(await createWorld(other.ctx).subscriber());

  expect(await countSubscribers(own.ctx)).toEqual(new Map([[pageId, 1]]));
});
