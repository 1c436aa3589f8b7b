import { describe, expect, it } from 'vitest';
import { createId } from '@/lib/core/ids';
import { listEvidence } from '@/lib/domain/monitors/evidence/read-evidence';
import { updateMonitor } from '@/lib/domain/monitors/update-monitor';
import { recordResults } from '@/lib/engine/checks/recording/record-results';
import { beginEvidenceStory } from '@/lib/engine/testing/evidence-story';
import { FAILED, OK, SLOW, START, UNKNOWN } from '@/lib/engine/testing/story';
import { useTestDatabase } from '@/lib/testing/database';
import { MAX_FAILURES_PER_HOUR } from './keep-evidence';

const HOUR = 3_600_000;
const database = useTestDatabase();
const begin = () => beginEvidenceStory(database.db);

describe('evidence of a run of failures', () => {
  it('is that of the first failure and of the first success after it, and of no other check', async () => {
    const story = await begin();
    const { id } = await story.addMonitor({ alertThreshold: 3 });
    await story.see(OK, { text: 'well' });
    await story.see(FAILED, { text: 'first' });
    await story.see(FAILED, { text: 'second' });
    await story.see(UNKNOWN);
    await story.see(FAILED);
    await story.see(OK, { text: 'again' });
    await story.see(OK);
    expect(await story.kept(id)).toEqual(['good us-east', 'failure us-east', 'recovery us-east']);
    const { items } = await listEvidence(story.ctx, id, { limit: 50 });
    expect(items.map(({ kind, body }) => [kind, body?.text])).toEqual([
      ['recovery', 'again'],
      ['failure', 'first'],
      ['good', 'well'],
    ]);
    expect(items[1]).toMatchObject({
      region: 'us-east',
      statusCode: 503,
      errorCode: 'status',
      errorMessage: 'responded with 503, expected 200',
      phases: FAILED.phases,
    });
    // Nothing was prepared in vain either.
    expect(story.sealed()).toBe(3);
  });

  it('shows members which value failed an assertion', async () => {
    const story = await begin();
    const { id } = await story.addMonitor();
    const message = 'assertion 1 failed: JSON value is wrong';
    const detail = '$.ok is false, expected true';
    await story.see({ ...FAILED, error: { code: 'assertion', message, detail } });
    const { items } = await listEvidence(story.ctx, id, { limit: 50 });
    expect(items[0]).toMatchObject({ errorCode: 'assertion', errorMessage: detail });
  });

  it('is kept per region', async () => {
    const story = await begin();
    const { id } = await story.addMonitor({ regions: ['us-east', 'eu-west'] });
    await story.see(OK);
    await story.see(OK, { region: 'eu-west', afterMs: 1000 });
    for (const result of [FAILED, FAILED, OK]) {
      await story.see(result);
      await story.see(result, { region: 'eu-west', afterMs: 1000 });
    }
    expect(await story.kept(id)).toEqual([
      'good us-east',
      'failure us-east',
      'failure eu-west',
      'recovery us-east',
      'recovery eu-west',
    ]);
  });

  it('is kept of a monitor that fails from the start', async () => {
    const story = await begin();
    const { id } = await story.addMonitor();
    await story.see(FAILED, { afterMs: 0 });
    await story.see(FAILED);
    expect(await story.kept(id)).toEqual(['failure us-east']);
  });

  it('is kept again once the monitor was changed, and checks it for the first time', async () => {
    const story = await begin();
    const { id } = await story.addMonitor();
    await story.see(FAILED, { afterMs: 0 });
    await updateMonitor(story.ctx, id, { url: 'http://other.test/' });
    await story.see(FAILED);
    await story.see(FAILED);
    await updateMonitor(story.ctx, id, { url: 'http://good.test/' });
    await story.see(OK);
    expect(await story.kept(id)).toEqual(['failure us-east', 'failure us-east', 'recovery us-east']);
  });

  it('is kept again after a gap in which the region lost its vote', async () => {
    const story = await begin();
    const { id } = await story.addMonitor();
    await story.see(FAILED, { afterMs: 0 });
    await story.see(FAILED, { afterMs: 2 * HOUR });
    expect(await story.kept(id)).toEqual(['failure us-east', 'failure us-east']);
  });

  it('continues with the next owner of the shard, of failures and of the recovery', async () => {
    const story = await begin();
    const { id } = await story.addMonitor();
    const [one, two, three] = [createId('worker'), createId('worker'), createId('worker')];
    await story.see(OK, { worker: one });
    await story.see(FAILED, { worker: one });
    await story.see(FAILED, { worker: two });
    await story.see(OK, { worker: three });
    await story.see(OK, { worker: one });
    expect(await story.kept(id)).toEqual(['good us-east', 'failure us-east', 'recovery us-east']);
  });

  it('ends with the first success, also after a gap and of another owner', async () => {
    const story = await begin();
    const { id } = await story.addMonitor();
    await story.see(OK, { worker: createId('worker') });
    await story.see(FAILED, { worker: createId('worker') });
    await story.see(OK, { afterMs: 2 * HOUR, worker: createId('worker') });
    expect(await story.kept(id)).toEqual(['good us-east', 'failure us-east', 'recovery us-east']);
  });

  it('is that of the first failure, even if a worker takes another one for it', async () => {
    const story = await begin();
    const { id } = await story.addMonitor();
    await story.see(FAILED, { afterMs: 0 });
    story.clock.advance(90_000);
    const [check] = await story.take();
    if (!check) throw new Error('nothing is due');
    check.monitor.failedAt = null;
    const second = await story.finish(check, FAILED, 'second');
    expect(second.evidence).toBeDefined();
    expect(await recordResults(story.services, [second])).toBe(1);
    expect(await story.kept(id)).toEqual(['failure us-east']);
  });

  it('is kept of each run, when a backlog is recorded at once', async () => {
    const story = await begin();
    const { id } = await story.addMonitor();
    await story.see(OK);
    story.clock.advance(90_000);
    const [check] = await story.take();
    if (!check) throw new Error('nothing is due');
    const backlog = [];
    for (const result of [FAILED, OK, FAILED]) {
      story.clock.advance(1000);
      // While the database is unavailable, nothing is noted of the monitor.
      check.monitor.awaitsRecovery = true;
      backlog.push(await story.finish(check, result, 'backlog'));
    }
    expect(await recordResults(story.services, backlog)).toBe(3);
    expect(await story.kept(id)).toEqual([
      'good us-east',
      'failure us-east',
      'recovery us-east',
      'failure us-east',
    ]);
  });
});

