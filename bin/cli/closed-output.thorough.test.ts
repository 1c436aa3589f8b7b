import { expect, it } from 'vitest';
import { runUnread } from './testing/run-unread';

it('what serves does not end with 0 when its output is closed', async () => {
  const serving = ['start', 'web', 'worker', 'probe'];
  const ended = await Promise.all(serving.map((name) => runUnread(name, '--help')));
  expect(ended.map(({ code }) => code)).not.toContain(0);
});
