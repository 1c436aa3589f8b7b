import { beforeEach, describe, expect, it } from 'vitest';
import { createLogger } from '@/lib/core/logger';
import { acknowledgeByLink } from '@/lib/domain/incidents/acknowledge/acknowledge-by-link';
import { createMaintenance } from '@/lib/domain/maintenance/create-maintenance';
import { changeReminders } from '@/lib/domain/organizations/reminders';
import { changeMailPreferences } from '@/lib/domain/people/mail-preferences';
import { createSession } from '@/lib/domain/people/sessions';
import { addBrowser } from '@/lib/domain/push/change-browsers';
import { ensurePushKey } from '@/lib/domain/push/push-keys';
import { mailDueNotices } from '@/lib/engine/mail/mail-notices';
import { mailDueReminders } from '@/lib/engine/mail/mail-reminders';
import { beginStory, FAILED, OK } from '@/lib/engine/testing/story';
import { runMaintenanceWindows } from '@/lib/engine/upkeep/run-maintenance-windows';
import { readMoment } from '@/lib/platform/db/moments';
import { PUSH_SENDER } from '@/lib/platform/push/post-push';
import { type ReceivedPush, startPushService } from '@/lib/platform/push/testing/push-service';
import { acknowledgeLinkSchema } from '@/lib/schemas/incidents/acknowledge-link';
import { createMaintenanceSchema } from '@/lib/schemas/maintenance';
import { memberRulesSchema } from '@/lib/schemas/webhooks/rules';
import { useTestDatabase } from '@/lib/testing/database';
import { holdBeforeCommit, untilBlocked } from '@/lib/testing/races';
import { claimDuePushes, nextPushAt } from './claim-pushes';
import { createPushes, startDuePushes } from './send-pushes';

const MINUTE = 60_000;
const SETTINGS = { groupSeconds: 60, appUrl: null };
const database = useTestDatabase();

beforeEach(async () => {
  await database.db.pushSubscription.deleteMany();
});

/** A monitor named Shop that fails after one check, its owner, and a push service. Email is off. */
async function begin({ mail = false, browsers = 1 }: { mail?: boolean; browsers?: number } = {}) {
  const { db } = database;
  const story = await beginStory(db, { mail });
  const { services, clock, organizationId, ctx } = story;
  const { userId } = await db.membership.findFirstOrThrow({ where: { organizationId } });
  const shop = await story.addMonitor({ alertThreshold: 1, tags: ['shop'] });
  const push = await startPushService();
  const engine = (workerId = 'wrk_a', sender = push.sender) =>
    createPushes({ workerId, services, log: createLogger('silent', 'test') }, () => undefined, sender);
  const add = async () => {
    const sessionId = await createSession(services, { userId, address: null, userAgent: null });
    const target = push.subscribe(await ensurePushKey(services));
    await addBrowser(ctx, { userId, sessionId }, target);
    return { sessionId, target };
  };
  for (let index = 0; index < browsers; index++) await add();
  return {
    ...story,
    shop,
    push,
    userId,
    add,
    engine,
    /** Lets time pass, plans what is due, and sends it; returns what arrived. */
    pass: async (ms = 2 * MINUTE, sending = engine()): Promise<ReceivedPush[]> => {
      clock.advance(ms);
      await mailDueNotices(services, SETTINGS);
      await mailDueReminders(services, SETTINGS);
      while ((await startDuePushes(sending)) > 0) await sending.slots.idle();
      return push.received.splice(0);
    },
    pending: () => db.pushMessage.count(),
  };
}

const titles = (received: ReceivedPush[]) => received.map(({ message }) => message.title);

