import { once } from 'node:events';
import { expect, it } from 'vitest';
import { startPharos } from '@/e2e/support/run-pharos';

/** Runs a command whose output nobody reads. */
async function runUnread(...args: string[]) {
  const { child, stderr } = startPharos(args, { PHAROS_URL: 'http://127.0.0.1:9', PHAROS_API_KEY: 'k' });
  child.stdout?.destroy();
  const [code] = await once(child, 'close');
  return { code, stderr: stderr() };
}

it('a command whose reader has left ends quietly with 0', async () => {
  expect(await runUnread('schema')).toEqual({ code: 0, stderr: '' });
});

it('a reader that leaves does not hide that a command failed', async () => {
  const { code, stderr } = await runUnread('monitors', 'list');
  expect([code, stderr]).toEqual([1, expect.stringContaining('cannot reach http://127.0.0.1:9')]);
});

it('what serves does not end with 0 when its output is closed', async () => {
  const serving = ['start', 'web', 'worker', 'probe'];
  const ended = await Promise.all(serving.map((name) => runUnread(name, '--help')));
  expect(ended.map(({ code }) => code)).not.toContain(0);
});
