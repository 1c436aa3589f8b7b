import { expect, it } from 'vitest';
import { probe } from '@/lib/checks/probe';
import { openEnvironment } from '@/lib/checks/testing/target';
import { getMonitor } from '@/lib/domain/monitors/find-monitor';
import { listTransitions } from '@/lib/domain/monitors/history/ledger';
import { listResults } from '@/lib/domain/monitors/history/read-results';
import { createWebhook } from '@/lib/domain/webhooks/change-webhook';
import { beginStory } from '@/lib/engine/testing/story';
import { serveDns } from '@/lib/platform/net/testing/dns-server';
import { createWebhookSchema } from '@/lib/schemas/webhooks/webhook';
import { useTestDatabase } from '@/lib/testing/database';

const database = useTestDatabase();

it('a success in which something is wrong nevertheless degrades its monitor, with a sentence', async () => {
  const { server } = await serveDns(({ type }) =>
    type === 'A' ? { answers: [{ type, name: 'a.test', data: '192.0.2.1' }] } : { rcode: 'SERVFAIL' },
  );
  const story = await beginStory(database.db);
  await createWebhook(story.ctx, createWebhookSchema.parse({ url: 'http://receiver.test/' }));
  const { id } = await story.addMonitor({ type: 'dns', url: 'a.test', alertThreshold: 1 });
  const [check] = await story.take();
  const target = check?.monitor.target ?? expect.fail('no check is due');
  await story.check(await probe(target, { ...openEnvironment, dnsServers: [server] }));

  const sentence = `there is a record of type A, but the query for AAAA failed: resolver ${server} returned SERVFAIL`;
  expect(await getMonitor(story.ctx, id)).toMatchObject({ status: 'degraded', uptimePercentage: 100 });
  const { items: results } = await listResults(story.ctx, id, { limit: 1 });
  expect(results[0]).toMatchObject({ outcome: 'ok', errorCode: 'dns', errorMessage: sentence });
  const { items: transitions } = await listTransitions(story.ctx, id, { limit: 1 });
  expect(transitions[0]?.why?.rule).toBe(`us-east found a problem in a check: ${sentence}`);
  const [event] = await database.db.outboxEvent.findMany({ where: { kind: 'monitor.degraded' } });
  expect(JSON.parse(event?.payload ?? '{}').details.errorMessage).toBe(sentence);
});
