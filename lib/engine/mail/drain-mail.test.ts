import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sized } from '@/bin/testing/thorough.mjs';
import { findFreePort } from '@/lib/core/ports';
import { releaseClaimsOfDeadWorkers } from '@/lib/engine/runtime/release-claims';
import { beginMailStory, START } from '@/lib/engine/testing/mail-story';
import { joinTransaction } from '@/lib/platform/db/client';
import { readMoment } from '@/lib/platform/db/moments';
import { queueMail } from '@/lib/platform/mail/queue-mail';
import type { MailOutcome } from '@/lib/platform/mail/smtp-transport';
import { useTestDatabase } from '@/lib/testing/database';
import { type MailServer, startMailServer } from '@/lib/testing/mailbox';
import { createTestServices } from '@/lib/testing/services';
import { type ClaimedMail, claimDueMail, finishMail, nextMailAt, writeMailAttempts } from './claim-mail';
import { startDueMail } from './drain-mail';

const MINUTE = 60_000;
const database = useTestDatabase();
let server: MailServer;

beforeAll(async () => {
  server = await startMailServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  server.refuseWith(null);
  await database.db.mail.deleteMany();
});

const begin = (url = server.url) => beginMailStory(database.db, url);
const received = (to: string) => server.mails.filter((mail) => mail.to.includes(to));

