import { expect, it } from 'vitest';
import { notFound } from '@/lib/core/errors';
import type { Api } from '../api';
import { findMonitors } from './find-monitors';

/** An API that has a monitor at each of these paths. */
function apiWith(monitors: Record<string, object>): Api {
  return {
    connection: { url: 'http://pharos.test', key: 'ph_live_x' },
    call: async (_method, path) => {
      const monitor = monitors[path];
      if (monitor === undefined) throw notFound('Monitor');
      return structuredClone(monitor) as never;
    },
    list: async function* () {},
  };
}

const api = apiWith({
  '/monitors/mon_1': { id: 'mon_1' },
  '/monitors/by-ref/shop': { id: 'mon_1' },
  '/monitors/by-ref/eu%2Fblog%20%25': { id: 'mon_2' },
});

it('monitors are found by ID and by any ref, each once, in the order given', async () => {
  const found = await findMonitors(api, ['eu/blog %', 'shop', 'mon_1', 'shop']);
  expect(found.map(({ id }) => id)).toEqual(['mon_2', 'mon_1']);
});

it('all that were not found are named in one line', async () => {
  await expect(findMonitors(api, ['shop', 'gone', 'mon_9', 'gone'])).rejects.toThrow(
    'There are no monitors "gone" and "mon_9".',
  );
  await expect(findMonitors(api, ['gone'])).rejects.toThrow('There is no monitor "gone".');
});
