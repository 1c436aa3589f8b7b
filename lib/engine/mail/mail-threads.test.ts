import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLogger } from '@/lib/core/logger';
import { changeReminders } from '@/lib/domain/organizations/reminders';
import { recordResults } from '@/lib/engine/checks/recording/record-results';
import { beginStory, FAILED, OK } from '@/lib/engine/testing/story';
import { wordsOf } from '@/lib/platform/mail/testing/words-of';
import { useTestDatabase } from '@/lib/testing/database';
import { type MailServer, startMailServer } from '@/lib/testing/mailbox';
import { createMailEngine, startDueMail } from './drain-mail';
import { mailDueNotices } from './mail-notices';
import { mailDueReminders } from './mail-reminders';

const SETTINGS = { groupSeconds: 60, appUrl: 'https://pharos.test' };
const MINUTE = 60_000;
const database = useTestDatabase();
let server: MailServer;

beforeAll(async () => {
  server = await startMailServer();
});
afterAll(() => server.close());

/** An organization with one member and the monitors Shop and API. */
async function begin() {
  const story = await beginStory(database.db, { mail: true });
  const { clock, services, organizationId } = story;
  const where = { organizationId };
  const { user } = await database.db.membership.findFirstOrThrow({ where, select: { user: true } });
  const monitor = { alertThreshold: 1, regions: ['us-east'] };
  const names = new Map([
    [(await story.addMonitor({ ...monitor, name: 'Shop' })).id, 'Shop'],
    [(await story.addMonitor({ ...monitor, name: 'API' })).id, 'API'],
  ]);
  const receive = async () => {
    const engine = createMailEngine({
      workerId: 'wrk_test',
      services,
      serviceName: 'Pharos',
      smtp: () => ({ url: server.url, from: { name: 'Pharos', address: 'pharos@example.com' } }),
      notices: SETTINGS,
      log: createLogger('silent', 'test'),
    });
    const before = server.mails.length;
    while ((await startDueMail(engine)) > 0) await engine.slots.idle();
    engine.transport.close();
    return server.mails.slice(before).filter(({ to }) => to.includes(user.email));
  };
  return {
    ...story,
    /** Lets time pass, and returns the mails that the member receives then. */
    pass: async (ms = MINUTE) => {
      clock.advance(ms);
      await mailDueNotices(services, SETTINGS);
      await mailDueReminders(services, SETTINGS);
      return (await receive()).map(({ parsed }) => ({
        subject: parsed.subject,
        id: parsed.messageId,
        replyTo: parsed.inReplyTo,
        references: parsed.references,
        text: parsed.text ?? '',
        html: parsed.html ?? '',
        headers: Object.fromEntries(parsed.headers.map(({ key, value }) => [key, value])),
      }));
    },
    /** All checks of the next round; those of the named monitors fail. */
    round: async (...failing: string[]) => {
      clock.advance(90_000);
      const taken = await story.take();
      await recordResults(
        services,
        taken.map((check) => {
          const result = failing.includes(names.get(check.monitor.id) ?? '') ? FAILED : OK;
          return { check, startedAt: clock.now(), result };
        }),
      );
    },
  };
}

type Received = Awaited<ReturnType<Awaited<ReturnType<typeof begin>>['pass']>>[number];

function only(mails: Received[]): Received {
  const [mail, ...others] = mails;
  if (!mail) throw new Error('nothing was received');
  expect(others).toEqual([]);
  return mail;
}

const startOf = ({ text }: Received) => text.split(/\r?\n/)[0];

