import { describe, expect, it } from 'vitest';
import { updateMonitor } from '@/lib/domain/monitors/update-monitor';
import { beginStory, FAILED, OK, SLOW } from '@/lib/engine/testing/story';
import { useTestDatabase } from '@/lib/testing/database';
import { openCountingDatabase } from '@/lib/testing/statements';
import { recordResults } from './recording/record-results';

const database = useTestDatabase();

/** The story's notices in writing order, without what varies between runs. */
async function listNotices(organizationId: string) {
  const notices = await database.db.memberNotice.findMany({
    where: { organizationId },
    orderBy: { id: 'asc' },
  });
  return notices.map(({ kind, subjectName, error, downtime }) => [kind, subjectName, error ?? downtime]);
}

describe('notices of a monitor', () => {
  it('include why it went down, and after how long it recovered, with its incident', async () => {
    const story = await beginStory(database.db, { mail: true });
    const { id } = await story.addMonitor({ alertThreshold: 1 });
    await story.check(OK, { afterMs: 0 });
    await story.check(FAILED);
    await story.check(OK);
    expect(await listNotices(story.organizationId)).toEqual([
      ['monitor.down', 'Shop', 'responded with 503, expected 200'],
      ['monitor.up', 'Shop', 90],
    ]);
    const incident = await database.db.incident.findFirstOrThrow({ where: { monitorId: id } });
    const notices = await database.db.memberNotice.findMany({ where: { subjectId: id } });
    expect(new Set(notices.map(({ incidentId }) => incidentId))).toEqual(new Set([incident.id]));
    expect(notices.at(-1)).toMatchObject({ occurredAt: story.clock.now(), mailedAt: null });
  });

  it('are not written for a monitor that is only slow, or fast again', async () => {
    const story = await beginStory(database.db, { mail: true });
    await story.addMonitor({ alertThreshold: 1 });
    for (const result of [OK, SLOW, OK]) await story.check(result);
    expect(await listNotices(story.organizationId)).toEqual([]);
  });

  it('include the recovery of one that was paused while down', async () => {
    const story = await beginStory(database.db, { mail: true });
    const { id } = await story.addMonitor({ alertThreshold: 1 });
    await story.check(FAILED);
    story.clock.advance(15_000);
    await updateMonitor(story.ctx, id, { enabled: false });
    story.clock.advance(3_600_000);
    await updateMonitor(story.ctx, id, { enabled: true });
    await story.check(OK);
    expect(await listNotices(story.organizationId)).toEqual([
      ['monitor.down', 'Shop', 'responded with 503, expected 200'],
      ['monitor.up', 'Shop', 15],
    ]);
  });

  it('are not written when email is off', async () => {
    const story = await beginStory(database.db);
    await story.addMonitor({ alertThreshold: 1 });
    for (const result of [FAILED, OK]) await story.check(result);
    expect(await listNotices(story.organizationId)).toEqual([]);
  });

  it('take one statement for subscribers, and one for members whether email is on or not, regardless of the number of monitors', async () => {
    const counting = openCountingDatabase(database.url);
    const statements = async (mail: boolean) => {
      const story = await beginStory(database.db, { mail });
      for (let monitor = 0; monitor < 12; monitor++) await story.addMonitor({ alertThreshold: 1 });
      story.clock.advance(90_000);
      const finished = (await story.take()).map((check) => ({
        check,
        startedAt: story.clock.now(),
        result: FAILED,
      }));
      const count = await counting.count(() =>
        recordResults({ ...story.services, db: counting.db }, finished),
      );
      expect(await listNotices(story.organizationId)).toHaveLength(mail ? 12 : 0);
      return count;
    };
    try {
      expect((await statements(true)) - (await statements(false))).toBe(1);
    } finally {
      await counting.db.$disconnect();
    }
  });
});
