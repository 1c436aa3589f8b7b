import { describe, expect, it } from 'vitest';
import { createSession, endSessionsOf } from '@/lib/domain/people/sessions';
import { startPushService } from '@/lib/platform/push/testing/push-service';
import { type PushTarget, pushTargetSchema } from '@/lib/schemas/push';
import { useTestDatabase } from '@/lib/testing/database';
import { createTestOrganization, createTestServices } from '@/lib/testing/services';
import {
  addBrowser,
  MAX_BROWSERS,
  openTarget,
  removeBrowser,
  renewBrowser,
  testBrowser,
} from './change-browsers';
import { listBrowsers } from './list-browsers';
import { ensurePushKey, readPushKeys } from './push-keys';

const database = useTestDatabase();

async function begin() {
  const services = createTestServices({ db: database.db });
  const { ctx, userId } = await createTestOrganization(services);
  const push = await startPushService();
  const key = await ensurePushKey(services);
  const signIn = () => createSession(services, { userId, address: null, userAgent: 'Firefox' });
  const subscribe = () => push.subscribe(key);
  const add = async (target: PushTarget = subscribe(), sessionId?: string) => {
    const session = sessionId ?? (await signIn());
    await addBrowser(ctx, { userId, sessionId: session }, target);
    return session;
  };
  const list = async () => (await listBrowsers(ctx, userId)).map(({ sessionId }) => sessionId);
  return { services, ctx, userId, push, signIn, subscribe, add, list };
}

describe('the keys of an installation', () => {
  it('are created once, also by several at a time, and only their holder can read the private one', async () => {
    const { services } = await begin();
    const none = { pushPublicKey: null, pushPrivateKeySealed: null };
    await database.db.instance.update({ where: { id: 1 }, data: none });
    expect(await readPushKeys(services)).toBeNull();
    const keys = await Promise.all(Array.from({ length: 5 }, () => ensurePushKey(services)));
    expect(new Set(keys).size).toBe(1);
    const { pushPrivateKeySealed } = await database.db.instance.findUniqueOrThrow({ where: { id: 1 } });
    const { privateKey = '' } = (await readPushKeys(services)) ?? {};
    expect(privateKey).toMatch(/^[\w-]{43}$/);
    expect(Buffer.from(pushPrivateKeySealed ?? []).includes(Buffer.from(privateKey))).toBe(false);
  });
});

describe('a browser', () => {
  it('is one subscription per session, and the same browser in a later session replaces the earlier one', async () => {
    const { add, list, signIn, subscribe } = await begin();
    const target = subscribe();
    const session = await add(target);
    await add(subscribe(), session);
    expect(await list()).toEqual([session]);
    const next = await signIn();
    await add(target, session);
    await add(target, next);
    expect(await list()).toEqual([next]);
  });

  it('ends with its session, and with the membership', async () => {
    const { services, ctx, userId, add, list } = await begin();
    const [first, second] = [await add(), await add()];
    await endSessionsOf(database.db, userId, { except: second });
    expect(await list()).toEqual([second]);
    expect(first).not.toBe(second);
    const { organizationId } = ctx;
    await services.db.membership.delete({ where: { organizationId_userId: { organizationId, userId } } });
    expect(await list()).toEqual([]);
  });

  it('can be removed by its person alone, and is sealed', async () => {
    const { ctx, userId, add, list, subscribe } = await begin();
    const target = subscribe();
    await add(target);
    const row = await database.db.pushSubscription.findFirstOrThrow({ where: { userId } });
    expect(Buffer.from(row.targetSealed).includes(Buffer.from(target.keys.auth))).toBe(false);
    expect(openTarget(ctx.keyring, row.id, row.targetSealed)).toEqual(target);
    await removeBrowser(ctx, 'usr_other', row.id);
    expect(await list()).toHaveLength(1);
    await removeBrowser(ctx, userId, row.id);
    expect(await list()).toEqual([]);
  });

  it(`is one of at most ${MAX_BROWSERS}, of members only`, async () => {
    const { ctx, add, list, signIn, subscribe } = await begin();
    for (let count = 0; count < MAX_BROWSERS; count++) await add();
    await expect(add()).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    expect(await list()).toHaveLength(MAX_BROWSERS);
    const visit = { userId: 'usr_other', sessionId: await signIn() };
    await expect(addBrowser(ctx, visit, subscribe())).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('gets another address in its session when the push service changes it', async () => {
    const { ctx, userId, add, subscribe } = await begin();
    const session = await add();
    const target = subscribe();
    await renewBrowser(ctx, session, target);
    await renewBrowser(ctx, 'ses_other', subscribe());
    const row = await database.db.pushSubscription.findFirstOrThrow({ where: { userId } });
    expect(openTarget(ctx.keyring, row.id, row.targetSealed)).toEqual(target);
  });

  it('is tested at once, every ten seconds at most; what the push service says is shown', async () => {
    const { ctx, userId, push, add } = await begin();
    await add();
    const { id } = await database.db.pushSubscription.findFirstOrThrow({ where: { userId } });
    const test = () => testBrowser(ctx, userId, id, push.sender);
    const again = () => database.db.pushSubscription.update({ where: { id }, data: { testedAt: null } });
    await test();
    expect(push.received).toMatchObject([{ message: { title: 'Test notification', acknowledge: null } }]);
    await expect(test()).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    await again();
    push.respondWith(500);
    await expect(test()).rejects.toThrow('Not sent: the push service responded with 500.');
    await again();
    await expect(testBrowser(ctx, userId, id)).rejects.toThrow(/Not sent: .*not allowed/);
    await again();
    push.respondWith(410);
    await expect(test()).rejects.toThrow('no longer accepts');
    await expect(test()).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

it.each([
  ['http', { endpoint: 'http://push.example.com/1' }],
  ['a long endpoint', { endpoint: `https://push.example.com/${'a'.repeat(2048)}` }],
  ['a short key', { keys: { p256dh: 'B', auth: 'A'.repeat(22) } }],
  ['a long secret', { keys: { p256dh: `B${'A'.repeat(86)}`, auth: 'A'.repeat(24) } }],
  ['what browsers do not send', { url: 'https://push.example.com/1' }],
])('a subscription with %s is refused', (_, fields) => {
  const keys = { p256dh: `B${'A'.repeat(86)}`, auth: 'A'.repeat(22) };
  const good = { endpoint: 'https://push.example.com/1', keys };
  expect(pushTargetSchema.safeParse(good).success).toBe(true);
  expect(pushTargetSchema.safeParse({ ...good, ...fields }).success).toBe(false);
});
