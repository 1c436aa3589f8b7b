import { expect, it } from 'vitest';
import { createEmailRecipient } from '@/lib/domain/email-recipients/change-recipients';
import { changeMailPreferences } from '@/lib/domain/people/mail-preferences';
import { createSession } from '@/lib/domain/people/sessions';
import { addBrowser } from '@/lib/domain/push/change-browsers';
import { createWebhook, updateWebhook } from '@/lib/domain/webhooks/change-webhook';
import { createEmailRecipientSchema } from '@/lib/schemas/email-recipient';
import { createWebhookSchema } from '@/lib/schemas/webhooks/webhook';
import { useTestDatabase } from '@/lib/testing/database';
import { createTestOrganization, createTestServices } from '@/lib/testing/services';
import { isAnyoneNotified, readAudience } from './read-audience';

const database = useTestDatabase();

async function begin({ mail }: { mail: boolean }) {
  const { ctx, userId } = await createTestOrganization(createTestServices({ db: database.db, mail }));
  const addChannel = (fields: object = {}) =>
    createWebhook(ctx, createWebhookSchema.parse({ url: 'http://receiver.test/', ...fields }));
  /** Who is notified as the screens show it: both functions must agree. */
  const read = async () => {
    const audience = await readAudience(ctx);
    const notified = await isAnyoneNotified(ctx);
    expect(notified).toBe(audience.some(({ silence }) => silence === null));
    return { notified, silences: audience.map(({ channel, silence }) => `${channel}: ${silence}`) };
  };
  return { ctx, userId, addChannel, read };
}

it('lists channels and members, and why some are notified of nothing', async () => {
  const { ctx, addChannel, read } = await begin({ mail: false });
  expect(await read()).toEqual({ notified: false, silences: ['Email: email_off'] });
  const { id } = await addChannel({ format: 'mattermost' });
  expect(await read()).toEqual({ notified: true, silences: ['Mattermost: null', 'Email: email_off'] });
  await updateWebhook(ctx, id, { enabled: false });
  expect(await read()).toEqual({ notified: false, silences: ['Mattermost: disabled', 'Email: email_off'] });
});

it('counts confirmed addresses without an account, and shows why others get nothing', async () => {
  const { ctx, userId, read } = await begin({ mail: true });
  await changeMailPreferences(ctx, userId, { alertMail: false });
  const { id } = await createEmailRecipient(
    ctx,
    createEmailRecipientSchema.parse({ email: 'oncall@agency.test' }),
  );
  const set = (data: { confirmedAt?: Date; unsubscribedAt?: Date | null; enabled?: boolean }) =>
    database.db.emailRecipient.update({ where: { id }, data });
  expect(await read()).toEqual({ notified: false, silences: ['Email: alerts_off', 'Email: unconfirmed'] });
  await set({ confirmedAt: new Date() });
  expect(await read()).toEqual({ notified: true, silences: ['Email: alerts_off', 'Email: null'] });
  await set({ enabled: false });
  expect(await read()).toEqual({ notified: false, silences: ['Email: alerts_off', 'Email: disabled'] });
  await set({ enabled: true, unsubscribedAt: new Date() });
  expect(await read()).toEqual({ notified: false, silences: ['Email: alerts_off', 'Email: unsubscribed'] });
});

it('counts members who are notified in a browser, without email too, until its session ends', async () => {
  const { ctx, userId, read } = await begin({ mail: false });
  const sessionId = await createSession(ctx, { userId, address: null, userAgent: null });
  const keys = { p256dh: `B${'A'.repeat(86)}`, auth: 'A'.repeat(22) };
  await addBrowser(ctx, { userId, sessionId }, { endpoint: 'https://push.test/1', keys });
  expect(await read()).toEqual({ notified: true, silences: ['Push: null'] });
  await database.db.session.update({ where: { id: sessionId }, data: { expiresAt: ctx.clock.now() } });
  expect(await read()).toEqual({ notified: false, silences: ['Email: email_off'] });
});

it('counts members who receive alerts by email', async () => {
  const { ctx, userId, read } = await begin({ mail: true });
  expect(await read()).toEqual({ notified: true, silences: ['Email: null'] });
  await changeMailPreferences(ctx, userId, { alertMail: false });
  expect(await read()).toEqual({ notified: false, silences: ['Email: alerts_off'] });
});
