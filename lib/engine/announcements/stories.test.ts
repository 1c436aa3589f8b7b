import { describe, expect, it } from 'vitest';
import type { Services } from '@/lib/domain/context/services';
import {
  acknowledgeFromMessage,
  readMessageLink,
} from '@/lib/domain/incidents/acknowledge/acknowledge-from-message';
import { createWebhook, deleteWebhook, updateWebhook } from '@/lib/domain/webhooks/change-webhook';
import { mailDueNotices } from '@/lib/engine/mail/mail-notices';
import { addAcknowledgeLink } from '@/lib/notify/acknowledge-link';
import { mailContentSchema, mailThreadSchema } from '@/lib/platform/mail/queue-mail';
import { createWebhookSchema, updateWebhookSchema } from '@/lib/schemas/webhooks/webhook';
import { useTestDatabase } from '@/lib/testing/database';
import { beginDependencies } from './testing/dependency-story';

const database = useTestDatabase();
const SECOND = 1000;
const listNames = (count: number) => Array.from({ length: count }, (_, index) => `Shop ${index + 1}`);

/** Monitors without dependencies on one host, unless their name is that of another. */
async function begin(names: string[]) {
  const story = await beginDependencies(database.db, {
    names,
    gateway: { url: 'http://gateway.test/' },
    fieldsOf: (name) => ({
      dependsOn: [],
      url: name.startsWith('Shop') ? `http://shop.test/${name.replace(' ', '-')}` : `http://${name}.test/`,
    }),
  });
  await story.check([]);
  return story;
}

/** The token of the link in the last message to an endpoint; null: it has none. */
async function linkOfLast({ keyring }: Services, endpointId: string): Promise<string | null> {
  const { id, body, event } = await database.db.delivery.findFirstOrThrow({
    where: { endpointId },
    include: { event: true },
    orderBy: { number: 'desc' },
  });
  return addAcknowledgeLink(keyring, { id, occurredAt: event.occurredAt }, body ?? '').secrets.link ?? null;
}

