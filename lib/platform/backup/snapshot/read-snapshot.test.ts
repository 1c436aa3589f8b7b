import { expect, it } from 'vitest';
import { connectTo } from '@/lib/platform/db/testing/old-databases';
import { useTestDatabase } from '@/lib/testing/database';
import { readSnapshot } from './read-snapshot';

const database = useTestDatabase();

it('ends if it is interrupted while it connects, also if a table is locked', async () => {
  const locker = await connectTo(database.url);
  await locker.query('BEGIN; LOCK TABLE monitor IN ACCESS EXCLUSIVE MODE');
  const controller = new AbortController();
  const { signal } = controller;
  const records = readSnapshot(database.url, { version: '0.1.0', now: new Date(), signal });
  const first = records.next();
  controller.abort();
  await expect(first).rejects.toThrow('This operation was aborted');
});
