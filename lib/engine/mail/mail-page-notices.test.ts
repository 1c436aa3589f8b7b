import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sized } from '@/bin/testing/thorough.mjs';
import { createLogger } from '@/lib/core/logger';
import { deleteIncident } from '@/lib/domain/incidents/change-incident';
import { pageWords } from '@/lib/domain/notices/page-texts';
import { changePage } from '@/lib/domain/status-pages/testing/pages';
import { FAILED, OK } from '@/lib/engine/testing/story';
import { readMoment } from '@/lib/platform/db/moments';
import { useTestDatabase } from '@/lib/testing/database';
import { type MailServer, startMailServer } from '@/lib/testing/mailbox';
import { claimDueMail } from './claim-mail';
import { createMailEngine, startDueMail } from './drain-mail';
import { nextNoticesAt, PAGE_NOTICES } from './gather-notices';
import { beginSubscriberStory, MINUTE, SETTINGS } from './testing/subscriber-story';

const database = useTestDatabase();
let server: MailServer;

beforeAll(async () => {
  server = await startMailServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  await database.db.pageNotice.deleteMany();
  await database.db.memberNotice.deleteMany();
  await database.db.mail.deleteMany();
});

const begin = (options: Parameters<typeof beginSubscriberStory>[1] = {}) =>
  beginSubscriberStory(database.db, options);

