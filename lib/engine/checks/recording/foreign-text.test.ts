import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sized } from '@/bin/testing/thorough.mjs';
import { probe } from '@/lib/checks/probe';
import { createFailure } from '@/lib/checks/probe-result';
import type { ProbeResult } from '@/lib/checks/result';
import { openEnvironment } from '@/lib/checks/testing/target';
import { storableText } from '@/lib/core/storable-text';
import { storableUserAgent } from '@/lib/domain/people/sessions';
import { createWebhook } from '@/lib/domain/webhooks/change-webhook';
import { createEvents } from '@/lib/domain/webhooks/formats/sample-events';
import { sendDelivery } from '@/lib/domain/webhooks/send-delivery';
import { finishAttempt, writeAttempts } from '@/lib/engine/deliveries/record-attempts';
import { claimDueMail, finishMail, writeMailAttempts } from '@/lib/engine/mail/claim-mail';
import { claimDue } from '@/lib/engine/testing/delivery-story';
import { beginMailStory } from '@/lib/engine/testing/mail-story';
import { beginStory, OK } from '@/lib/engine/testing/story';
import { renderBody } from '@/lib/notify/message';
import { mailContentSchema, queueMails } from '@/lib/platform/mail/queue-mail';
import { renderMail } from '@/lib/platform/mail/render-mail';
import { serveHttp } from '@/lib/platform/net/testing/servers';
import { createApiKeySchema } from '@/lib/schemas/api-key';
import { createIncidentSchema } from '@/lib/schemas/incidents/incident';
import { createMaintenanceSchema } from '@/lib/schemas/maintenance';
import { createMonitorSchema } from '@/lib/schemas/monitor';
import { searchSchema } from '@/lib/schemas/search';
import { pagePreviewSchema } from '@/lib/schemas/status-pages/page-preview';
import { createStatusPageSchema } from '@/lib/schemas/status-pages/status-page';
import { createWebhookSchema } from '@/lib/schemas/webhooks/webhook';
import { arbitraryText } from '@/lib/testing/arbitrary-text';
import { useTestDatabase } from '@/lib/testing/database';
import { type MailServer, startMailServer } from '@/lib/testing/mailbox';
import { WEBHOOK_FORMATS } from '@/lib/webhook-formats/formats';
import { exampleOf } from '@/lib/webhook-formats/testing/example';
import { recordResults } from './record-results';

const database = useTestDatabase();
/** How many texts are recorded per batch, where each could block the others. */
const TEXTS = 8;
const texts = fc.array(arbitraryText(120), { minLength: TEXTS, maxLength: TEXTS });
const fewRuns = { numRuns: sized(2, { thorough: 20 }) };
/** Where nothing is stored. */
const manyRuns = { numRuns: sized(25, { thorough: 1000 }) };

