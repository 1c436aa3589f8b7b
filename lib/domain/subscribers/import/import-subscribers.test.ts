import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { createManualClock } from '@/lib/core/time/clock';
import { pageWords } from '@/lib/domain/notices/page-texts';
import { addPage } from '@/lib/domain/status-pages/testing/pages';
import { applyRetention } from '@/lib/engine/upkeep/retention';
import type { MailContent } from '@/lib/platform/mail/queue-mail';
import { importSubscribersSchema, MAX_DECLARED } from '@/lib/schemas/status-pages/subscriber-import';
import { useTestDatabase } from '@/lib/testing/database';
import { createTestOrganization, createTestServices } from '@/lib/testing/services';
import { exportSubscribers, listSubscribers, removeSubscriber } from '../read-subscribers';
import { findSubscribablePage, subscribe } from '../subscribe';
import { confirmSubscription, unsubscribe } from '../subscription';
import { confirmImported } from './confirm-imported';
import { importSubscribers } from './import-subscribers';

const START = new Date('2026-03-01T12:00:00.000Z');
const MINUTE = 60_000;
const DAY = 86_400_000;
const SECTIONS = [
  {
    name: 'Everything',
    description: null,
    collapsed: false,
    items: [
      { monitorId: null, componentId: 'cmp_web', name: 'Web shop', description: null },
      { monitorId: null, componentId: 'cmp_api', name: 'API', description: null },
    ],
  },
];
const database = useTestDatabase();

async function begin(fields: { published?: boolean } = {}) {
  const clock = createManualClock(START);
  const appUrl = 'https://pharos.test';
  const services = { ...createTestServices({ db: database.db, clock, mail: true }), appUrl };
  const { ctx, organizationId } = await createTestOrganization(services);
  const { id: pageId, slug } = await addPage(ctx, { published: true, ...fields });
  await database.db.statusPage.update({ where: { id: pageId }, data: { sections: SECTIONS } });
  const mails = () => database.db.mail.findMany({ where: { organizationId }, orderBy: { id: 'asc' } });
  return {
    clock,
    services,
    ctx,
    pageId,
    slug,
    organizationId,
    import: (csv: string) => importSubscribers(ctx, slug, { csv, language: 'de', confirmed: false }),
    declare: (csv: string, actor = ctx.actor) =>
      importSubscribers(
        { ...ctx, actor },
        slug,
        importSubscribersSchema.parse({ csv, confirmed: true, source: 'Statuspage' }),
      ),
    visit: async (email: string) =>
      subscribe(services, await findSubscribablePage(services, slug), { email, language: 'en', rows: null }),
    confirm: () => confirmImported(services),
    subscribers: async () => (await listSubscribers(ctx, slug, { limit: 100 })).items,
    recipients: async () => (await mails()).map(({ recipient }) => recipient),
    contents: async () =>
      (await mails()).map(
        ({ id, contentSealed }) =>
          JSON.parse(services.keyring.open(contentSealed ?? new Uint8Array(), id)) as MailContent,
      ),
  };
}

const addresses = (count: number) => Array.from({ length: count }, (_, n) => `reader-${n}@example.com`);

