import { describe, expect, it } from 'vitest';
import { updateMonitor } from '@/lib/domain/monitors/update-monitor';
import { FAILED, OK } from '@/lib/engine/testing/story';
import { useTestDatabase } from '@/lib/testing/database';
import { beginWindowStory, DOWN_EVENTS } from './testing/window-story';

const HOUR = 3_600_000;
const database = useTestDatabase();

describe('within a window', () => {
  it('checks continue, nobody is notified, no incident opens, and uptime is unaffected', async () => {
    const story = await beginWindowStory(database.db);
    await story.plan(10, 70);
    await story.at(10);
    await story.at(20, FAILED);
    expect(await story.monitor()).toMatchObject({ status: 'down', maintenance: true, uptimePercentage: 100 });
    await story.at(70, OK);
    expect(await story.monitor()).toMatchObject({ status: 'operational', maintenance: false });
    story.clock.advance(HOUR);
    expect(await story.monitor()).toMatchObject({ uptimePercentage: 100 });
    expect(await story.events()).toEqual([]);
    expect(await story.incidents()).toBe(0);
    expect(await story.ledger()).toEqual([
      ['operational', 0],
      ['maintenance', 10],
      ['operational', 70],
    ]);
  });

  it('a monitor still down at its end is reported then, dated to the end', async () => {
    const story = await beginWindowStory(database.db);
    await story.plan(10, 20);
    await story.at(10);
    await story.at(19, FAILED);
    expect(await story.events()).toEqual([]);
    await story.at(20);
    expect(await story.events()).toEqual(DOWN_EVENTS);
    expect((await story.ledger()).at(-1)).toEqual(['down', 20]);
  });

  it('a monitor down before it stays reported as down, and its recovery is reported at the end', async () => {
    const story = await beginWindowStory(database.db);
    await story.plan(10, 40);
    await story.at(10, FAILED);
    await story.at(39, OK);
    expect(await story.events()).toEqual(DOWN_EVENTS);
    await story.at(40);
    expect(await story.events()).toEqual([...DOWN_EVENTS, 'monitor.up', 'incident.resolved']);
  });

  it('a changed probe configuration restarts silently, and so does a pause and resume', async () => {
    const story = await beginWindowStory(database.db);
    await story.plan(10, 14);
    await story.at(10);
    await updateMonitor(story.ctx, story.id, { url: 'http://elsewhere.test/' });
    await story.check(FAILED);
    story.clock.advance(1000);
    await updateMonitor(story.ctx, story.id, { enabled: false });
    expect(await story.monitor()).toMatchObject({ enabled: false, maintenance: false });
    await story.run();
    await updateMonitor(story.ctx, story.id, { enabled: true });
    expect(await story.monitor()).toMatchObject({ maintenance: true });
    await story.check(FAILED, { afterMs: 1000 });
    expect(await story.events()).toEqual([]);
    await story.at(14);
    expect(await story.events()).toEqual(DOWN_EVENTS);
  });

  it('a monitor paused before and resumed during it is in maintenance from its first check', async () => {
    const story = await beginWindowStory(database.db);
    await updateMonitor(story.ctx, story.id, { enabled: false });
    await story.plan(10, 20);
    await story.at(10);
    await updateMonitor(story.ctx, story.id, { enabled: true });
    await story.check(FAILED, { afterMs: 1000 });
    expect(await story.events()).toEqual([]);
    expect(await story.monitor()).toMatchObject({ status: 'down', maintenance: true });
  });

  it('a monitor resumed after it is not', async () => {
    const story = await beginWindowStory(database.db);
    await story.plan(10, 20);
    await story.at(10);
    await updateMonitor(story.ctx, story.id, { enabled: false });
    await story.at(20);
    await updateMonitor(story.ctx, story.id, { enabled: true });
    await story.check(FAILED, { afterMs: 1000 });
    expect(await story.events()).toEqual(DOWN_EVENTS);
  });
});