/** Every text in a value, including field names. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) => [name, ...textsOf(part)]);
}

function expectStorable(value: unknown) {
  for (const text of textsOf(value)) {
    expect(text.isWellFormed() && !text.includes('\0'), JSON.stringify(text)).toBe(true);
  }
}

describe('text from a target', () => {
  it('never prevents its result or others from being recorded', async () => {
    const story = await beginStory(database.db);
    const server = await serveHttp((_request, response) => response.end('hello'));
    const keyword = `${'k'.repeat(98)}😀 and more`;
    const odd = await story.addMonitor({ url: server.url, keyword });
    const plain = await story.addMonitor({ url: server.url, keyword: 'hello' });
    story.clock.advance(90_000);
    const startedAt = story.clock.now();
    const finished = await Promise.all(
      (await story.take()).map(async (check) => ({
        check,
        startedAt,
        result: await probe(check.monitor.target, openEnvironment),
      })),
    );
    expect(await recordResults(story.services, finished)).toBe(2);
    const states = await database.db.monitorState.findMany({
      where: { monitorId: { in: [odd.id, plain.id] } },
    });
    expect(states.map(({ lastCheckedAt }) => lastCheckedAt)).toEqual([startedAt, startedAt]);
  });

  it('is always recorded: as result, state, ledger, incident, event, message and notice', async () => {
    const story = await beginStory(database.db, { mail: true });
    for (const format of WEBHOOK_FORMATS) {
      const endpoint = { ...exampleOf(format), url: 'http://receiver.test/' };
      await createWebhook(story.ctx, createWebhookSchema.parse(endpoint));
    }
    for (let n = 0; n < TEXTS; n++) await story.addMonitor({ alertThreshold: 1 });
    const recordAll = async (resultOf: (index: number) => ProbeResult) => {
      story.clock.advance(90_000);
      const startedAt = story.clock.now();
      const checks = await story.take();
      const finished = checks.map((check, index) => ({ check, startedAt, result: resultOf(index) }));
      expect(await recordResults(story.services, finished)).toBe(TEXTS);
    };
    await recordAll(() => OK);
    await fc.assert(
      fc.asyncProperty(texts, async (sent) => {
        await recordAll((index) => createFailure('protocol', sent[index] ?? ''));
        const stored = await database.db.$queryRaw<{ error: string }[]>`
          SELECT error FROM raw.check_result WHERE checked_at = ${story.clock.now()}`;
        expect(stored.map(({ error }) => error).toSorted()).toEqual(
          sent.map((text) => createFailure('protocol', text).error?.message ?? '').toSorted(),
        );
        await recordAll(() => OK);
      }),
      fewRuns,
    );
    const { organizationId } = story;
    const events = await database.db.outboxEvent.findMany({ where: { organizationId } });
    for (const { payload } of events) expectStorable(JSON.parse(payload));
    const deliveries = await database.db.delivery.findMany({ where: { organizationId } });
    for (const { body } of deliveries) expectStorable(JSON.parse(body ?? 'null'));
  });
});

describe('text from a receiver', () => {
  it('is always recorded with its attempt', async () => {
    const story = await beginStory(database.db);
    let sent = Buffer.alloc(0);
    const server = await serveHttp((_request, response) => response.writeHead(500).end(sent));
    await createWebhook(story.ctx, createWebhookSchema.parse({ url: server.url }));
    await story.addMonitor({ alertThreshold: 1 });
    await fc.assert(
      fc.asyncProperty(
        arbitraryText(200),
        fc.constantFrom('utf8' as const, 'utf16le' as const, 'latin1' as const),
        arbitraryText(200),
        async (body, encoding, error) => {
          await story.check(OK);
          await story.check({
            ...OK,
            outcome: 'failed',
            error: { code: 'status', message: 'responded with 500' },
          });
          sent = Buffer.from(body, encoding);
          const claimed = await claimDue(story.services, 'wrk_test');
          const settled = await Promise.all(
            claimed.map(async (delivery) => {
              const { id: endpointId, payload } = delivery;
              const posted = { endpointId, url: server.url, headers: {}, payload };
              const outcome = await sendDelivery({ policy: story.services.targetPolicy }, posted);
              expectStorable(outcome);
              // Text not truncated by any path still passes the last check.
              if (outcome.kind === 'failed') throw new Error(outcome.error);
              const response = { ...outcome.response, headers: { [error]: error } };
              const raw = { ...outcome, kind: 'rejected' as const, response, error };
              const times = { sentAt: story.clock.now(), at: story.clock.now() };
              return finishAttempt(delivery, raw, times);
            }),
          );
          await writeAttempts(story.services, settled);
          const ids = claimed.map(({ attemptId }) => attemptId);
          const rows = await database.db.deliveryAttempt.findMany({ where: { id: { in: ids } } });
          expect(rows.map((row) => row.error)).toEqual(ids.map(() => storableText(error)));
        },
      ),
      fewRuns,
    );
    // Deliveries left due by earlier tests are sent here, too.
  });

  it('is truncated between characters when only the first 16 KiB are kept', async () => {
    const server = await serveHttp((_request, response) =>
      response.end(`${'k'.repeat(16 * 1024 - 2)}😀 and more`),
    );
    const posted = { endpointId: 'whk_1', url: server.url, headers: {}, payload: '' };
    const outcome = await sendDelivery({ policy: openEnvironment.policy }, posted);
    expect(outcome.kind === 'delivered' && outcome.response.body).toBe('k'.repeat(16 * 1024 - 2));
  });

  it('appears in messages of every format as storable text', () => {
    fc.assert(
      fc.property(arbitraryText(300), (text) => {
        const all = {
          name: text,
          url: text,
          errorMessage: text,
          title: text,
          description: text,
          message: text,
        };
        for (const format of WEBHOOK_FORMATS) {
          for (const event of createEvents(all)) {
            const message = JSON.parse(renderBody(format, event, null) ?? 'null');
            expectStorable(message);
          }
        }
      }),
      { numRuns: sized(5, { thorough: 100 }) },
    );
  });
});

describe('text in email and from mail servers', () => {
  let server: MailServer;
  beforeAll(async () => {
    server = await startMailServer();
  });
  afterAll(() => server.close());

  it('is storable in every part of a mail', () => {
    fc.assert(
      fc.property(arbitraryText(300), (text) => {
        const content = mailContentSchema.parse({
          subject: text,
          preheader: text,
          blocks: [{ paragraph: text }, { heading: text }, { list: [{ text, detail: text }] }],
          footnote: text,
        });
        expectStorable(content);
        expectStorable(renderMail(content, { serviceName: 'Pharos' }));
      }),
      manyRuns,
    );
  });

  it('is always recorded with its attempt', async () => {
    const { services, clock } = beginMailStory(database.db, server.url);
    await fc.assert(
      fc.asyncProperty(texts, async (sent) => {
        const mails = sent.map((subject, n) => ({
          organizationId: null,
          kind: 'text',
          to: `ada${n}@example.com`,
          content: { subject, blocks: [{ paragraph: subject }] },
        }));
        await database.db.$transaction((tx) => queueMails(tx, services, mails));
        const claimed = await claimDueMail(services, { limit: 100, workerId: 'wrk_test' });
        const settled = claimed.map((mail, index) =>
          finishMail(mail, { sent: false, isFinal: true, error: sent[index] ?? '' }, clock.now()),
        );
        await writeMailAttempts(services, settled);
        const ids = claimed.map(({ id }) => id);
        const rows = await database.db.mail.findMany({ where: { id: { in: ids } } });
        expect(rows.map(({ error }) => error).toSorted()).toEqual(
          sent.map((text) => storableText(text)).toSorted(),
        );
      }),
      fewRuns,
    );
  });
});

describe('text from forms and requests', () => {
  const url = 'http://shop.test/';
  const startsAt = '2027-01-31T12:00:00Z';
  const endsAt = '2027-01-31T13:00:00Z';
  const bodies: [
    string,
    { safeParse(value: unknown): { success: boolean; data?: unknown } },
    (text: string) => object,
  ][] = [
    ['monitor', createMonitorSchema, (text) => ({ name: text, url })],
    ['monitor with a keyword', createMonitorSchema, (text) => ({ name: 'Shop', url, keyword: text })],
    [
      'monitor with a body',
      createMonitorSchema,
      (text) => ({ name: 'Shop', url, method: 'POST', body: text }),
    ],
    [
      'monitor with headers',
      createMonitorSchema,
      (text) => ({ name: 'Shop', url, headers: { [text]: text } }),
    ],
    ['monitor with tags', createMonitorSchema, (text) => ({ name: 'Shop', url, tags: [text], ref: text })],
    ['webhook', createWebhookSchema, (text) => ({ url, description: text })],
    ['incident', createIncidentSchema, (text) => ({ title: text, description: text })],
    [
      'maintenance window',
      createMaintenanceSchema,
      (text) => ({ title: text, message: text, monitors: ['mon_1'], startsAt, endsAt }),
    ],
    [
      'status page',
      createStatusPageSchema,
      (text) => ({ name: text, slug: 'shop', description: text, monitors: [] }),
    ],
    ['API key', createApiKeySchema, (text) => ({ name: text })],
  ];

  it.each(bodies)('is rejected or storable: %s', (_, schema, bodyOf) => {
    expect(schema.safeParse(bodyOf('Shop')).success).toBe(true);
    fc.assert(
      fc.property(fc.oneof(arbitraryText(20), fc.string({ unit: 'grapheme', maxLength: 20 })), (text) => {
        const { data } = schema.safeParse(bodyOf(text));
        if (data !== undefined) expectStorable(data);
      }),
      manyRuns,
    );
  });

  it('is storable where it is truncated instead of rejected', () => {
    fc.assert(
      fc.property(arbitraryText(400), (text) => {
        expectStorable(storableUserAgent(text));
        expectStorable(searchSchema.safeParse(text).data);
        const preview = { name: text, description: text, logoUrl: text, theme: {}, monitors: [] };
        expectStorable(pagePreviewSchema.parse({ ...preview, showResponseTimes: true, scheme: 'dark' }));
      }),
      manyRuns,
    );
  });
});
