import { expect, it } from 'vitest';
import { probe } from '@/lib/checks/probe';
import { openEnvironment } from '@/lib/checks/testing/target';
import { listTransitions } from '@/lib/domain/monitors/history/ledger';
import { listResults } from '@/lib/domain/monitors/history/read-results';
import { readFeed } from '@/lib/domain/status-pages/public/read-feed';
import { findPublishedPage, readPublicPage } from '@/lib/domain/status-pages/public/read-public-page';
import { addPage } from '@/lib/domain/status-pages/testing/pages';
import { createWebhook } from '@/lib/domain/webhooks/change-webhook';
import { beginStory } from '@/lib/engine/testing/story';
import { serveHttp } from '@/lib/platform/net/testing/servers';
import { createWebhookSchema } from '@/lib/schemas/webhooks/webhook';
import { useTestDatabase } from '@/lib/testing/database';

const database = useTestDatabase();
const SECRET = 's3cret-of-the-target';

/** Everything of an organization from which webhooks, emails, incidents and feeds are written, as text. */
async function readWhatLeaves(organizationId: string): Promise<string> {
  const { db } = database;
  const where = { where: { organizationId } };
  const rows = await Promise.all([
    db.outboxEvent.findMany(where),
    db.delivery.findMany(where),
    db.memberNotice.findMany(where),
    db.pageNotice.findMany(),
    db.incident.findMany({ ...where, include: { updates: true } }),
  ]);
  return JSON.stringify(rows, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
}

it('what a response contains reaches members, and no webhook, email, incident, status page or feed', async () => {
  const { url } = await serveHttp((_request, response) => {
    response.writeHead(200, { 'x-token': SECRET }).end(JSON.stringify({ token: SECRET }));
  });
  const comparison = 'equals';
  for (const assertion of [
    { source: 'json', property: '$.token', comparison, target: 'x' },
    { source: 'header', property: 'x-token', comparison, target: 'x' },
    { source: 'body', comparison, target: 'x' },
  ]) {
    const story = await beginStory(database.db, { mail: true });
    const { ctx, organizationId } = story;
    await createWebhook(ctx, createWebhookSchema.parse({ url: 'http://receiver.test/' }));
    const { id } = await story.addMonitor({ url, alertThreshold: 1, assertions: [assertion] });
    const { slug } = await addPage(ctx, { monitors: [id], published: true });
    const [check] = await story.take();
    const result = await probe(check?.monitor.target ?? expect.fail('no check is due'), openEnvironment);
    await story.check(result);

    const left = await readWhatLeaves(organizationId);
    expect(left).toContain('assertion 1 failed: ');
    expect(left).not.toContain(SECRET);
    const shown = [
      await readPublicPage(story.services, slug),
      await readFeed(story.services, await findPublishedPage(database.db, slug)),
    ];
    expect(JSON.stringify(shown)).toContain('Shop is down');
    expect(JSON.stringify(shown)).not.toContain(SECRET);

    const { items: results } = await listResults(ctx, id, { limit: 1 });
    expect(results[0]).toMatchObject({
      errorCode: 'assertion',
      errorMessage: expect.stringContaining(SECRET),
    });
    const { items: transitions } = await listTransitions(ctx, id, { limit: 1 });
    expect(transitions[0]?.why?.rule).toContain(SECRET);
    expect(transitions[0]?.why?.regions[0]?.error).toEqual({
      code: 'assertion',
      message: expect.stringContaining(SECRET),
    });
  }
});
