import { expect, it } from 'vitest';
import { createManualClock } from '@/lib/core/time/clock';
import { addPage } from '@/lib/domain/status-pages/testing/pages';
import { applyRetention } from '@/lib/engine/upkeep/retention';
import type { MailContent } from '@/lib/platform/mail/queue-mail';
import { useTestDatabase } from '@/lib/testing/database';
import { createTestOrganization, createTestServices } from '@/lib/testing/services';
import { listSubscribers } from './read-subscribers';
import { findSubscribablePage, subscribe } from './subscribe';
import { confirmSubscription, findConfirmable } from './subscription';
import { isUnsubscribeToken, unsubscribeUrl } from './unsubscribe-link';

const START = new Date('2026-03-01T12:00:00.000Z');
const MINUTE = 60_000;
const DAY = 86_400_000;
const email = 'reader@example.com';
const database = useTestDatabase();

async function begin() {
  const clock = createManualClock(START);
  const services = {
    ...createTestServices({ db: database.db, clock, mail: true }),
    appUrl: 'https://pharos.test',
  };
  const { ctx, organizationId } = await createTestOrganization(services);
  const { id: pageId, slug } = await addPage(ctx, { published: true });
  return {
    clock,
    services,
    ctx,
    pageId,
    slug,
    organizationId,
    request: async (language = 'en', address = email) => {
      const found = await findSubscribablePage(services, slug);
      return subscribe(services, found, { email: address, language, rows: null });
    },
    /** The mailed tokens, oldest first. */
    tokens: async () => {
      const mails = await database.db.mail.findMany({ where: { organizationId }, orderBy: { id: 'asc' } });
      return mails.map(({ id, contentSealed }) => {
        const content = JSON.parse(
          services.keyring.open(contentSealed ?? new Uint8Array(), id),
        ) as MailContent;
        return new URL(content.button?.url ?? '').searchParams.get('token') ?? '';
      });
    },
    subscribers: async () => (await listSubscribers(ctx, slug, { limit: 50 })).items,
    retain: () => applyRetention(services, { rawDays: 30 }),
  };
}

it('mails an address once in ten minutes, even with concurrent requests; only the last link works', async () => {
  const story = await begin();
  await Promise.all(Array.from({ length: 5 }, () => story.request()));
  story.clock.advance(10 * MINUTE - 1);
  await story.request();
  expect(await story.tokens()).toHaveLength(1);
  story.clock.advance(1);
  await story.request('de');
  const [old = '', token = ''] = await story.tokens();
  expect(await findConfirmable(story.services, { pageId: story.pageId, token: old })).toBeNull();
  expect(await confirmSubscription(story.services, { pageId: story.pageId, token })).toEqual({
    endpoint: null,
  });
  expect(await confirmSubscription(story.services, { pageId: story.pageId, token })).toEqual({
    endpoint: null,
  });
  expect(await story.subscribers()).toMatchObject([
    { email, language: 'de', confirmedAt: story.clock.now().toISOString(), createdAt: START.toISOString() },
  ]);
  story.clock.advance(DAY);
  await story.request();
  expect(await story.tokens()).toHaveLength(2);
});

it('mails at most a hundred addresses an hour for one page, regardless of subscription, and does not limit other pages', async () => {
  const [story, other] = [await begin(), await begin()];
  await story.request();
  const [token = ''] = await story.tokens();
  await confirmSubscription(story.services, { pageId: story.pageId, token });
  for (let n = 1; n < 90; n++) await story.request('en', `reader-${n}@example.com`);
  story.clock.advance(60 * MINUTE - 1);
  const results = await Promise.all(
    Array.from({ length: 15 }, (_, n) => story.request('en', `late-${n}@example.com`)),
  );
  expect(results.filter(({ isLimited }) => !isLimited)).toHaveLength(10);
  expect(await story.tokens()).toHaveLength(100);
  expect(await story.request(), 'an address that is subscribed').toEqual({ isLimited: true });
  expect(await other.request()).toEqual({ isLimited: false });
  story.clock.advance(1);
  expect(await story.request('en', 'later@example.com')).toEqual({ isLimited: false });
  const where = { pageId: story.pageId };
  expect(await database.db.subscriptionRequest.count({ where }), 'older ones are forgotten').toBe(11);
});

it('writes the page name so that no mail client turns it into a link', async () => {
  const story = await begin();
  const name = 'Win at https://evil.example/prize or write to me@evil.example';
  await database.db.statusPage.update({ where: { id: story.pageId }, data: { name } });
  await story.request();
  const { contentSealed, id } = await database.db.mail.findFirstOrThrow({
    where: { organizationId: story.organizationId },
  });
  const content: MailContent = JSON.parse(story.services.keyring.open(contentSealed ?? new Uint8Array(), id));
  const visible = [
    content.subject,
    content.preheader,
    ...content.blocks.map((block) => JSON.stringify(block)),
  ];
  for (const text of visible) {
    expect(text).not.toMatch(/https?:\/\/|\w\.\w|\w@\w/u);
  }
  expect(content.subject.replaceAll('\u200b', '')).toContain(name);
});

it('deletes unconfirmed subscribers after seven days and keeps confirmed ones', async () => {
  const [story, other] = [await begin(), await begin()];
  await story.request();
  await other.request();
  const [token = ''] = await story.tokens();
  const [kept = ''] = await other.tokens();
  expect(await confirmSubscription(other.services, { pageId: other.pageId, token: kept })).toEqual({
    endpoint: null,
  });
  story.clock.advance(7 * DAY);
  await story.retain();
  expect(await findConfirmable(story.services, { pageId: story.pageId, token })).not.toBeNull();
  story.clock.advance(1);
  expect(await findConfirmable(story.services, { pageId: story.pageId, token })).toBeNull();
  expect(await confirmSubscription(story.services, { pageId: story.pageId, token })).toBeNull();
  await story.retain();
  expect(await story.subscribers()).toEqual([]);
  expect(await other.subscribers()).toHaveLength(1);
});

it('requires a published page and an installation with mail and a known URL', async () => {
  const { services, ctx, slug } = await begin();
  const hidden = await addPage(ctx, { published: false });
  await expect(findSubscribablePage(services, hidden.slug)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  for (const lack of [{ mail: { isOn: false } }, { appUrl: null }]) {
    const lacking = { ...services, ...lack };
    await expect(findSubscribablePage(lacking, slug)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  }
  expect(await findSubscribablePage(services, slug)).toMatchObject({
    address: `https://pharos.test/status/${slug}`,
  });
});

it('a link ends one subscription and no other', async () => {
  const { services } = await begin();
  const { searchParams } = new URL(unsubscribeUrl(services.keyring, 'https://pharos.test', 'sub_1'));
  const token = searchParams.get('token') ?? '';
  expect(isUnsubscribeToken(services.keyring, { id: 'sub_1', token })).toBe(true);
  expect(isUnsubscribeToken(services.keyring, { id: 'sub_2', token })).toBe(false);
  expect(isUnsubscribeToken(services.keyring, { id: 'sub_1', token: '' })).toBe(false);
});
