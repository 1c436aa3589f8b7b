import { expect, it } from 'vitest';
import { beginStory, FAILED, OK, SLOW } from '@/lib/engine/testing/story';
import { useTestDatabase } from '@/lib/testing/database';
import { listOverviews } from './list-overviews';

const database = useTestDatabase();

it('the list says since when and why a monitor is down or degraded, and nothing of the kind otherwise', async () => {
  const story = await beginStory(database.db);
  const down = await story.addMonitor({ alertThreshold: 1, tlsExpiryDays: 14 });
  const good = await story.addMonitor({ interval: 300 });
  const find = async ({ id }: { id: string }) =>
    (await listOverviews(story.ctx)).find((each) => each.id === id);
  await story.check(FAILED);
  const failedAt = story.clock.now().getTime() / 1000;
  story.clock.advance(30_000);
  expect(await find(down)).toMatchObject({ status: 'down', changedAt: failedAt, cause: 'HTTP 503' });
  const failure = {
    message: 'assertion 1 failed: JSON value is wrong',
    detail: '$.ok is false, expected true',
  };
  await story.check({ ...FAILED, error: { code: 'assertion', ...failure } });
  expect(await find(down)).toMatchObject({
    status: 'down',
    changedAt: failedAt,
    cause: '$.ok is false, expected true',
  });
  await story.check(SLOW);
  const slowAt = story.clock.now().getTime() / 1000;
  expect(await find(down)).toMatchObject({
    status: 'degraded',
    changedAt: slowAt,
    cause: 'slow response: 9s',
  });
  const certificateExpiresAt = new Date(story.clock.now().getTime() + 5.5 * 86_400_000);
  await story.check({ ...OK, certificateExpiresAt });
  expect(await find(down)).toMatchObject({ status: 'degraded', cause: 'certificate expires in 5 days' });
  await story.check(OK);
  expect(await find(down)).not.toHaveProperty('cause');
  expect(await find(good)).not.toHaveProperty('cause');
});