describe('sending email', () => {
  it('sends queued mail once, as text and HTML, marked as automatic', async () => {
    const story = begin(server.url.replace('//', '//pharos:pass%3Aword@'));
    await story.queue('ada@example.com', { unsubscribeUrl: 'https://pharos.test/u/1' });
    await story.send();
    await story.send();
    const [mail, ...others] = received('ada@example.com');
    if (!mail) throw new Error('nothing was received');
    expect(others).toEqual([]);
    expect(mail.from).toBe('pharos@example.com');
    expect(mail.parsed).toMatchObject({
      from: { name: 'Pharos', address: 'pharos@example.com' },
      to: [{ name: '', address: 'ada@example.com' }],
      subject: 'Join Acme',
      date: START.toISOString(),
      attachments: [],
    });
    expect(mail.parsed.text).toContain('Join:\nhttps://pharos.test/join/secret-token');
    expect(mail.parsed.html).toContain('href="https://pharos.test/join/secret-token"');
    const row = await story.mailTo('ada@example.com');
    const headers = Object.fromEntries(mail.parsed.headers.map(({ key, value }) => [key, value]));
    expect(headers).toMatchObject({
      'message-id': `<${row.id}@example.com>`,
      'auto-submitted': 'auto-generated',
      'list-unsubscribe': '<https://pharos.test/u/1>',
      'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
    });
  });

  it('uses one connection for mails that are sent one after another', async () => {
    const story = begin();
    const before = server.connections();
    await story.withWorker('wrk_test', async (engine) => {
      for (const name of ['one', 'two', 'three']) {
        await story.queue(`${name}@example.com`);
        await startDueMail(engine);
        await engine.slots.idle();
      }
    });
    expect(server.connections() - before).toBe(1);
  });

  it('sends nothing if the transaction that queued it is rolled back', async () => {
    const story = begin();
    const content = { subject: 'Undone', blocks: [] };
    const mail = { organizationId: null, kind: 'test', to: 'undone@example.com', content };
    const undone = database.db.$transaction(async (tx) => {
      await queueMail(tx, story.services, mail);
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    await story.queue('kept@example.com');
    await story.send();
    expect([received('kept@example.com').length, received('undone@example.com').length]).toEqual([1, 0]);
  });

  it('queues no mail when email is off', async () => {
    const services = createTestServices({ db: database.db });
    const mail = {
      organizationId: null,
      kind: 'test',
      to: 'off@example.com',
      content: { subject: 'x', blocks: [] },
    };
    await expect(database.db.$transaction((tx) => queueMail(tx, services, mail))).rejects.toThrow(
      'email is off',
    );
  });

  it('stores the content encrypted until it is sent, and deletes it afterwards', async () => {
    const story = begin();
    await story.queue('bob@example.com');
    const waiting = await story.mailTo('bob@example.com');
    expect(Buffer.from(waiting.contentSealed ?? []).includes('secret-token')).toBe(false);
    expect(story.services.keyring.open(waiting.contentSealed ?? new Uint8Array(), waiting.id)).toContain(
      'secret-token',
    );
    await story.send();
    const over = { contentSealed: null, nextAttemptAt: null, failedAt: null, sentAt: START, claimedBy: null };
    expect(await story.mailTo('bob@example.com')).toMatchObject(over);
  });

  it('prevents header injection by names', async () => {
    const story = begin();
    await story.queue('eve@example.com', { subject: 'Shop\r\nBcc: all@example.com\r\n\r\nHello is down' });
    await story.send();
    const [mail] = received('eve@example.com');
    expect(mail?.parsed.subject).toBe('Shop Bcc: all@example.com Hello is down');
    expect(mail?.parsed.headers.map(({ key }) => key)).not.toContain('bcc');
    expect(mail?.to).toEqual(['eve@example.com']);
  });

  it('sends names of any alphabet and length', async () => {
    const story = begin();
    const name = 'Überwachung 監視 🚀 '.repeat(20);
    await story.queue('long@example.com', { subject: name, blocks: [{ list: [{ text: name }] }] });
    await story.send();
    const [mail] = received('long@example.com');
    expect(mail?.parsed.subject).toMatch(/^Überwachung 監視 🚀 .*…$/);
    expect(mail?.raw.split('\r\n').every((line) => line.length <= 998)).toBe(true);
  });
});

type Refusal = 'recipient' | 'data' | 'login';

describe('a mail that the server rejects', () => {
  it.each(sized<Refusal[]>(['recipient'], { thorough: ['recipient', 'data', 'login'] }))(
    'is retried on schedule after a 4xx for the %s, and fails after the fourth retry',
    async (at) => {
      const story = begin(server.url.replace('//', '//pharos:pass%3Aword@'));
      const to = `${at}@example.com`;
      await story.queue(to);
      server.refuseWith(450, at);
      await story.send();
      for (const delay of [1, 5, 30, 120]) {
        const { nextAttemptAt } = await story.mailTo(to);
        expect(nextAttemptAt?.getTime()).toBe(story.clock.now().getTime() + delay * MINUTE);
        story.clock.advance(delay * MINUTE - 1);
        const { attempts } = await story.mailTo(to);
        await story.send();
        expect((await story.mailTo(to)).attempts, 'no try early').toBe(attempts);
        story.clock.advance(1);
        await story.send();
      }
      const mail = await story.mailTo(to);
      expect(mail).toMatchObject({ attempts: 5, failures: 5, sentAt: null, contentSealed: null });
      expect(mail.failedAt).toEqual(story.clock.now());
      expect(mail.error).toContain('450');
      expect(received(to)).toEqual([]);
    },
  );

  it('arrives with the first successful retry', async () => {
    const story = begin();
    await story.queue('later@example.com');
    server.refuseWith(451);
    await story.send();
    server.refuseWith(null);
    story.clock.advance(MINUTE);
    await story.send();
    expect(received('later@example.com')).toHaveLength(1);
    expect(await story.mailTo('later@example.com')).toMatchObject({ attempts: 2, failures: 1, error: null });
  });

  it.each(['recipient', 'data'] as const)('is given up after a 5xx for the %s', async (at) => {
    const story = begin();
    const to = `no-${at}@example.com`;
    await story.queue(to);
    server.refuseWith(550, at);
    await story.send();
    const mail = await story.mailTo(to);
    expect(mail).toMatchObject({ attempts: 1, nextAttemptAt: null, contentSealed: null, failedAt: START });
    expect(mail.error).toContain('550');
  });

  it('waits while the password is wrong, which is not about the mail', async () => {
    const story = begin(server.url.replace('//', '//pharos:wrong@'));
    await story.queue('login5@example.com');
    await story.send();
    const mail = await story.mailTo('login5@example.com');
    expect(mail.nextAttemptAt?.getTime()).toBe(START.getTime() + MINUTE);
    expect(mail.error).toContain('535');
  });

  it('waits while the server is unavailable', async () => {
    const story = begin(`smtp://127.0.0.1:${await findFreePort()}`);
    await story.queue('away@example.com');
    await story.send();
    const mail = await story.mailTo('away@example.com');
    expect(mail.nextAttemptAt?.getTime()).toBe(START.getTime() + MINUTE);
    expect(mail.error).toContain('ECONNREFUSED');
  });

  it('waits while the certificate is untrusted, and is sent once the operator trusts it', async () => {
    const secure = await startMailServer({ tls: true });
    try {
      const story = begin(secure.url);
      await story.queue('tls@example.com');
      await story.send();
      expect((await story.mailTo('tls@example.com')).error).toMatch(/certificate/);
      expect(secure.mails).toEqual([]);
      const trusting = begin(`${secure.url}?tls.rejectUnauthorized=false`);
      trusting.clock.advance(MINUTE);
      await trusting.send();
      expect(secure.mails.map(({ to }) => to)).toEqual([['tls@example.com']]);
    } finally {
      await secure.close();
    }
  });

  it('is outdated after a day, and fails unsent', async () => {
    const story = begin();
    await story.queue('stale@example.com');
    story.clock.advance(24 * 60 * MINUTE + 1);
    await story.send();
    expect(received('stale@example.com')).toEqual([]);
    expect(await story.mailTo('stale@example.com')).toMatchObject({
      error: 'not sent within a day',
      contentSealed: null,
    });
  });

  it('fails if its content cannot be read, without blocking others', async () => {
    const story = begin();
    await story.queue('broken@example.com');
    await database.db.mail.updateMany({ data: { contentSealed: new Uint8Array([1, 2, 3]) } });
    await story.queue('next@example.com');
    await story.send();
    expect((await story.mailTo('broken@example.com')).error).toMatch(/^could not read its content/);
    expect(received('next@example.com')).toHaveLength(1);
  });
});

describe('two workers', () => {
  it('send each mail once', async () => {
    const story = begin();
    const all = Array.from({ length: 40 }, (_, index) => `both-${index}@example.com`);
    for (const to of all) await story.queue(to);
    const work = (workerId: string) =>
      story.withWorker(workerId, async (engine) => {
        while ((await startDueMail(engine)) > 0) await engine.slots.idle();
      });
    await Promise.all([work('wrk_a'), work('wrk_b'), work('wrk_c')]);
    const sent = server.mails.flatMap(({ to }) => to).filter((to) => to.startsWith('both-'));
    expect(sent.toSorted()).toEqual(all.toSorted());
  });

  it('skip what another one is claiming', async () => {
    const story = begin();
    await story.queue('claimed@example.com');
    await database.db.$transaction(async (tx) => {
      const other = { ...story.services, db: joinTransaction(tx) };
      expect(await claimDueMail(other, { limit: 5, workerId: 'wrk_a' })).toHaveLength(1);
      expect(await claimDueMail(story.services, { limit: 5, workerId: 'wrk_b' })).toEqual([]);
    });
    expect(await story.mailTo('claimed@example.com')).toMatchObject({ claimedBy: 'wrk_a', attempts: 1 });
  });

  it('take over from a crashed one: the mail is sent again with the same Message-ID', async () => {
    const story = begin();
    await story.queue('twice@example.com');
    const now = story.clock.now();
    await database.db.worker.create({ data: { id: 'wrk_dead', regions: [], startedAt: now, seenAt: now } });
    // It sends the mail, and crashes before recording it.
    await story.withWorker('wrk_dead', async ({ transport }) => {
      const [mail] = await claimDueMail(story.services, { limit: 5, workerId: 'wrk_dead' });
      const { id = '' } = mail ?? {};
      const content = { subject: 'Join Acme', text: 'x', html: 'x', headers: {} };
      expect(await transport.send({ id, to: 'twice@example.com', date: now, ...content })).toEqual({
        sent: true,
      });
    });
    story.clock.advance(12_001);
    await story.send();
    expect(received('twice@example.com'), 'the lease has not ended').toHaveLength(1);
    await releaseClaimsOfDeadWorkers(story.services, new Date(story.clock.now().getTime() - 12_000));
    await story.send();
    const ids = received('twice@example.com').map(({ parsed }) => parsed.messageId);
    expect(ids).toHaveLength(2);
    expect(new Set(ids).size).toBe(1);
    expect(await story.mailTo('twice@example.com')).toMatchObject({ failures: 0, sentAt: story.clock.now() });
  });

  it('ignore a failure of one whose lease expired, but not a success', async () => {
    const story = begin();
    await story.queue('slow@example.com');
    const claim = async () => {
      const [mail] = await claimDueMail(story.services, { limit: 1, workerId: 'wrk_a' });
      if (!mail) throw new Error('nothing was due');
      return mail;
    };
    const late = await claim();
    expect(await readMoment(story.services.db, nextMailAt(story.services.clock.now()))).toBeNull();
    story.clock.advance(300_001);
    const own = await claim();
    const settle = (mail: ClaimedMail, outcome: MailOutcome) =>
      writeMailAttempts(story.services, [finishMail(mail, outcome, story.clock.now())]);
    await settle(late, { sent: false, isFinal: true, error: 'late' });
    expect(await story.mailTo('slow@example.com')).toMatchObject({ failedAt: null, error: null });
    await settle(own, { sent: false, isFinal: true, error: 'refused' });
    await settle(late, { sent: true });
    expect(await story.mailTo('slow@example.com')).toMatchObject({ failedAt: null, error: null });
  });
});