describe('the emails about an incident', () => {
  it('are one thread with one subject; what changed comes first', async () => {
    const story = await begin();
    const operator = { ...story.ctx, actor: { kind: 'operator' as const } };
    await changeReminders(operator, { reminderMinutes: 30 });
    await story.round('Shop');
    const first = only(await story.pass());
    expect(first).toMatchObject({ subject: 'Shop is down', replyTo: undefined, references: undefined });
    expect(first.id).toMatch(/^<thr_\w+@example\.com>$/);

    const reminder = only(await story.pass(30 * MINUTE));
    await story.round();
    const end = only(await story.pass());
    for (const reply of [reminder, end]) {
      expect(reply).toMatchObject({ subject: 'Re: Shop is down', replyTo: first.id, references: first.id });
    }
    expect(new Set([first, reminder, end].map(({ id }) => id)).size).toBe(3);
    expect([first, reminder, end].map(startOf)).toEqual([
      'Shop is down',
      'Shop is still down',
      'Shop is back up',
    ]);
    expect(end.html).toMatch(/>Shop is back up\. It was down for \w+( \w+)?\.<\/div>/);

    await story.round('Shop');
    const next = only(await story.pass());
    expect(next, 'another incident is another thread').toMatchObject({ subject: 'Shop is down' });
    expect([next.replyTo, next.references]).toEqual([undefined, undefined]);
    expect(next.id).not.toBe(first.id);
  });

  it('that were announced together continue that thread', async () => {
    const story = await begin();
    await story.round('Shop', 'API');
    const both = only(await story.pass());
    expect(both.subject).toBe('2 monitors changed: 2 down');
    await story.round('API');
    const one = only(await story.pass());
    await story.round();
    const other = only(await story.pass());
    for (const reply of [one, other]) {
      expect(reply).toMatchObject({ subject: `Re: ${both.subject}`, replyTo: both.id, references: both.id });
    }
    expect([startOf(one), startOf(other)]).toEqual(['Shop is back up', 'API is back up']);
  });

  it('that were announced apart and end together start a thread that refers to both', async () => {
    const story = await begin();
    await story.round('Shop');
    const shop = only(await story.pass());
    await story.round('Shop', 'API');
    const api = only(await story.pass());
    expect([api.subject, api.references]).toEqual(['API is down', undefined]);
    await story.round();
    const end = only(await story.pass());
    expect(end).toMatchObject({ subject: '2 monitors changed: 2 up', replyTo: undefined });
    expect(end.references).toBe(`${shop.id} ${api.id}`);
  });

  it('continue its thread when another incident began meanwhile, in a mail of both that starts the thread of the other', async () => {
    const story = await begin();
    await story.round('Shop');
    const shop = only(await story.pass());
    await story.round('API');
    const mixed = only(await story.pass());
    expect(mixed).toMatchObject({ subject: '2 monitors changed: 1 down, 1 up', references: shop.id });
    await story.round();
    expect(only(await story.pass())).toMatchObject({
      subject: `Re: ${mixed.subject}`,
      replyTo: mixed.id,
    });
  });

  it('announced by an older version start a thread with the next one', async () => {
    const story = await begin();
    await story.round('Shop');
    await story.pass();
    const { organizationId } = story;
    const data = { threadId: null, threadSubject: null };
    await database.db.memberNotice.updateMany({ where: { organizationId }, data });
    await story.round();
    expect(only(await story.pass())).toMatchObject({ subject: 'Shop is back up', replyTo: undefined });
  });

  it('say the same as text and as HTML, and can be turned off with one click', async () => {
    const story = await begin();
    await story.round('Shop');
    const { text, html, headers } = only(await story.pass());
    const lines = (body: string) => body.replaceAll('\r\n', '\n');
    expect(wordsOf.html(lines(html))).toEqual(wordsOf.text(lines(text)));
    const [, url = ''] = /^<(\S+)>$/.exec(headers['list-unsubscribe'] ?? '') ?? [];
    expect(url).toMatch(
      /^https:\/\/pharos\.test\/unsubscribe\?organization=org_\w+&user=usr_\w+&list=alerts&token=\w+$/,
    );
    expect(headers['list-unsubscribe-post']).toBe('List-Unsubscribe=One-Click');
    expect(text).toContain(`Turn off alert emails: ${url}`);
  });
});

it('a mail keeps neither content nor thread once it was sent', async () => {
  const story = await begin();
  await story.round('Shop');
  await story.pass();
  const { organizationId } = story;
  const mail = await database.db.mail.findFirstOrThrow({ where: { organizationId } });
  expect(mail).toMatchObject({ contentSealed: null, thread: null });
  expect(mail.sentAt).not.toBeNull();
});
