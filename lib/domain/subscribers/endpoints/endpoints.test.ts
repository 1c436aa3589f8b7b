import { expect, it } from 'vitest';
import { createManualClock } from '@/lib/core/time/clock';
import { addPage, changePage } from '@/lib/domain/status-pages/testing/pages';
import { openSigningSecrets } from '@/lib/domain/webhooks/sign';
import { applyRetention } from '@/lib/engine/upkeep/retention';
import type { MailContent } from '@/lib/platform/mail/queue-mail';
import type { EndpointChannel } from '@/lib/schemas/status-pages/subscriber-channel';
import { endpointUrlSchemas } from '@/lib/schemas/status-pages/subscriber-channel';
import { useTestDatabase } from '@/lib/testing/database';
import { createTestOrganization, createTestServices } from '@/lib/testing/services';
import { countSubscribers, listSubscribers, removeSubscriber } from '../read-subscribers';
import { findSubscribablePage, subscribe } from '../subscribe';
import {
  changeSubscription,
  confirmSubscription,
  findConfirmable,
  findSubscription,
  unsubscribe,
} from '../subscription';
import { restartEndpoint, rotateEndpointSecret } from './endpoint-subscription';
import { subscribeEndpoint } from './subscribe-endpoint';

const START = new Date('2026-03-01T12:00:00.000Z');
const MINUTE = 60_000;
const DAY = 86_400_000;
const HOOK = 'https://receiver.example/hook?key=s3cret';
const SLACK = 'https://hooks.slack.com/services/T0/B0/s3cret';
const email = 'owner@example.com';
const database = useTestDatabase();

async function begin() {
  const clock = createManualClock(START);
  const appUrl = 'https://pharos.test';
  const services = { ...createTestServices({ db: database.db, clock, mail: true }), appUrl };
  const { ctx, organizationId } = await createTestOrganization(services);
  const { id: pageId, slug } = await addPage(ctx, { published: true });
  const mails = async () => {
    const rows = await database.db.mail.findMany({ where: { organizationId }, orderBy: { id: 'asc' } });
    return rows.map(
      ({ id, contentSealed }) =>
        JSON.parse(services.keyring.open(contentSealed ?? new Uint8Array(), id)) as MailContent,
    );
  };
  const request = async (own: { channel?: EndpointChannel; url?: string; email?: string } = {}) => {
    const found = await findSubscribablePage(services, slug);
    const wanted = { channel: 'webhook' as const, url: HOOK, email, language: 'en', rows: null, ...own };
    return subscribeEndpoint(services, found, wanted);
  };
  const confirmLast = async () => {
    const url = (await mails()).at(-1)?.button?.url ?? '';
    return { pageId, token: new URL(url).searchParams.get('token') ?? '' };
  };
  const rows = () =>
    database.db.endpointSubscriber.findMany({ where: { pageId }, orderBy: { number: 'asc' } });
  /** Confirms with the link of the last mail; null if the page has no place. */
  const confirm = async () => {
    const confirmed = await confirmSubscription(services, await confirmLast());
    return confirmed === 'full' ? null : (confirmed?.endpoint ?? null);
  };
  return { confirm, clock, services, ctx, pageId, slug, mails, request, confirmLast, rows };
}

/** Confirmed webhooks, each at a host of its own, or all at one. */
async function fillPage(pageId: string, count: number, host?: string): Promise<void> {
  const prefix = host ?? 'x';
  await database.db.$executeRaw`
    INSERT INTO endpoint_subscriber (id, page_id, channel, email, language, url_sealed, url_hash, host, token_hash, requested_at, confirmed_at, created_at)
    SELECT ${prefix} || n || ${pageId}, ${pageId}, 'webhook', n || '@example.com', 'en', '', sha256((${prefix} || n)::bytea),
           coalesce(${host ?? null}, n || '.example'), sha256((${prefix} || n || ${pageId})::bytea), ${START}, ${START}, ${START}
      FROM generate_series(1, ${count}::int) AS n`;
}