describe('a good response', () => {
  it('is kept once a day, whichever region sees it', async () => {
    const story = await begin();
    const { id } = await story.addMonitor({ regions: ['us-east', 'eu-west'] });
    for (let hour = 0; hour < 56; hour += 8) {
      await story.see(OK, { afterMs: 8 * HOUR - 60_000 });
      await story.see(OK, { region: 'eu-west', afterMs: 60_000 });
    }
    const times = await database.db.checkEvidence.findMany({
      where: { monitorId: id, kind: 'good' },
      orderBy: { checkedAt: 'asc' },
    });
    const hours = times.map(({ checkedAt }) => (checkedAt.getTime() - START.getTime()) / HOUR);
    expect(hours).toEqual([expect.closeTo(8, 0), expect.closeTo(32, 0), expect.closeTo(56, 0)]);
    expect(await database.db.checkEvidence.count({ where: { monitorId: id } })).toBe(3);
  });

  it('can be slow, and nothing is kept for a day with a recovery', async () => {
    const story = await begin();
    const { id } = await story.addMonitor();
    await story.see(FAILED, { afterMs: 0 });
    await story.see(SLOW);
    for (let check = 0; check < 5; check++) await story.see(OK);
    expect(await story.kept(id)).toEqual(['failure us-east', 'recovery us-east']);
  });

  it('is kept of a check that is recorded without a decision', async () => {
    const story = await begin();
    const { id } = await story.addMonitor();
    for (let check = 0; check < 3; check++) await story.see(OK);
    await database.db.checkEvidence.deleteMany({ where: { monitorId: id } });
    story.clock.advance(90_000);
    const [due] = await story.take();
    if (!due) throw new Error('nothing is due');
    due.monitor.goodDueAt = 0;
    expect(due.monitor.isContested).toBe(false);
    await recordResults(story.services, [await story.finish(due, OK, 'routine')]);
    expect(await story.kept(id)).toEqual(['good us-east']);
    expect(due.monitor.goodDueAt).toBe(story.clock.now().getTime() + 24 * HOUR);
  });
});

describe('no evidence is kept', () => {
  it('of a result whose shard was taken over', async () => {
    const story = await begin();
    const { id } = await story.addMonitor();
    await story.see(OK);
    await database.db.checkEvidence.deleteMany({ where: { monitorId: id } });
    story.clock.advance(90_000);
    const taken = await story.take();
    const finished = await Promise.all(taken.map((check) => story.finish(check, FAILED, 'late')));
    expect(finished.map(({ evidence }) => evidence !== undefined)).toEqual([true]);
    await story.take('us-east', createId('worker'));
    expect(await recordResults(story.services, finished)).toBe(0);
    expect(await story.kept(id)).toEqual([]);
  });

  it('beyond ten failures an hour of a monitor, each with its recovery', async () => {
    const story = await begin();
    const { id } = await story.addMonitor({ interval: 30 });
    for (let round = 0; round <= MAX_FAILURES_PER_HOUR; round++) {
      await story.see(FAILED, { afterMs: 60_000 });
      await story.see(OK, { afterMs: 60_000 });
    }
    const kept = await story.kept(id);
    expect(kept.filter((each) => each.startsWith('failure'))).toHaveLength(MAX_FAILURES_PER_HOUR);
    expect(kept.filter((each) => each.startsWith('recovery'))).toHaveLength(MAX_FAILURES_PER_HOUR);
    await story.see(FAILED, { afterMs: HOUR });
    expect(await story.kept(id)).toHaveLength(2 * MAX_FAILURES_PER_HOUR + 1);
  });
});