describe('monitors on one host that go down within a minute', () => {
  it('are two messages: the first at once, and one about the rest; programs get every event', async () => {
    const names = listNames(40);
    const { check, announceRest, messages, delivered } = await begin(names);
    await check(['Shop 1'], { only: ['Shop 1'] });
    expect(await messages()).toEqual(['New incident: Shop 1 is down']);
    const [some, others] = [names.slice(1, 20), names.slice(20)];
    await check(some, { only: some, afterMs: 20 * SECOND });
    await check(others, { only: others, afterMs: 20 * SECOND });
    await announceRest(20 * SECOND - 1);
    expect(await messages()).toHaveLength(1);
    expect(await announceRest(1)).toBeNull();
    expect(await messages()).toEqual(['New incident: Shop 1 is down', 'Shop 1 is down, and 39 more']);
    const countEvents = async (kind: string) =>
      (await delivered('standard')).filter((event) => event.endsWith(kind)).length;
    expect(await countEvents('monitor.down')).toBe(40);

    await check([], { only: ['Shop 7'], afterMs: 600 * SECOND });
    await check([], { only: names, afterMs: 30 * SECOND });
    await announceRest();
    expect((await messages()).slice(2)).toEqual([
      expect.stringMatching(/^Shop 7 is up after \d+m$/),
      'Shop 7 is up again, and 39 more',
    ]);
    expect(await countEvents('monitor.up')).toBe(40);
  });

  it('are acknowledged together with the link of the message about the rest; their recovery has none', async () => {
    const names = listNames(4);
    const { services, endpoints, ctx, check, announceRest, idOf } = await begin(names);
    services.appUrl = 'https://pharos.example.com';
    await check(['Shop 1'], { only: ['Shop 1'] });
    await check(names, { only: names.slice(1), afterMs: SECOND });
    await announceRest();
    const token = (await linkOfLast(services, endpoints.chat)) ?? '';
    await check(names.slice(0, 3), { only: ['Shop 4'], afterMs: SECOND });
    const visit = { userId: null, address: null };
    const { incidents } = await readMessageLink(services, token, visit);
    expect(incidents.map(({ title, isResolved }) => [title, isResolved])).toEqual([
      ['Shop 1 is down', false],
      ['Shop 2 is down', false],
      ['Shop 3 is down', false],
      ['Shop 4 is down', true],
    ]);
    await acknowledgeFromMessage(services, token, visit);
    const { organizationId } = ctx;
    const all = await database.db.incident.findMany({
      where: { organizationId },
      orderBy: { number: 'asc' },
    });
    expect(all.map(({ monitorId, acknowledgedBy }) => [monitorId, acknowledgedBy])).toEqual([
      ...['Shop 1', 'Shop 2', 'Shop 3'].map((name) => [idOf(name), 'someone in Slack']),
      [idOf('Shop 4'), null],
    ]);
    await expect(acknowledgeFromMessage(services, token, visit)).rejects.toThrow('already used');
    await check([], { only: names, afterMs: 600 * SECOND });
    await announceRest();
    expect(await linkOfLast(services, endpoints.chat)).toBeNull();
  });

  it('lead readers of a message to no incident that the rules of its endpoint leave out', async () => {
    const names = listNames(5);
    const { services, endpoints, ctx, check, announceRest, idOf } = await begin(names);
    services.appUrl = 'https://pharos.example.com';
    const monitors = names.slice(0, 3).map(idOf);
    await updateWebhook(ctx, endpoints.chat, updateWebhookSchema.parse({ rules: [{ monitors }] }));
    await check(['Shop 1'], { only: ['Shop 1'] });
    await check(names, { only: names.slice(1), afterMs: SECOND });
    await announceRest();
    const token = (await linkOfLast(services, endpoints.chat)) ?? '';
    const { incidents } = await readMessageLink(services, token, { userId: null });
    expect(incidents.map(({ title }) => title)).toEqual(names.slice(0, 3).map((name) => `${name} is down`));
  });

  it('are two emails in one thread, and so are their recoveries', async () => {
    const names = listNames(40);
    const story = await begin(names);
    const { check, clock, services, organizationId } = story;
    const subjects = async (afterMs: number) => {
      clock.advance(afterMs);
      await mailDueNotices(services, { groupSeconds: 60, appUrl: 'https://pharos.test' });
      const mails = await database.db.mail.findMany({ where: { organizationId }, orderBy: { id: 'asc' } });
      return mails.map(({ id, contentSealed, thread }) => {
        const content = services.keyring.open(contentSealed ?? new Uint8Array(), id);
        const { subject, blocks } = mailContentSchema.parse(JSON.parse(content));
        const [first] = blocks;
        const says = first && 'paragraph' in first ? first.paragraph : '';
        return { subject, says, thread: mailThreadSchema.parse(thread).id };
      });
    };
    await check(['Shop 1'], { only: ['Shop 1'] });
    const [first, ...none] = await subjects(2 * SECOND);
    expect([first?.subject, none]).toEqual(['Shop 1 is down', []]);
    const rest = names.slice(1);
    await check(rest, { only: rest, afterMs: 20 * SECOND });
    expect((await subjects(40 * SECOND)).slice(1)).toEqual([
      { subject: '39 more monitors are down', says: 'Same host shop.test.', thread: first?.thread },
    ]);
    await check([], { only: ['Shop 7'], afterMs: 600 * SECOND });
    await subjects(2 * SECOND);
    const others = names.filter((name) => name !== 'Shop 7');
    await check([], { only: others, afterMs: 20 * SECOND });
    const recovered = (await subjects(40 * SECOND)).slice(2);
    expect(recovered.map(({ subject }) => subject)).toEqual([
      'Shop 7 is back up',
      '39 monitors changed: 39 up',
    ]);
    expect(new Set(recovered.map(({ thread }) => thread))).toEqual(new Set([first?.thread]));
  });

  it('that recover before the summary are mentioned in it', async () => {
    const names = listNames(4);
    const { check, announceRest, messages, chatTexts } = await begin(names);
    await check(['Shop 1'], { only: ['Shop 1'] });
    await check(['Shop 2', 'Shop 3', 'Shop 4'], { only: names.slice(1), afterMs: 10 * SECOND });
    await check([], { only: ['Shop 3'], afterMs: 10 * SECOND });
    await announceRest();
    expect(await messages()).toEqual(['New incident: Shop 1 is down', 'Shop 1 is down, and 3 more']);
    expect((await chatTexts())[1]).toContain('Shop 2, Shop 3, Shop 4.\\n1 of them has recovered since.');
  });

  it('are one message more for each that stands apart: other hosts, and what comes after a minute', async () => {
    const names = ['Shop 1', 'Shop 2', 'Blog'];
    const { check, announceRest, messages } = await begin(names);
    await check(['Shop 1'], { only: ['Shop 1'] });
    await check(['Blog'], { only: ['Blog'], afterMs: 10 * SECOND });
    await check(['Shop 2'], { only: ['Shop 2'], afterMs: 50 * SECOND });
    await announceRest();
    expect(await messages()).toEqual(
      ['Shop 1', 'Blog', 'Shop 2'].map((name) => `New incident: ${name} is down`),
    );
  });

  it('that change again stand alone, so that people are notified at once', async () => {
    const { check, announceRest, messages } = await begin(['Shop 1', 'Shop 2']);
    await check(['Shop 1'], { only: ['Shop 1'] });
    await check([], { only: ['Shop 1'], afterMs: 10 * SECOND });
    await check(['Shop 1'], { only: ['Shop 1'], afterMs: 10 * SECOND });
    expect(await messages()).toHaveLength(3);
    await announceRest();
    expect(await messages()).toHaveLength(3);
  });
});

describe('an endpoint', () => {
  it('that heard of none before gets the first that it subscribes to at once', async () => {
    const names = listNames(3);
    const { check, announceRest, messages, ctx, endpoints } = await begin(names);
    await updateWebhook(ctx, endpoints.chat, { events: ['incident.resolved'] });
    await check(names, { only: names });
    await updateWebhook(ctx, endpoints.chat, { events: ['incident.created'] });
    await announceRest();
    expect(await messages()).toEqual(['3 monitors are down']);
  });

  it('that is deleted meanwhile gets nothing, and one that is new gets the summary', async () => {
    const names = listNames(3);
    const { check, announceRest, ctx, endpoints } = await begin(names);
    await check(['Shop 1'], { only: ['Shop 1'] });
    await check(names.slice(1), { only: names.slice(1), afterMs: 10 * SECOND });
    await deleteWebhook(ctx, endpoints.chat);
    const input = { url: 'https://hooks.example.com/y', format: 'slack' };
    const { id: endpointId } = await createWebhook(ctx, createWebhookSchema.parse(input));
    await announceRest();
    expect(await database.db.delivery.count({ where: { endpointId } })).toBe(1);
  });
});