it('an endpoint is confirmed by a link to its owner, who gets its secret once and a link to manage it', async () => {
  const { services, request, confirm, confirmLast, mails, rows } = await begin();
  await request();
  const [asked] = await mails();
  expect(JSON.stringify(asked)).not.toContain('s3cret');
  expect(JSON.stringify(asked?.blocks).replaceAll('\u200b', '')).toContain('receiver.example');
  const confirmation = await confirmLast();
  expect(await findConfirmable(services, confirmation)).toEqual({ host: 'receiver.example' });
  expect(await rows()).toMatchObject([{ confirmedAt: null, secretSealed: null }]);
  const secret = (await confirm())?.secret;
  expect(secret).toMatch(/^whsec_/);
  const [row] = await rows();
  if (!row?.secretSealed) throw new Error('it has a secret');
  expect(services.keyring.open(row.secretSealed, row.id)).toBe(secret);
  expect(Buffer.from(row.urlSealed).toString('latin1')).not.toContain('s3cret');
  expect(await confirmSubscription(services, confirmation)).toMatchObject({ endpoint: { secret: null } });
  const [, started, ...more] = await mails();
  expect(started?.button?.url).toContain(`/unsubscribe?id=${row.id}&token=`);
  expect(more).toEqual([]);
});

it('a Slack channel has no secret', async () => {
  const { services, request, confirmLast, rows } = await begin();
  await request({ channel: 'slack', url: SLACK });
  expect(await confirmSubscription(services, await confirmLast())).toMatchObject({
    endpoint: { secret: null },
  });
  const [row] = await rows();
  expect(await rotateEndpointSecret(services, row?.id ?? '')).toBeNull();
});

it('a secret is rotated with an overlap of 24 hours', async () => {
  const { clock, services, request, confirm, rows } = await begin();
  await request();
  const first = (await confirm())?.secret;
  const [row] = await rows();
  const second = await rotateEndpointSecret(services, row?.id ?? '');
  const valid = async () => {
    const [now] = await rows();
    if (!now?.secretSealed) throw new Error('it has a secret');
    return openSigningSecrets(
      services.keyring,
      now.id,
      { ...now, secretSealed: now.secretSealed },
      clock.now(),
    );
  };
  expect(await valid()).toEqual({ current: first, next: second });
  clock.advance(DAY);
  expect(await valid()).toEqual({ current: second, next: null });
});

it('an owner is emailed once in ten minutes about a URL and three times in all, whatever the response', async () => {
  const { clock, request, mails } = await begin();
  await Promise.all([request(), request()]);
  expect(await mails()).toHaveLength(1);
  for (let n = 0; n < 4; n++) {
    expect(await request({ url: `https://receiver.example/${n}` })).toEqual({ isLimited: false });
  }
  expect(await mails()).toHaveLength(3);
  await request({ email: 'other@example.com' });
  expect(await mails()).toHaveLength(4);
  clock.advance(10 * MINUTE);
  await request();
  expect(await mails()).toHaveLength(5);
});

it('an address has at most 5 endpoints, and as many pending ones, where a new one displaces the oldest', async () => {
  const { clock, request, confirm, rows } = await begin();
  const ask = async (n: number) => {
    clock.advance(10 * MINUTE);
    await request({ url: `https://receiver.example/${n}` });
  };
  for (let n = 0; n < 6; n++) await ask(n);
  expect((await rows()).map(({ requestedAt }) => requestedAt.getTime() - START.getTime())).toEqual(
    [2, 3, 4, 5, 6].map((times) => times * 10 * MINUTE),
  );
  for (let n = 10; n < 15; n++) {
    await ask(n);
    expect(await confirm()).not.toBeNull();
  }
  await ask(20);
  expect((await rows()).filter(({ confirmedAt }) => confirmedAt !== null)).toHaveLength(5);
  expect(await rows()).toHaveLength(9);
});

it('an owner who asks again for a confirmed endpoint is emailed the link to manage it', async () => {
  const { clock, request, confirm, mails, rows } = await begin();
  await request();
  await confirm();
  const before = await rows();
  clock.advance(10 * MINUTE);
  await request();
  await request();
  const links = (await mails()).map(({ button }) => new URL(button?.url ?? '').pathname.split('/').at(-1));
  expect(links).toEqual(['confirm', 'unsubscribe', 'unsubscribe']);
  expect(await rows()).toEqual(before.map((row) => ({ ...row, requestedAt: clock.now() })));
});

it('a URL is confirmed once on a page, and a host for at most 20 webhooks, because nobody proves that it is theirs', async () => {
  const { services, pageId, request, confirm, confirmLast } = await begin();
  await request();
  expect(await confirm()).not.toBeNull();
  await request({ email: 'other@example.com' });
  expect(await confirmSubscription(services, await confirmLast())).toBe('full');
  await fillPage(pageId, 20, 'busy.example');
  await request({ email: 'third@example.com', url: 'https://busy.example/' });
  expect(await confirmSubscription(services, await confirmLast())).toBe('full');
  await fillPage(pageId, 20, 'hooks.slack.com');
  await request({ email: 'fourth@example.com', channel: 'slack', url: SLACK });
  expect(await confirm()).not.toBeNull();
});

