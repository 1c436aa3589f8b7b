import { expect, it } from 'vitest';
import { beginStory, FAILED, OK } from '@/lib/engine/testing/story';
import { useTestDatabase } from '@/lib/testing/database';
import { countDownMonitors } from './count-down';

const database = useTestDatabase();

it('counts what is down, without paused monitors and those in maintenance', async () => {
  const story = await beginStory(database.db);
  const add = () => story.addMonitor({ alertThreshold: 1 });
  await add();
  const [paused, maintained] = [await add(), await add()];
  await story.check(FAILED);
  expect(await countDownMonitors(story.ctx)).toBe(3);
  await database.db.monitor.update({ where: { id: paused.id }, data: { enabled: false } });
  await database.db.monitorState.update({
    where: { monitorId: maintained.id },
    data: { statusBeforeMaintenance: 'down' },
  });
  expect(await countDownMonitors(story.ctx)).toBe(1);
  await story.check(OK);
  expect(await countDownMonitors(story.ctx)).toBe(0);
});
