import { expect, it } from 'vitest';
import { runUnread } from './testing/run-unread';

it('a command whose reader has left ends quietly with 0', async () => {
  expect(await runUnread('schema')).toEqual({ code: 0, stderr: '' });
});

it('a reader that leaves does not hide that a command failed', async () => {
  const { code, stderr } = await runUnread('monitors', 'list');
  expect([code, stderr]).toEqual([1, expect.stringContaining('cannot reach http://127.0.0.1:9')]);
});

// The others are in closed-output.thorough.test.ts.
it('a worker does not end with 0 when its output is closed', async () => {
  expect((await runUnread('worker', '--help')).code).not.toBe(0);
});
