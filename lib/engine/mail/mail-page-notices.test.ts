import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createId } from '@/lib/core/ids';
import { createLogger } from '@/lib/core/logger';
import { addIncidentUpdate, deleteIncident } from '@/lib/domain/incidents/change-incident';
import { createIncident } from '@/lib/domain/incidents/create-incident';
import {
  deleteMaintenance,
  endActiveMaintenance,
  updateMaintenance,
} from '@/lib/domain/maintenance/change-maintenance';
import { createMaintenance } from '@/lib/domain/maintenance/create-maintenance';
import { addPage, changePage } from '@/lib/domain/status-pages/testing/pages';
import { beginStory, FAILED, OK } from '@/lib/engine/testing/story';
import { runMaintenanceWindows } from '@/lib/engine/upkeep/run-maintenance-windows';
import type { MailContent } from '@/lib/platform/mail/queue-mail';
import { createIncidentSchema, createIncidentUpdateSchema } from '@/lib/schemas/incidents/incident';
import { createMaintenanceSchema, updateMaintenanceSchema } from '@/lib/schemas/maintenance';
import { useTestDatabase } from '@/lib/testing/database';
import { type MailServer, startMailServer } from '@/lib/testing/mailbox';
import { claimDueMail } from './claim-mail';
import { createMailEngine, startDueMail } from './drain-mail';
import { nextNoticesAt, PAGE_NOTICES } from './gather-notices';
import { mailDuePageNotices } from './mail-page-notices';

const SETTINGS = { groupSeconds: 60, appUrl: 'https://pharos.test' };
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
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

/** A published page named Acme with one monitor, `subscribers` confirmed subscribers, and one unconfirmed. */
async function begin({ subscribers = 1, page: fields = {} }: { subscribers?: number; page?: object } = {}) {
  const story = await beginStory(database.db, { mail: true });
  const monitor = await story.addMonitor({ alertThreshold: 1 });
  const page = await addPage(story.ctx, { published: true, monitors: [monitor.id], ...fields });
  const now = story.clock.now();
  const add = (confirmedAt: Date | null) => {
    const id = createId('subscriber');
    const email = `${id}@example.com`;
    const at = { requestedAt: now, confirmedAt, createdAt: now };
    const tokenHash = randomBytes(32);
    return { id, pageId: page.id, email, language: 'en', tokenHash, ...at };
  };
  const confirmed = Array.from({ length: subscribers }, () => add(now));
  await database.db.pageSubscriber.createMany({ data: [...confirmed, add(null)] });
  return {
    ...story,
    monitor,
    page,
    recipients: confirmed.map(({ email }) => email).toSorted(),
    mail: () => mailDuePageNotices(story.services, SETTINGS),
    incident: (body: object = {}) =>
      createIncident(
        story.ctx,
        createIncidentSchema.parse({ title: 'Slow', affectedMonitors: [monitor.id], ...body }),
      ),
    update: (id: string, body: object) =>
      addIncidentUpdate(story.ctx, id, createIncidentUpdateSchema.parse(body)),
    plan: (from: number, to: number, body: object = {}) => {
      const at = (ms: number) => new Date(story.clock.now().getTime() + ms).toISOString();
      return createMaintenance(
        story.ctx,
        createMaintenanceSchema.parse({
          title: 'Upgrade',
          monitors: [monitor.id],
          startsAt: at(from),
          endsAt: at(to),
          ...body,
        }),
      );
    },
    /** The mails queued for subscribers, sorted by address. */
    mails: async () => {
      const where = { organizationId: story.organizationId, kind: 'subscriber' };
      const mails = await database.db.mail.findMany({ where, orderBy: [{ id: 'asc' }] });
      return mails.map(({ id, recipient, contentSealed, priority }) => {
        const sealed = story.services.keyring.open(contentSealed ?? new Uint8Array(), id);
        return { recipient, priority, content: JSON.parse(sealed) as MailContent };
      });
    },
    /** Advances the clock, mails what is due, and returns the new subjects. */
    told: async function told(this: void, ms = MINUTE) {
      const before = await database.db.mail.findMany({ select: { id: true } });
      story.clock.advance(ms);
      await mailDuePageNotices(story.services, SETTINGS);
      const known = before.map(({ id }) => id);
      const where = { organizationId: story.organizationId, kind: 'subscriber', id: { notIn: known } };
      const mails = await database.db.mail.findMany({ where, orderBy: { id: 'asc' } });
      return mails.map(
        ({ id, contentSealed }) =>
          (JSON.parse(story.services.keyring.open(contentSealed ?? new Uint8Array(), id)) as MailContent)
            .subject,
      );
    },
  };
}

