import { describe, expect, it } from 'vitest';
import type { Actor } from '@/lib/domain/context/organization-context';
import { listEvidence } from '@/lib/domain/monitors/evidence/read-evidence';
import { listChecks } from '@/lib/domain/monitors/history/read-results';
import { readFeed } from '@/lib/domain/status-pages/public/read-feed';
import { findPublishedPage, readPublicPage } from '@/lib/domain/status-pages/public/read-public-page';
import { addPage } from '@/lib/domain/status-pages/testing/pages';
import { MAX_FAILURES_PER_HOUR } from '@/lib/engine/checks/evidence/keep-evidence';
import { useTestDatabase } from '@/lib/testing/database';
import { beginCalls } from './testing/call-story';

const database = useTestDatabase();
const READER: Actor = { kind: 'key', keyId: 'key_1', scope: 'read' };

async function begin() {
  const story = await beginCalls(database.db, { period: 3600, grace: 60 });
  const { ctx, id } = story;
  return {
    ...story,
    /** What is kept, oldest first: `failure disk full`. */
    kept: async (actor: Actor = ctx.actor) => {
      const { items } = await listEvidence({ ...ctx, actor }, id, { limit: 100 });
      return items.map(({ kind, body }) => `${kind} ${body?.text}`).toReversed();
    },
    stored: () => database.db.checkEvidence.count({ where: { monitorId: id } }),
  };
}

describe('the output of a call', () => {
  it('is kept of every failure, of the first success after it, and of one success a day', async () => {
    const { pass, callWithOutput, kept } = await begin();
    await callWithOutput('success', 'one');
    await pass(600);
    await callWithOutput('success', 'two');
    await pass(600);
    await callWithOutput('failure', 'disk full');
    await pass(600);
    await callWithOutput('failure', 'disk still full');
    await pass(600);
    await callWithOutput('success', 'three');
    await pass(600);
    await callWithOutput('success', 'four');
    expect(await kept()).toEqual([
      'good one',
      'failure disk full',
      'failure disk still full',
      'recovery three',
    ]);
    for (let hour = 0; hour < 24; hour++) {
      await pass(3600);
      await callWithOutput('success', `hour ${hour}`);
    }
    expect((await kept()).slice(4)).toEqual(['good hour 22']);
  });

  it('is kept of a failure that follows a missed deadline', async () => {
    const { pass, call, callWithOutput, kept, status } = await begin();
    await call();
    await pass(3660);
    expect(await status()).toBe('down');
    await callWithOutput('failure', 'waited for a lock');
    expect(await kept()).toEqual(['failure waited for a lock']);
  });

  it('leads from the check in the list, with what the call reported', async () => {
    const { ctx, id, callWithOutput } = await begin();
    await callWithOutput('failure', 'disk full');
    const [check] = (await listChecks(ctx, id, { limit: 1 })).items;
    const [evidence] = (await listEvidence(ctx, id, { limit: 1 })).items;
    expect(check?.evidenceId).toBe(evidence?.id);
    expect(evidence).toMatchObject({
      region: null,
      errorCode: 'reported',
      errorMessage: 'the job reported a failure',
      body: { text: 'disk full', size: 9, truncated: false, type: 'text/plain' },
    });
  });

  it('is not kept of a start, of a call without one, or while the monitor is paused', async () => {
    const { id, call, callWithOutput, stored } = await begin();
    await callWithOutput('start', 'begun');
    await call();
    await call('failure');
    await database.db.monitor.update({ where: { id }, data: { enabled: false } });
    await callWithOutput('failure', 'disk full');
    expect(await stored()).toBe(0);
  });

  it('is bounded per hour: a job that always fails does not fill the database', async () => {
    const { pass, callWithOutput, stored } = await begin();
    for (let minute = 0; minute < 20; minute++) {
      await callWithOutput('failure', 'disk full');
      await pass(60);
    }
    expect(await stored()).toBe(MAX_FAILURES_PER_HOUR);
  });

  it('is sealed, hidden from readers, and in no event, public page or feed', async () => {
    const { id, callWithOutput, kept, events, ctx, services } = await begin();
    await callWithOutput('success', 'pa55word');
    await callWithOutput('failure', 'pa55word');
    const rows = await database.db.checkEvidence.findMany({ where: { monitorId: id } });
    for (const { contentSealed } of rows) expect(Buffer.from(contentSealed).includes('pa55word')).toBe(false);
    expect(await kept(READER)).toEqual(['good [hidden]', 'failure [hidden]']);
    expect((await events()).length).toBeGreaterThan(0);
    const { slug } = await addPage(ctx, { monitors: [id], published: true });
    const page = await findPublishedPage(database.db, slug);
    const left = JSON.stringify([
      await events(),
      await readPublicPage(services, slug),
      await readFeed(services, page),
    ]);
    expect(left).toContain('Backup is down');
    expect(left).not.toContain('pa55word');
  });
});
