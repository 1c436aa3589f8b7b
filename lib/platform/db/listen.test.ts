import { afterEach, expect, it, vi } from 'vitest';
import { createLogger } from '@/lib/core/logger';
import { useTestDatabase } from '@/lib/testing/database';
import { runOn } from '@/lib/testing/database-server';
import { type Listening, listen, notify } from './listen';

const database = useTestDatabase();
const log = createLogger('silent', 'test');
const open: Listening[] = [];
afterEach(async () => {
  for (const listening of open.splice(0)) await listening.stop();
});

async function begin() {
  const heard: (string | null)[] = [];
  const onLost = vi.fn();
  const listening = listen(database.url, ['pharos_pages'], {
    onNotify: (_, payload) => heard.push(payload),
    onLost,
    log,
  });
  open.push(listening);
  await expect.poll(() => heard).toEqual([null]);
  heard.length = 0;
  return { heard, onLost, listening };
}

const breakConnections = () =>
  runOn(
    database.url,
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE application_name = 'pharos listen' AND datname = current_database()`,
  );

it('passes on everything committed before catchUp was called, by the time it resolves', async () => {
  const { heard, listening } = await begin();
  for (let round = 0; round < 200; round++) {
    await database.db.$transaction(async (tx) => notify(tx, 'pharos_pages', `sp_${round}`));
    await listening.catchUp();
    expect(heard.at(-1)).toBe(`sp_${round}`);
  }
});

it('passes on nothing that is rolled back', async () => {
  const { heard, listening } = await begin();
  const undone = database.db.$transaction(async (tx) => {
    await notify(tx, 'pharos_pages', 'sp_1');
    throw new Error('undone');
  });
  await expect(undone).rejects.toThrow('undone');
  await listening.catchUp();
  expect(heard).toEqual([]);
});

it('reports a lost connection, and its recovery', async () => {
  const { heard, onLost, listening } = await begin();
  await breakConnections();
  await expect.poll(() => onLost.mock.calls.length).toBe(1);
  await listening.catchUp();
  await expect.poll(() => heard).toEqual([null]);
  await database.db.$transaction(async (tx) => notify(tx, 'pharos_pages', 'sp_1'));
  await listening.catchUp();
  expect(heard).toEqual([null, 'sp_1']);
  expect(onLost).toHaveBeenCalledTimes(1);
});