describe('subscribers of a page', () => {
  it('get one mail each about events within a minute, not earlier, and after all other mail', async () => {
    const story = await begin({ subscribers: 3 });
    await story.check(FAILED);
    const firstAt = story.clock.now();
    story.clock.advance(30_000);
    await story.incident();
    story.clock.set(new Date(firstAt.getTime() + 59_999));
    expect(await nextNoticesAt(story.services, PAGE_NOTICES, SETTINGS)).toEqual(
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
    expect(await nextNoticesAt(story.services, PAGE_NOTICES, SETTINGS)).toBeNull();
  });

  it('are notified when an incident opens, at every update, and when it is resolved', async () => {
    const story = await begin();
    const { id } = await story.incident();
    expect(await story.told()).toEqual(['Acme: Slow (investigating)']);
    await story.update(id, { message: 'Still looking.' });
    await story.update(id, { status: 'identified', message: 'Found it.' });
    expect(await story.told()).toEqual(['Acme: Slow (identified)']);
    await story.update(id, { status: 'resolved', message: 'Fixed.' });
    expect(await story.told()).toEqual(['Acme: Slow (resolved)']);
    await story.check(FAILED);
    await story.check(OK);
    expect(await story.told()).toEqual(['Acme: Shop is down (resolved)']);
  });

  it('are not notified of anything not on their page, of hidden pages, of deletions, or of edits', async () => {
    const story = await begin();
    const other = await story.addMonitor({ name: 'Secret' });
    await story.incident({ affectedMonitors: [other.id] });
    await story.incident({ affectedMonitors: [] });
    await deleteIncident(story.ctx, (await story.incident({ title: 'Mistake' })).id);
    expect(await story.told()).toEqual([]);
    await story.incident({ title: 'Both', affectedMonitors: [other.id, story.monitor.id] });
    expect(await story.told()).toEqual(['Acme: Both (investigating)']);
    expect(JSON.stringify(await story.mails())).not.toContain('Secret');
    await story.incident();
    await changePage(story.ctx, story.page.slug, { published: false });
    await story.incident();
    expect(await story.told()).toEqual([]);
    await changePage(story.ctx, story.page.slug, { published: true });
    expect(await story.told()).toEqual([]);
  });

  it('are notified once each when maintenance is planned, starts and ends', async () => {
    const story = await begin();
    const run = () => runMaintenanceWindows(story.services);
    await story.plan(HOUR, 2 * HOUR, { message: 'New disks.' });
    await run();
    expect(await story.told()).toEqual(['Acme: maintenance scheduled: Upgrade']);
    story.clock.advance(HOUR);
    await run();
    await run();
    expect(await story.told()).toEqual(['Acme: maintenance started: Upgrade']);
    story.clock.advance(HOUR);
    await run();
    await run();
    expect(await story.told()).toEqual(['Acme: maintenance completed: Upgrade']);
  });

  it('are notified of the end of maintenance ended early or deleted, and not twice of the start of a moved one', async () => {
    const story = await begin();
    const { id } = await story.plan(-MINUTE, HOUR);
    await runMaintenanceWindows(story.services);
    expect(await story.told()).toEqual(['Acme: maintenance started: Upgrade']);
    const endsAt = new Date(story.clock.now().getTime() + 3 * HOUR).toISOString();
    await updateMaintenance(story.ctx, id, updateMaintenanceSchema.parse({ endsAt }));
    await runMaintenanceWindows(story.services);
    expect(await story.told()).toEqual(['Acme: maintenance rescheduled: Upgrade']);
    await endActiveMaintenance(story.ctx, id);
    expect(await story.told()).toEqual(['Acme: maintenance completed: Upgrade']);
    const second = await story.plan(-MINUTE, HOUR, { title: 'Again' });
    await runMaintenanceWindows(story.services);
    await deleteMaintenance(story.ctx, second.id);
    expect(await story.told()).toEqual(['Acme: maintenance completed: Again']);
  });

  it('are notified of planned maintenance that is moved or canceled, but not if it is undone within a minute', async () => {
    const story = await begin();
    const { id } = await story.plan(HOUR, 2 * HOUR, { message: 'New disks.' });
    expect(await story.told()).toEqual(['Acme: maintenance scheduled: Upgrade']);
    const move = (hours: number) => {
      const startsAt = new Date(story.clock.now().getTime() + hours * HOUR).toISOString();
      const endsAt = new Date(story.clock.now().getTime() + (hours + 1) * HOUR).toISOString();
      return updateMaintenance(story.ctx, id, updateMaintenanceSchema.parse({ startsAt, endsAt }));
    };
    await updateMaintenance(story.ctx, id, updateMaintenanceSchema.parse({ message: 'New fans.' }));
    expect(await story.told()).toEqual([]);
    await move(3);
    await move(4);
    expect(await story.told()).toEqual(['Acme: maintenance rescheduled: Upgrade']);
    await deleteMaintenance(story.ctx, id);
    expect(await story.told()).toEqual(['Acme: maintenance canceled: Upgrade']);
    const cancelled = JSON.stringify((await story.mails()).at(-1)?.content);
    expect(cancelled).toContain('It was scheduled from 2026-03-01 16:02 UTC to 2026-03-01 17:02 UTC.');
    expect(cancelled).not.toContain('New fans.');
    await deleteMaintenance(story.ctx, (await story.plan(HOUR, 2 * HOUR, { title: 'Mistake' })).id);
    expect(await story.told()).toEqual([]);
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
    await story.told();
    const told = (await story.mails()).map(({ content }) => content);
    expect(told.map(({ language, subject }) => [language, subject]).toSorted()).toEqual([
      ['de', 'Acme: Slow (wird untersucht)'],
      ['en', 'Acme: Slow (investigating)'],
      ['ja', 'Acme：Slow（調査中）'],
    ]);
    const german = told.find(({ language }) => language === 'de');
    expect(german?.blocks).toContainEqual({ paragraph: 'Betroffen: Shop' });
    expect(german?.unsubscribeLabel).toBe('Abmelden');
  });

  it('get mail that no name can break, with an unsubscribe link', async () => {
    const name = 'Acme\r\nBcc: all@example.com\u202e <b>&';
    const story = await begin({ page: { name } });
    await story.incident({ title: 'Slow\r\nX-Evil: 1\u2028', description: '<script>alert(1)</script>' });
    await story.told();
    const engine = createMailEngine({
      workerId: 'wrk_test',
      services: story.services,
      serviceName: 'Pharos',
      smtp: { url: server.url, from: { name: 'Pharos', address: 'pharos@example.com' } },
      notices: SETTINGS,
      log: createLogger('silent', 'test'),
    });
    await startDueMail(engine);
    await engine.slots.idle();
    engine.transport.close();
    const { parsed, raw } = await server.waitFor(({ to }) => to.includes(story.recipients[0] ?? ''), 5000);
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
  it('by several workers at once, however many subscribers there are', async () => {
    const stories = await Promise.all([begin({ subscribers: 1100 }), begin(), begin()]);
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
    const story = await begin({ subscribers: 30 });
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