describe('an import', () => {
  it('adds new addresses unconfirmed with their rows and language, and counts what was there and what is invalid', async () => {
    const story = await begin();
    const found = await findSubscribablePage(story.services, story.slug);
    await subscribe(story.services, found, { email: 'old@example.com', language: 'en', rows: null });
    const csv = [
      'email,rows,language',
      'ada@example.com,web SHOP,fr',
      'bob@example.com,cmp_api cmp_web,',
      'cleo@example.com,API;Web shop,',
      'old@example.com,API,',
      'ADA@example.com,,',
      'dan@example.com,Login,',
      'nobody,,',
    ].join('\n');
    expect(await story.import(csv)).toEqual({
      created: 3,
      existing: 2,
      confirmed: 0,
      invalid: 2,
      refused: [
        { line: 7, code: 'unknown_row', message: 'names a row that is not on the page' },
        { line: 8, code: 'invalid_email', message: 'has no valid email address' },
      ],
    });
    const subscribers = await story.subscribers();
    expect(subscribers.map(({ email, language, rows }) => [email, language, rows]).toSorted()).toEqual([
      ['ada@example.com', 'fr', ['cmp_web']],
      ['bob@example.com', 'de', ['cmp_api', 'cmp_web']],
      ['cleo@example.com', 'de', ['cmp_api', 'cmp_web']],
      ['old@example.com', 'en', []],
    ]);
    expect(subscribers.every(({ confirmedAt }) => confirmedAt === null)).toBe(true);
    const [entry] = await database.db.auditEntry.findMany({
      where: { organizationId: story.organizationId, action: 'subscriber.import' },
    });
    expect(entry).toMatchObject({ subjectId: story.pageId, after: { created: 3, existing: 2, invalid: 2 } });
  });

  it('reads an export of another page with the same rows', async () => {
    const [story, other] = [await begin(), await begin()];
    await story.import('ada@example.com,API\n+bob@example.com');
    const csv = (await Readable.from(await exportSubscribers(story.ctx, story.slug, {})).toArray()).join('');
    expect(csv).toContain("'+bob@example.com");
    expect(await other.import(csv)).toMatchObject({ created: 2, invalid: 0 });
    expect((await other.subscribers()).map(({ email, rows }) => [email, rows]).toSorted()).toEqual([
      ['+bob@example.com', []],
      ['ada@example.com', ['cmp_api']],
    ]);
  });

  it('returns the first 100 refused lines and counts all', async () => {
    const story = await begin();
    const { invalid, refused } = await story.import(Array(150).fill('nobody').join('\n'));
    expect([invalid, refused.length, refused.at(-1)?.line]).toEqual([150, 100, 100]);
  });

  it('lets at most 10,000 addresses of a page wait', async () => {
    const story = await begin();
    await database.db.$executeRaw`
      INSERT INTO page_subscriber (id, page_id, email, language, token_hash, awaits_email, requested_at, created_at)
      SELECT 'sub_' || n || ${story.pageId}, ${story.pageId}, n || '@example.com', 'en', sha256((n || ${story.pageId})::bytea), true, ${START}, ${START}
        FROM generate_series(1, 9999) AS n`;
    expect(await story.import('ada@example.com\nbob@example.com\nada@example.com')).toMatchObject({
      created: 1,
      existing: 1,
      refused: [{ line: 2, code: 'too_many_waiting' }],
    });
  });

  it('is none into the page of another organization', async () => {
    const [story, other] = [await begin(), await begin()];
    const body = { csv: 'ada@example.com', language: 'en' as const, confirmed: false };
    await expect(importSubscribers(other.ctx, story.slug, body)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('an imported address', () => {
  it('is emailed a link in its language, and subscribed once it is confirmed', async () => {
    const story = await begin();
    await story.import('ada@example.com');
    expect(await story.recipients()).toEqual([]);
    await story.confirm();
    await story.confirm();
    expect(await story.recipients()).toEqual(['ada@example.com']);
    const [content] = await story.contents();
    expect(content).toMatchObject({ language: 'de' });
    const { ifWanted } = pageWords('de').texts.confirmation;
    expect(content?.blocks).toContainEqual({ paragraph: ifWanted.replace('{days}', '7') });
    const token = new URL(content?.button?.url ?? '').searchParams.get('token') ?? '';
    expect(await confirmSubscription(story.services, { pageId: story.pageId, token })).toEqual({
      endpoint: null,
    });
    expect(await story.subscribers()).toMatchObject([{ confirmedAt: START.toISOString() }]);
  });

  it('is emailed within a limit of 50 in 15 minutes per organization, in the order of the list, by however many workers', async () => {
    const [story, other] = [await begin(), await begin()];
    const list = addresses(120);
    await story.import(list.join('\n'));
    await other.import('elsewhere@example.com');
    await Promise.all([story.confirm(), story.confirm(), story.confirm()]);
    expect(await story.recipients()).toEqual(list.slice(0, 50));
    expect(await other.recipients()).toEqual(['elsewhere@example.com']);
    story.clock.advance(15 * MINUTE - 1);
    await story.confirm();
    expect(await story.recipients()).toHaveLength(50);
    story.clock.advance(1);
    await story.confirm();
    expect(await story.recipients()).toEqual(list.slice(0, 100));
  });

  it('that subscribes itself meanwhile is emailed at once, and only once', async () => {
    const story = await begin();
    await story.import('ada@example.com');
    const found = await findSubscribablePage(story.services, story.slug);
    await subscribe(story.services, found, { email: 'ada@example.com', language: 'en', rows: null });
    await story.confirm();
    expect(await story.recipients()).toEqual(['ada@example.com']);
  });

  it('waits while its page is not published or has no URL, and while email is off, at most 7 days', async () => {
    const story = await begin({ published: false });
    await story.import('ada@example.com');
    await story.confirm();
    await database.db.statusPage.update({ where: { id: story.pageId }, data: { published: true } });
    for (const lack of [{ mail: { isOn: false } }, { appUrl: null }]) {
      await confirmImported({ ...story.services, ...lack });
    }
    story.clock.advance(7 * DAY);
    await applyRetention(story.services, { rawDays: 30 });
    expect([await story.recipients(), await story.subscribers()]).toMatchObject([[], [{}]]);
    story.clock.advance(1);
    await applyRetention(story.services, { rawDays: 30 });
    expect(await story.subscribers()).toEqual([]);
  });

  it('is asked at most three times, however often it is removed and imported', async () => {
    const story = await begin();
    for (let n = 0; n < 3; n++) {
      await story.import('ada@example.com');
      await story.confirm();
      const [subscriber] = await story.subscribers();
      await removeSubscriber(story.ctx, story.slug, subscriber?.id ?? '');
    }
    expect(await story.recipients()).toHaveLength(3);
    expect(await story.import('ada@example.com\nbob@example.com')).toMatchObject({
      created: 1,
      refused: [{ line: 1, code: 'asked_too_often' }],
    });
  });
});

describe('an import that declares addresses as confirmed', () => {
  it('subscribes new ones and those that were to confirm, without an email, and changes nothing else of them', async () => {
    const story = await begin();
    await story.import('waiting@example.com,API');
    await story.visit('asked@example.com');
    const before = await story.recipients();
    story.clock.advance(MINUTE);
    await story.declare('settled@example.com');
    story.clock.advance(MINUTE);
    const csv =
      'new@example.com,Web shop\nwaiting@example.com\nasked@example.com\nsettled@example.com,API\nnobody';
    expect(await story.declare(csv)).toMatchObject({ created: 1, existing: 3, confirmed: 3, invalid: 1 });
    await story.confirm();
    expect(await story.recipients()).toEqual(before);
    const at = (minutes: number) => new Date(START.getTime() + minutes * MINUTE).toISOString();
    const subscribers = await story.subscribers();
    expect(
      subscribers
        .map(({ email, language, rows, confirmedAt }) => [email, language, rows, confirmedAt])
        .toSorted(),
    ).toEqual([
      ['asked@example.com', 'en', [], at(2)],
      ['new@example.com', 'en', ['cmp_web'], at(2)],
      ['settled@example.com', 'en', [], at(1)],
      ['waiting@example.com', 'de', ['cmp_api'], at(2)],
    ]);
    story.clock.advance(8 * DAY);
    await applyRetention(story.services, { rawDays: 30 });
    expect(await story.subscribers()).toHaveLength(4);
  });

  it('is in the audit log with its origin', async () => {
    const story = await begin();
    await story.declare('ada@example.com');
    const where = { organizationId: story.organizationId, action: 'subscriber.import' };
    expect(await database.db.auditEntry.findMany({ where })).toMatchObject([
      { subjectId: story.pageId, after: { created: 1, confirmed: 1, source: 'Statuspage' } },
    ]);
  });

  it('needs an origin, which no other import has', () => {
    const issues = (body: object) =>
      importSubscribersSchema
        .safeParse({ csv: 'ada@example.com', ...body })
        .error?.issues.map(({ path, message }) => [path.join(), message]);
    expect(issues({ confirmed: true })).toEqual([['source', 'is required if confirmed is true']]);
    expect(issues({ source: 'Statuspage' })).toEqual([['source', 'is permitted only if confirmed is true']]);
    expect(issues({ confirmed: true, source: 'x'.repeat(101) })).toMatchObject([
      ['source', expect.anything()],
    ]);
    expect(issues({ confirmed: true, source: 'Statuspage' })).toBeUndefined();
  });

  it('is for owners, admins and keys with the scope write', async () => {
    const story = await begin();
    const { actor: owner } = story.ctx;
    const userId = owner.kind === 'user' ? owner.userId : '';
    for (const role of ['viewer', 'member'] as const) {
      const declared = story.declare('ada@example.com', { kind: 'user', userId, role });
      await expect(declared, role).rejects.toMatchObject({ code: 'FORBIDDEN' });
    }
    expect(await story.subscribers()).toEqual([]);
    await story.declare('ada@example.com', { kind: 'user', userId, role: 'admin' });
    expect(await story.subscribers()).toHaveLength(1);
  });

  it('adds none that unsubscribed or was removed, even if it is to confirm again; another page is its own matter', async () => {
    const [story, other] = [await begin(), await begin()];
    const list = ['ada@example.com', 'bob@example.com', 'cleo@example.com'];
    await story.declare(list.join('\n'));
    const idOf = async (email: string) =>
      (await story.subscribers()).find((subscriber) => subscriber.email === email)?.id ?? '';
    await unsubscribe(story.services, await idOf('ada@example.com'));
    await removeSubscriber(story.ctx, story.slug, await idOf('bob@example.com'));
    await story.import('ada@example.com');
    const outcome = await story.declare([...list, 'Ada@Example.com'].join('\n'));
    expect(outcome).toMatchObject({ created: 0, existing: 1, confirmed: 0, invalid: 3 });
    expect(outcome.refused.map(({ line, code }) => [line, code])).toEqual([
      [1, 'unsubscribed'],
      [2, 'unsubscribed'],
      [4, 'unsubscribed'],
    ]);
    expect(
      (await story.subscribers()).map(({ email, confirmedAt }) => [email, confirmedAt === null]),
    ).toEqual(
      expect.arrayContaining([
        ['ada@example.com', true],
        ['cleo@example.com', false],
      ]),
    );
    expect(await other.declare(list.join('\n'))).toMatchObject({ created: 3 });
    const stored = await database.db.$queryRaw`SELECT page_unsubscribe::text FROM page_unsubscribe`;
    expect(JSON.stringify(stored)).not.toContain('ada');
  });

  it('keeps those who subscribed again themselves', async () => {
    const story = await begin();
    await story.declare('ada@example.com');
    const [first] = await story.subscribers();
    await unsubscribe(story.services, first?.id ?? '');
    await story.visit('ada@example.com');
    const [content] = await story.contents();
    const token = new URL(content?.button?.url ?? '').searchParams.get('token') ?? '';
    await confirmSubscription(story.services, { pageId: story.pageId, token });
    expect(await story.declare('ada@example.com')).toMatchObject({ existing: 1, confirmed: 0, invalid: 0 });
  });

  it('takes at most 10,000 addresses of a page in 24 hours, also of those that were removed', async () => {
    const story = await begin();
    await story.declare('ada@example.com');
    await database.db.auditEntry.updateMany({
      where: { organizationId: story.organizationId, action: 'subscriber.import' },
      data: { after: { confirmed: MAX_DECLARED - 1 } },
    });
    await database.db.pageSubscriber.deleteMany({ where: { pageId: story.pageId } });
    expect(await story.declare('bob@example.com\ncleo@example.com')).toMatchObject({
      created: 1,
      refused: [{ line: 2, code: 'too_many_confirmed' }],
    });
    expect(await story.import('cleo@example.com')).toMatchObject({ created: 1 });
    story.clock.advance(DAY);
    expect(await story.declare('cleo@example.com')).toMatchObject({ confirmed: 1, invalid: 0 });
  });
});
