import { expect, it } from 'vitest';
import { useFolder } from '@/e2e/support/use-folder';
import { callPharos } from '../testing/call-pharos';
import { waitUntilStopped } from './wait-until-stopped';

const folder = useFolder();

it('moves only to a PostgreSQL database', async () => {
  const wrong = await callPharos(['move', '--to', 'mysql://nowhere'], { DATA_DIR: folder.path('data') });
  expect([wrong.code, wrong.stderr.trim()]).toEqual([1, expect.stringContaining('must be a PostgreSQL URL')]);
});

it('a service that keeps running is waited for only so long', async () => {
  const waiting = { signal: new AbortController().signal, stayConnected: async () => undefined };
  await expect(waitUntilStopped(async () => null, waiting, { patienceMs: 0 })).rejects.toThrow(
    'the service was not stopped within 0 ms: nothing was moved',
  );
});

it('a wait ends when the other database is lost', async () => {
  const stayConnected = () => Promise.reject(new Error('connection terminated'));
  const waiting = { signal: new AbortController().signal, stayConnected };
  await expect(waitUntilStopped(async () => null, waiting)).rejects.toThrow('connection terminated');
});