describe('a member whose browser is subscribed', () => {
  it('is notified of an outage and its end without email, encrypted and signed', async () => {
    const story = await begin();
    await story.check(FAILED);
    const [down] = await story.pass();
    expect(down?.message).toEqual({
      id: expect.stringMatching(/^pms_/),
      title: 'Shop is down',
      body: 'responded with 503, expected 200',
      path: `/monitors/${story.shop.id}`,
      tag: expect.stringMatching(/^[\w-]{32}$/),
      acknowledge: expect.stringMatching(/^\?incidents=inc_/),
    });
    expect(down?.claims).toMatchObject({ aud: story.push.url, sub: 'https://pharos.test' });
    expect(down?.headers).toMatchObject({ ttl: '86400', urgency: 'high', topic: down?.message.tag });
    await story.check(OK);
    const [up] = await story.pass();
    expect(up?.message).toMatchObject({ title: 'Shop is back up', acknowledge: null });
    // It replaces the first one.
    expect(up?.message.tag).toBe(down?.message.tag);
    expect(await story.pending()).toBe(0);
    expect(await database.db.mail.count({ where: { organizationId: story.organizationId } })).toBe(0);
  });

  it('acknowledges its incident by the notification, once, and is reminded until then', async () => {
    const story = await begin();
    const operator = { ...story.ctx, actor: { kind: 'operator' as const } };
    await changeReminders(operator, { reminderMinutes: 30 });
    await story.check(FAILED);
    const [down] = await story.pass();
    const [reminder] = await story.pass(30 * MINUTE);
    expect(reminder?.message).toMatchObject({ title: 'Shop is still down', tag: down?.message.tag });
    const query = new URLSearchParams(String(reminder?.message.acknowledge));
    const link = acknowledgeLinkSchema.parse(Object.fromEntries(query));
    await acknowledgeByLink(story.services, link, null);
    const incident = await database.db.incident.findFirstOrThrow({ where: { monitorId: story.shop.id } });
    expect(incident.acknowledgedAt).not.toBeNull();
    await expect(acknowledgeByLink(story.services, link, null)).rejects.toThrow('already used');
    expect(await story.pass(60 * MINUTE)).toEqual([]);
  });

  it('gets what their rules match, in each of their browsers, whether they want email or not', async () => {
    const story = await begin({ mail: true, browsers: 2 });
    await changeMailPreferences(story.ctx, story.userId, { alertMail: false });
    await story.check(FAILED);
    expect(titles(await story.pass())).toEqual(['Shop is down', 'Shop is down']);
    await story.check(OK);
    await story.pass();
    const alertRules = memberRulesSchema.parse([{ tags: ['blog'] }]);
    await changeMailPreferences(story.ctx, story.userId, { alertRules });
    await story.check(FAILED);
    expect(await story.pass()).toEqual([]);
    expect(await database.db.mail.count({ where: { organizationId: story.organizationId } })).toBe(0);
  });

  it('gets one notification about all that fails at once, and none during maintenance', async () => {
    const story = await begin();
    await story.addMonitor({ name: 'Blog', alertThreshold: 1, url: 'http://blog.test/' });
    await story.check(FAILED);
    expect(titles(await story.pass())).toEqual(['2 monitors changed: 2 down']);
    await story.check(OK);
    await story.pass();
    const [startsAt, endsAt] = [MINUTE, 60 * MINUTE].map((ms) =>
      new Date(story.clock.now().getTime() + ms).toISOString(),
    );
    const window = { title: 'Update', startsAt, endsAt, monitors: [story.shop.id] };
    await createMaintenance(story.ctx, createMaintenanceSchema.parse(window));
    story.clock.advance(2 * MINUTE);
    await runMaintenanceWindows(story.services);
    await story.check(FAILED);
    expect(titles(await story.pass())).toEqual(['Blog is down']);
  });

  it('is sent nothing once their session has ended or expired, or they have left', async () => {
    const story = await begin({ browsers: 3 });
    const { db } = database;
    await story.check(FAILED);
    // Planned, but not sent.
    story.clock.advance(2 * MINUTE);
    await mailDueNotices(story.services, SETTINGS);
    const [ended, expired] = await db.pushSubscription.findMany({ orderBy: { id: 'asc' } });
    await db.session.delete({ where: { id: ended?.sessionId ?? '' } });
    await db.session.update({
      where: { id: expired?.sessionId ?? '' },
      data: { expiresAt: story.clock.now() },
    });
    expect(await story.pending()).toBe(2);
    expect(await story.pass(0)).toHaveLength(1);
    expect(await db.pushSubscription.count()).toBe(1);
    await db.membership.deleteMany({ where: { organizationId: story.organizationId } });
    expect(await db.pushSubscription.count()).toBe(0);
    await story.check(OK);
    expect(await story.pass()).toEqual([]);
  });

  it('leaves no notices where nobody is notified', async () => {
    const story = await begin({ browsers: 0 });
    await story.check(FAILED);
    const { organizationId } = story;
    expect(await database.db.memberNotice.count({ where: { organizationId } })).toBe(0);
  });
});