describe('subscribers of a page', () => {
  it('get one mail each about events within a minute, not earlier, and after all other mail', async () => {
    const story = await begin({ subscribers: 3 });
    await story.check(FAILED);
    const firstAt = story.clock.now();
    story.clock.advance(30_000);
    await story.incident();
    story.clock.set(new Date(firstAt.getTime() + 59_999));
    expect(await readMoment(story.services.db, nextNoticesAt(PAGE_NOTICES, SETTINGS))).toEqual(
      new Date(firstAt.getTime() + MINUTE),
    );
    await story.mail();
    expect(await story.mails()).toEqual([]);
    story.clock.advance(1);
    await story.mail();
    await story.mail();
    const mails = await story.mails();
    expect(mails.map(({ recipient }) => recipient).toSorted()).toEqual(story.recipients);
    expect(new Set(mails.map(({ content }) => content.subject))).toEqual(
      new Set(['Acme: updates on 2 incidents']),
    );
    expect(mails.every(({ priority }) => priority === 1)).toBe(true);
    expect(new Set(mails.map(({ content }) => content.unsubscribeUrl)).size).toBe(3);
    expect(await readMoment(story.services.db, nextNoticesAt(PAGE_NOTICES, SETTINGS))).toBeNull();
  });

  it('are notified when an incident opens, at every update, and when it is resolved', async () => {
    const story = await begin();
    const { id } = await story.incident();
    expect(await story.newSubjects()).toEqual(['Acme: Slow (investigating)']);
    await story.update(id, { message: 'Still looking.' });
    await story.update(id, { status: 'identified', message: 'Found it.' });
    expect(await story.newSubjects()).toEqual(['Acme: Slow (identified)']);
    await story.update(id, { status: 'resolved', message: 'Fixed.' });
    expect(await story.newSubjects()).toEqual(['Acme: Slow (resolved)']);
    await story.check(FAILED);
    await story.check(OK);
    expect(await story.newSubjects()).toEqual(['Acme: Shop is down (resolved)']);
  });

  it('read the public names of monitors and components, also in the texts of the service', async () => {
    const story = await begin();
    const items = [{ monitorId: story.monitor.id, name: 'Checkout' }, { name: 'Hotline' }];
    const sections = [{ name: 'All', items }];
    const page = await changePage(story.ctx, story.page.slug, { sections });
    const hotline = page.sections[0]?.items[1]?.componentId;
    await story.check(FAILED);
    await story.incident({ affectedComponents: [hotline] });
    story.clock.advance(MINUTE);
    await story.mail();
    const text = JSON.stringify((await story.mails()).map(({ content }) => content));
    expect(text).toContain('Checkout is down');
    const notices = await database.db.pageNotice.findMany({ orderBy: { id: 'asc' } });
    expect(notices.map(({ monitors }) => monitors)).toEqual([['Checkout'], ['Checkout', 'Hotline']]);
    expect(text).not.toContain(`${story.monitor.name} is`);
  });

  it('read incidents in their own language, as far as people or the service translated them', async () => {
    const story = await begin();
    await database.db.pageSubscriber.updateMany({
      where: { pageId: story.page.id },
      data: { language: 'de' },
    });
    await story.check(FAILED);
    expect(await story.newSubjects()).toEqual(['Acme: Shop ist ausgefallen (wird untersucht)']);
    const translations = { de: { title: 'Langsam' }, fr: { title: 'Lent' } };
    const { id } = await story.incident({ translations });
    await story.update(id, { message: 'Found it.', translations: { de: { message: 'Gefunden.' } } });
    await story.update(id, { message: 'Fixed.' });
    story.clock.advance(MINUTE);
    await story.mail();
    const mail = JSON.stringify((await story.mails()).at(-1)?.content);
    expect(mail).toContain('Langsam');
    expect(mail).toContain('Gefunden.');
    expect(mail).toContain('Fixed.');
    expect(mail).not.toContain('Found it.');
  });

  it('are not notified of anything not on their page, of hidden pages, of deletions, or of edits', async () => {
    const story = await begin();
    const other = await story.addMonitor({ name: 'Secret' });
    await story.incident({ affectedMonitors: [other.id] });
    await story.incident({ affectedMonitors: [] });
    await deleteIncident(story.ctx, (await story.incident({ title: 'Mistake' })).id);
    expect(await story.newSubjects()).toEqual([]);
    await story.incident({ title: 'Both', affectedMonitors: [other.id, story.monitor.id] });
    expect(await story.newSubjects()).toEqual(['Acme: Both (investigating)']);
    expect(JSON.stringify(await story.mails())).not.toContain('Secret');
    await story.incident();
    await changePage(story.ctx, story.page.slug, { published: false });
    await story.incident();
    expect(await story.newSubjects()).toEqual([]);
    await changePage(story.ctx, story.page.slug, { published: true });
    expect(await story.newSubjects()).toEqual([]);
  });

  it('get mail in the language they subscribed in', async () => {
    const story = await begin({ subscribers: 3 });
    const subscribers = await database.db.pageSubscriber.findMany({
      where: { pageId: story.page.id, confirmedAt: { not: null } },
      orderBy: { id: 'asc' },
    });
    for (const [index, language] of ['de', 'ja', 'tlh'].entries()) {
      const where = { id: subscribers[index]?.id ?? '' };
      await database.db.pageSubscriber.update({ where, data: { language } });
    }
    await story.incident({ description: 'Wir sehen nach.' });
    await story.newSubjects();
    const contents = (await story.mails()).map(({ content }) => content);
    expect(contents.map(({ language, subject }) => [language, subject]).toSorted()).toEqual([
      ['de', 'Acme: Slow (wird untersucht)'],
      ['en', 'Acme: Slow (investigating)'],
      ['ja', 'Acme：Slow（調査中）'],
    ]);
    const german = contents.find(({ language }) => language === 'de');
    expect(german?.blocks).toContainEqual({ paragraph: 'Betroffen: Shop' });
    expect(german?.unsubscribeLabel).toBe(pageWords('de').texts.unsubscribe);
  });

  it('get mail that no name can break, with an unsubscribe link', async () => {
    const name = 'Acme\r\nBcc: all@example.com\u202e <b>&';
    const story = await begin();
    // Names and titles without control characters are required since 0.2.0; stored ones can have them.
    await database.db.statusPage.update({ where: { slug: story.page.slug }, data: { name } });
    await story.incident({ title: 'Slow', description: '<script>alert(1)</script>' });
    const title = 'Slow\r\nX-Evil: 1\u2028';
    await database.db.pageNotice.updateMany({ where: { pageId: story.page.id }, data: { title } });
    await story.newSubjects();
    const engine = createMailEngine({
      workerId: 'wrk_test',
      services: story.services,
      serviceName: 'Pharos',
      smtp: () => ({ url: server.url, from: { name: 'Pharos', address: 'pharos@example.com' } }),
      notices: SETTINGS,
      log: createLogger('silent', 'test'),
    });
    await startDueMail(engine);
    await engine.slots.idle();
    engine.transport.close();
    const { parsed, raw } = await server.waitFor(({ to }) => to.includes(story.recipients[0] ?? ''));
    expect(parsed.subject).toBe('Acme Bcc: all@example.com <b>&: Slow X-Evil: 1 (investigating)');
    const headers = raw.slice(0, raw.indexOf('\r\n\r\n'));
    expect(headers).not.toMatch(/^(bcc|x-evil):/im);
    expect(parsed.html).not.toContain('<script>');
    expect(parsed.headers.find(({ key }) => key === 'list-unsubscribe-post')?.value).toBe(
      'List-Unsubscribe=One-Click',
    );
    expect(parsed.headers.find(({ key }) => key === 'list-unsubscribe')?.value).toMatch(
      new RegExp(`^<https://pharos.test/status/${story.page.slug}/unsubscribe\\?id=sub_\\w+&token=\\w+>$`),
    );
  });
});

describe('each notice is mailed exactly once', () => {
  it('by several concurrent workers, however many subscribers there are', async () => {
    const stories = await Promise.all([
      begin({ subscribers: sized(50, { thorough: 1100 }) }),
      begin(),
      begin(),
    ]);
    for (const story of stories) {
      await story.incident();
      story.clock.advance(MINUTE);
    }
    await Promise.all(stories.map((story) => story.mail()));
    for (const story of stories) await story.mail();
    for (const story of stories) {
      const recipients = (await story.mails()).map(({ recipient }) => recipient);
      expect(recipients.toSorted()).toEqual(story.recipients);
    }
  });

  it('and never delays a mail that somebody is waiting for', async () => {
    const story = await begin({ subscribers: 5 });
    await story.check(FAILED);
    story.clock.advance(MINUTE);
    await story.mail();
    story.clock.advance(MINUTE);
    const now = story.clock.now();
    const [urgent] = await database.db.mail.findMany({ take: 1, orderBy: { id: 'desc' } });
    await database.db.mail.update({
      where: { id: urgent?.id ?? '' },
      data: { priority: 0, nextAttemptAt: now },
    });
    const [first] = await claimDueMail(story.services, { limit: 1, workerId: 'wrk_test' });
    expect(first?.id).toBe(urgent?.id);
  });
});
