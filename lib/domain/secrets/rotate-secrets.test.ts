import { readFileSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import { StartupError } from '@/lib/core/errors';
import { createKeyring } from '@/lib/core/keyring';
import { createLiveMail } from '@/lib/domain/context/live-mail';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { checkSecretKey } from '@/lib/domain/context/services';
import { changeMailServerByOperator } from '@/lib/domain/mail-server/change-mail-server';
import { createMonitor } from '@/lib/domain/monitors/create-monitor';
import { getMonitor } from '@/lib/domain/monitors/find-monitor';
import { updateMonitor } from '@/lib/domain/monitors/update-monitor';
import { createSession } from '@/lib/domain/people/sessions';
import { addBrowser, openTarget } from '@/lib/domain/push/change-browsers';
import { ensurePushKey, readPushKeys } from '@/lib/domain/push/push-keys';
import { queuePushes } from '@/lib/domain/push/queue-pushes';
import { addPage } from '@/lib/domain/status-pages/testing/pages';
import { openUrl, storeUrl } from '@/lib/domain/subscribers/endpoints/endpoint-target';
import { createWebhook, rotateSecret } from '@/lib/domain/webhooks/change-webhook';
import { openCredentials, openHeaders } from '@/lib/domain/webhooks/credentials';
import { openSigningSecrets } from '@/lib/domain/webhooks/sign';
import { parseEnvironment } from '@/lib/env';
import { queueMail } from '@/lib/platform/mail/queue-mail';
import { createMonitorSchema } from '@/lib/schemas/monitor';
import { createWebhookSchema } from '@/lib/schemas/webhooks/webhook';
import { createTestDatabase } from '@/lib/testing/database';
import { holdAt, holdBeforeCommit, untilBlocked } from '@/lib/testing/races';
import { createTestOrganization, createTestServices, TEST_SECRET_KEY } from '@/lib/testing/services';
import { runOnce, type StoredResponse } from '@/lib/web/http/idempotency';
import { rotateSecrets, SEALED_COLUMNS } from './rotate-secrets';

const NEW_KEY = 'the new secret key '.repeat(3);
const REQUEST = {
  method: 'POST' as const,
  send: 'PING',
  headers: { 'X-Token': 't0ken' },
  body: 'pa55word',
  authentication: { method: 'basic' as const, username: 'ann', password: 'pa55word' },
  clientCertificate: readFileSync('lib/platform/net/testing/good.pem', 'utf8'),
};

/** A separate installation, because a rotation affects all of it; `as` is a process with other keys. */
async function begin() {
  const database = await createTestDatabase();
  onTestFinished(database.close);
  const { db } = database;
  const services = createTestServices({ db, mail: true });
  const { ctx, organizationId, userId } = await createTestOrganization(services);
  const as = (key: string, previous: string[] = []) => ({ ...ctx, keyring: createKeyring(key, previous) });
  const addMonitor = (name = 'Shop') =>
    createMonitor(ctx, createMonitorSchema.parse({ name, url: 'http://shop.test/', ...REQUEST }));
  return {
    db,
    ctx,
    organizationId,
    userId,
    as,
    addMonitor,
    both: as(NEW_KEY, [TEST_SECRET_KEY]),
    onlyNew: as(NEW_KEY),
  };
}

/** A webhook of a subscriber that is rotating its secret. Returns its ID. */
async function addEndpointSubscriber(ctx: OrganizationContext): Promise<string> {
  const { id: pageId } = await addPage(ctx, {});
  const [id, at] = ['sub_1', ctx.clock.now()];
  const sealed = ctx.keyring.seal('a secret', id);
  await ctx.db.endpointSubscriber.create({
    data: {
      id,
      pageId,
      channel: 'webhook',
      email: 'ada@example.com',
      language: 'en',
      ...storeUrl(ctx.keyring, id, 'https://receiver.test/'),
      secretSealed: sealed,
      nextSecretSealed: sealed,
      tokenHash: Buffer.from(id),
      requestedAt: at,
      createdAt: at,
    },
  });
  return id;
}

it('covers every sealed column of the database', async () => {
  const { db } = await begin();
  const columns = await db.$queryRaw<{ name: string }[]>`
    SELECT table_name || '.' || column_name AS name FROM information_schema.columns
     WHERE table_schema IN ('public', 'raw') AND column_name LIKE '%sealed%' ORDER BY 1`;
  const known = SEALED_COLUMNS.map(({ table, column }) => `${table}.${column}`).toSorted();
  expect(columns.map(({ name }) => name)).toEqual(known);
});

it('reseals everything, so that a process with only the new key can open it', async () => {
  const { db, ctx, userId, as, both, onlyNew, addMonitor } = await begin();
  const monitor = await addMonitor();
  const heartbeat = await createMonitor(
    ctx,
    createMonitorSchema.parse({ name: 'Backup', type: 'heartbeat', period: 60 }),
  );
  const credentials = { routingKey: 'a-key' };
  const webhook = await createWebhook(ctx, createWebhookSchema.parse({ format: 'pagerduty', credentials }));
  const { secret: next } = await rotateSecret(ctx, webhook.id, { immediate: false });
  const headers = { Authorization: 'Bearer a' };
  const own = { url: 'http://receiver.test/', format: 'custom', template: '1', headers };
  const custom = await createWebhook(ctx, createWebhookSchema.parse(own));
  const content = { subject: 'Hello', blocks: [] };
  await db.$transaction((tx) =>
    queueMail(tx, ctx, { organizationId: null, kind: 'test', to: 'ada@example.com', content }),
  );
  const response: StoredResponse = { status: 201, body: { secret: 'wh1sper' } };
  const request = { key: 'a key', operation: 'POST /monitors', body: {} };
  await runOnce(
    ctx,
    request,
    async () => response,
    () => null,
  );
  const target = ctx.keyring.seal('{"url":"x"}', 'dry_1');
  await db.dryRun.create({
    data: { id: 'dry_1', region: 'us-east', targetSealed: target, createdAt: ctx.clock.now() },
  });

  const compressed = ctx.keyring.sealBytes(Buffer.from([0x78, 0x9c, 0xff, 0xfe]), 'evd_1');
  await db.checkEvidence.create({
    data: {
      id: 'evd_1',
      monitorId: monitor.id,
      region: 1,
      kind: 'failure',
      checkedAt: ctx.clock.now(),
      contentSealed: compressed,
    },
  });

  const subscriber = await addEndpointSubscriber(ctx);
  const mailServer = {
    url: 'smtp://ops:hunter2@mail.test:587/',
    from: { name: null, address: 'a@mail.test' },
  };
  await changeMailServerByOperator(ctx, mailServer);
  const totp = { userId, secretSealed: ctx.keyring.seal('a key', `${userId}/totp`) };
  await db.totpFactor.create({ data: { ...totp, createdAt: ctx.clock.now() } });

  const key = await ensurePushKey(ctx);
  const sessionId = await createSession(ctx, { userId, address: null, userAgent: null });
  const browser = {
    endpoint: 'https://push.test/1',
    keys: { p256dh: `B${'A'.repeat(86)}`, auth: 'A'.repeat(22) },
  };
  await addBrowser(ctx, { userId, sessionId }, browser);
  const { id: subscriptionId } = await db.pushSubscription.findFirstOrThrow({ where: { userId } });
  const shown = { title: 'Down', body: '', path: '/', tag: 'a', acknowledge: null };
  await db.$transaction((tx) => queuePushes(tx, ctx, [{ subscriptionId, content: shown }]));

  // Both endpoints have a secret.
  expect(await rotateSecrets(both)).toBe(SEALED_COLUMNS.length + 1);

  expect(await getMonitor(onlyNew, monitor.id)).toMatchObject(REQUEST);
  const live = createLiveMail(onlyNew, parseEnvironment({}));
  await live.refresh();
  expect(live.smtp).toMatchObject(mailServer);
  expect(await readPushKeys(onlyNew)).toMatchObject({ publicKey: key });
  const { targetSealed } = await db.pushSubscription.findUniqueOrThrow({ where: { id: subscriptionId } });
  expect(openTarget(onlyNew.keyring, subscriptionId, targetSealed)).toEqual(browser);
  expect((await getMonitor(onlyNew, heartbeat.id)).heartbeatUrl).toBe(heartbeat.heartbeatUrl);
  const endpoint = await db.webhookEndpoint.findUniqueOrThrow({ where: { id: webhook.id } });
  const secrets = openSigningSecrets(onlyNew.keyring, webhook.id, endpoint, ctx.clock.now());
  expect(secrets).toEqual({ current: webhook.secret, next });
  expect(openCredentials(onlyNew.keyring, webhook.id, endpoint.credentialsSealed)).toEqual(credentials);
  const { headersSealed } = await db.webhookEndpoint.findUniqueOrThrow({ where: { id: custom.id } });
  expect(openHeaders(onlyNew.keyring, custom.id, headersSealed)).toEqual(headers);
  const { urlSealed, secretSealed } = await db.endpointSubscriber.findUniqueOrThrow({
    where: { id: subscriber },
  });
  expect(openUrl(onlyNew.keyring, subscriber, urlSealed)).toBe('https://receiver.test/');
  expect(onlyNew.keyring.open(secretSealed ?? new Uint8Array(), subscriber)).toBe('a secret');
  const factor = await db.totpFactor.findFirstOrThrow();
  expect(onlyNew.keyring.open(factor.secretSealed, `${userId}/totp`)).toBe('a key');
  const mail = await db.mail.findFirstOrThrow();
  expect(onlyNew.keyring.open(mail.contentSealed ?? new Uint8Array(), mail.id)).toContain('Hello');
  expect(
    await runOnce(
      onlyNew,
      request,
      () => Promise.reject(new Error('ran twice')),
      () => null,
    ),
  ).toEqual({ response, isReplayed: true });
  const dryRun = await db.dryRun.findUniqueOrThrow({ where: { id: 'dry_1' } });
  expect(onlyNew.keyring.open(dryRun.targetSealed, dryRun.id)).toBe('{"url":"x"}');
  const evidence = await db.checkEvidence.findUniqueOrThrow({ where: { id: 'evd_1' } });
  expect([...onlyNew.keyring.openBytes(evidence.contentSealed, 'evd_1')]).toEqual([0x78, 0x9c, 0xff, 0xfe]);
  await expect(getMonitor(as(TEST_SECRET_KEY), monitor.id)).rejects.toThrow('another SECRET_KEY');
});

it('can be interrupted: everything can be opened in between, and the next call finishes', async () => {
  const { db, ctx, both } = await begin();
  await db.dryRun.createMany({
    data: Array.from({ length: 600 }, (_, index) => {
      const id = `dry_${index}`;
      return { id, region: 'us-east', targetSealed: ctx.keyring.seal(id, id), createdAt: ctx.clock.now() };
    }),
  });
  await checkSecretKey(both);
  const interrupted = rotateSecrets(both, () => {
    throw new Error('the power is cut');
  });
  await expect(interrupted).rejects.toThrow('the power is cut');
  const rows = await db.dryRun.findMany();
  for (const { id, targetSealed } of rows) expect(both.keyring.open(targetSealed, id)).toBe(id);
  expect((await db.instance.findUniqueOrThrow({ where: { id: 1 } })).secretKeyChecks).toHaveLength(2);

  expect(await rotateSecrets(both)).toBe(100);
  expect(await rotateSecrets(both)).toBe(0);
  expect((await db.instance.findUniqueOrThrow({ where: { id: 1 } })).secretKeyChecks).toHaveLength(1);
});

it('does not overwrite values changed in the meantime', async () => {
  const { db, both, onlyNew, addMonitor } = await begin();
  const monitor = await addMonitor();
  const changed = { ...REQUEST, body: 'changed meanwhile' };
  const edit = await holdBeforeCommit(db, (db) =>
    updateMonitor({ ...both, db }, monitor.id, { body: changed.body }),
  );
  const rotating = rotateSecrets(both);
  await untilBlocked(db);
  await edit.release();
  await rotating;
  expect(await getMonitor(onlyNew, monitor.id)).toMatchObject(changed);
});

it('does not overwrite a signing secret that is rotated between reading and resealing it', async () => {
  const { db, ctx, both, onlyNew } = await begin();
  const { id } = await createWebhook(ctx, createWebhookSchema.parse({ url: 'http://receiver.test/' }));
  const resealing = await holdAt('secrets read', (races) => rotateSecrets({ ...both, races }));
  // By a process that does not seal with the new key yet.
  const { secret } = await rotateSecret(ctx, id, { immediate: true });
  expect(await resealing.release()).toBeGreaterThan(0);
  const endpoint = await db.webhookEndpoint.findUniqueOrThrow({ where: { id } });
  const secrets = openSigningSecrets(onlyNew.keyring, id, endpoint, ctx.clock.now());
  expect(secrets).toMatchObject({ current: secret });
});

it('stops at a value that no key opens, and still requires the old key', async () => {
  const { as, addMonitor } = await begin();
  await addMonitor();
  const stranger = as(NEW_KEY, ['a key of another installation']);
  await expect(rotateSecrets(stranger)).rejects.toThrow('another SECRET_KEY');
  await expect(checkSecretKey(stranger)).rejects.toThrow(StartupError);
});

it('prevents a process from starting without a key that may have sealed something', async () => {
  const { as, both, onlyNew } = await begin();
  const onlyOld = as(TEST_SECRET_KEY);
  await checkSecretKey(onlyOld);
  await expect(checkSecretKey(onlyNew), 'before').rejects.toThrow(StartupError);
  await checkSecretKey(as(TEST_SECRET_KEY, [NEW_KEY]));
  await checkSecretKey(onlyOld);
  await checkSecretKey(both);
  await expect(checkSecretKey(onlyOld), 'a process seals under the new one').rejects.toThrow(StartupError);
  await expect(checkSecretKey(onlyNew), 'the rotation is not through').rejects.toThrow(StartupError);
  await rotateSecrets(both);
  await checkSecretKey(onlyNew);
  await checkSecretKey(both);
  await expect(checkSecretKey(onlyOld), 'afterwards').rejects.toThrow(StartupError);
});