describe('a message', () => {
  it('is retried while the push service fails, not before it allows that, in order, and not forever', async () => {
    const story = await begin();
    await story.check(FAILED);
    story.push.respondWith(503, { 'Retry-After': '600' });
    await story.pass();
    const { services } = story;
    const due = await readMoment(database.db, nextPushAt(services.clock.now()));
    expect(due).toEqual(new Date(services.clock.now().getTime() + 600_000));
    await story.check(OK);
    story.push.respondWith(201);
    // The end of the outage waits for its beginning.
    expect(await story.pass()).toEqual([]);
    expect(await story.pending()).toBe(2);
    expect(titles(await story.pass(10 * MINUTE))).toEqual(['Shop is down', 'Shop is back up']);

    story.push.respondWith(429, { 'Retry-After': '99999999' });
    await story.check(FAILED);
    await story.pass();
    for (let hour = 0; hour < 5; hour++) await story.pass(61 * MINUTE);
    expect(await story.pending()).toBe(0);
    expect(await database.db.pushSubscription.count()).toBe(1);
  });

  it.each([
    [404, 'ends the subscription', 0],
    [410, 'ends the subscription', 0],
    [413, 'is given up', 1],
    [403, 'is given up', 1],
  ])('that a push service responds to with %i %s', async (status, _, left) => {
    const story = await begin();
    await story.check(FAILED);
    story.push.respondWith(status);
    await story.pass();
    expect(await story.pending()).toBe(0);
    expect(await database.db.pushSubscription.count()).toBe(left);
  });

  it('that a worker sent before it crashed is sent again, as the same notification', async () => {
    const story = await begin();
    await story.check(FAILED);
    story.clock.advance(2 * MINUTE);
    await mailDueNotices(story.services, SETTINGS);
    const row = await database.db.pushMessage.findFirstOrThrow();
    const [first] = await story.pass(0);
    // As if nothing had been recorded: the lease of the crashed worker has ended.
    await database.db.pushMessage.create({
      data: { ...row, claimedBy: 'wrk_crashed', leaseUntil: new Date(0) },
    });
    const [again] = await story.pass(MINUTE);
    expect(again?.message).toEqual(first?.message);
    expect(await story.pending()).toBe(0);
  });

  it('for a browser that is removed at the same moment is left out, and nobody else misses theirs', async () => {
    const story = await begin({ browsers: 2 });
    const { db } = database;
    await story.check(FAILED);
    story.clock.advance(2 * MINUTE);
    const { id } = await db.pushSubscription.findFirstOrThrow();
    const removing = await holdBeforeCommit(db, (held) => held.pushSubscription.delete({ where: { id } }));
    const planning = mailDueNotices(story.services, SETTINGS);
    await untilBlocked(db);
    await removing.release();
    await planning;
    expect(titles(await story.pass(0))).toEqual(['Shop is down']);
  });

  it('is sent by one of several workers', async () => {
    const story = await begin();
    await story.check(FAILED);
    story.clock.advance(2 * MINUTE);
    await mailDueNotices(story.services, SETTINGS);
    const now = story.clock.now();
    const claim = (workerId: string) => claimDuePushes(story.services, { limit: 5, workerId, now });
    const claims = await Promise.all([claim('wrk_a'), claim('wrk_b'), claim('wrk_c')]);
    expect(claims.flat()).toHaveLength(1);
  });

  it('is never sent into the network of this service, and a day later not at all', async () => {
    const story = await begin();
    await story.check(FAILED);
    expect(await story.pass(2 * MINUTE, story.engine('wrk_a', PUSH_SENDER))).toEqual([]);
    expect(await story.pending()).toBe(1);
    expect(await story.pass(25 * 60 * MINUTE)).toEqual([]);
    expect(await story.pending()).toBe(0);
  });
});