it('a page sends at most a hundred confirmations an hour, for both kinds together', async () => {
  const { services, slug, pageId, request } = await begin();
  const requestedAt = START;
  await database.db.subscriptionRequest.createMany({ data: Array(99).fill({ pageId, requestedAt }) });
  expect(await request()).toEqual({ isLimited: false });
  expect(await request({ email: 'other@example.com' })).toEqual({ isLimited: true });
  const found = await findSubscribablePage(services, slug);
  const byEmail = { email: 'reader@example.com', language: 'en', rows: null };
  expect(await subscribe(services, found, byEmail)).toEqual({ isLimited: true });
});

it('a page has at most 1,000 confirmed endpoints', async () => {
  const { services, pageId, request, confirmLast } = await begin();
  await request();
  await fillPage(pageId, 1000);
  expect(await confirmSubscription(services, await confirmLast())).toBe('full');
});

it('its owner sees, changes and ends it like a subscription by email', async () => {
  const { services, ctx, slug, request, confirmLast, rows } = await begin();
  await request();
  await confirmSubscription(services, await confirmLast());
  const [row] = await rows();
  const id = row?.id ?? '';
  const page = await changePage(ctx, slug, {
    sections: [{ name: 'All', items: [{ name: 'Web' }, { name: 'API' }] }],
  });
  const web = page.sections[0]?.items[0]?.componentId ?? '';
  await changeSubscription(services, id, { language: 'fr', rows: [web] });
  const read = async () => (await findSubscription(services, { id, slug })).subscription;
  expect(await read()).toMatchObject({
    email,
    language: 'fr',
    rows: [web],
    endpoint: { channel: 'webhook', host: 'receiver.example', stoppedAt: null },
  });
  await changePage(ctx, slug, { sections: [{ name: 'All', items: [{ name: 'Fax' }, { name: 'Phone' }] }] });
  expect(await read()).toMatchObject({ rows: null, isChoiceGone: true });
  const failed = { stoppedAt: START, failingSince: START, failedDeliveries: 3 };
  await database.db.endpointSubscriber.update({ where: { id }, data: failed });
  await restartEndpoint(services, id);
  expect(await rows()).toMatchObject([{ stoppedAt: null, failingSince: null, failedDeliveries: 0 }]);
  await unsubscribe(services, id);
  expect(await rows()).toEqual([]);
});

it('is listed, counted and removed with those by email, and deleted after seven days unconfirmed', async () => {
  const { clock, services, ctx, slug, pageId, request, confirmLast, rows } = await begin();
  await request();
  await confirmSubscription(services, await confirmLast());
  clock.advance(10 * MINUTE);
  const found = await findSubscribablePage(services, slug);
  await subscribe(services, found, { email: 'reader@example.com', language: 'en', rows: null });
  clock.advance(MINUTE);
  await request({ channel: 'slack', url: SLACK });
  const first = await listSubscribers(ctx, slug, { limit: 2 });
  const rest = await listSubscribers(ctx, slug, { limit: 2, cursor: first.next ?? undefined });
  expect([...first.items, ...rest.items].map(({ channel, email, host }) => [channel, email, host])).toEqual([
    ['slack', email, 'hooks.slack.com'],
    ['email', 'reader@example.com', null],
    ['webhook', email, 'receiver.example'],
  ]);
  expect([first.total, rest.next, (await countSubscribers(ctx)).get(pageId)]).toEqual([3, null, 1]);
  expect(JSON.stringify([first, rest])).not.toContain('s3cret');
  clock.advance(7 * DAY + 1);
  await applyRetention(services, { rawDays: 30 });
  expect(await rows()).toMatchObject([{ channel: 'webhook' }]);
  await removeSubscriber(ctx, slug, rest.items[0]?.id ?? '');
  expect(await rows()).toEqual([]);
});

it.each([
  ['slack', SLACK, true],
  ['slack', 'http://hooks.slack.com/services/T0/B0/x', false],
  ['slack', 'https://hooks.slack.com.evil.example/services/T0', false],
  ['slack', 'https://hooks.slack.com:8443/services/T0/B0/x', false],
  ['slack', 'https://example.com/services/T0/B0/x', false],
  ['slack', 'https://hooks.slack.com/', false],
  ['webhook', SLACK, false],
  ['webhook', HOOK, true],
  ['webhook', 'https://user:pass@example.com/', false],
  ['webhook', 'ftp://example.com/', false],
  ['webhook', 'nothing', false],
] as const)('as %s, %s is accepted: %s', (channel, url, isAccepted) => {
  expect(endpointUrlSchemas[channel].safeParse(url).success).toBe(isAccepted);
});
