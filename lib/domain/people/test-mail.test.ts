import { expect, it } from 'vitest';
import { createManualClock } from '@/lib/core/time/clock';
import { mailContentSchema } from '@/lib/platform/mail/queue-mail';
import { useSharedDatabase } from '@/lib/testing/database';
import { createTestOrganization, createTestServices } from '@/lib/testing/services';
import { MAX_TEST_MAILS, readTestMail, sendTestMail } from './test-mail';

const NOW = new Date('2026-03-10T12:00:00.000Z');
const database = useSharedDatabase();

async function begin({ mail = true } = {}) {
  const clock = createManualClock(NOW);
  const services = { ...createTestServices({ ...database, clock, mail }), appUrl: 'https://pharos.test' };
  const { ctx, userId, organizationId } = await createTestOrganization(services);
  const mails = () => database.db.mail.findMany({ where: { organizationId } });
  return { ctx, userId, clock, mails };
}

it('a member sends an email to their own address only', async () => {
  const { ctx, userId, mails } = await begin();
  const email = await sendTestMail(ctx, userId);
  const { email: own } = await database.db.user.findUniqueOrThrow({ where: { id: userId } });
  expect(email).toBe(own);
  const [mail, ...others] = await mails();
  expect(others).toEqual([]);
  expect(mail).toMatchObject({ kind: 'test', recipient: own });
  const text = ctx.keyring.open(mail?.contentSealed ?? new Uint8Array(), mail?.id ?? '');
  expect(mailContentSchema.parse(JSON.parse(text))).toMatchObject({
    subject: 'Test email from Test',
    button: { url: 'https://pharos.test/settings/profile#email' },
  });
});

it('a member can send five an hour, however many are requested at once', async () => {
  const { ctx, userId, clock, mails } = await begin();
  const requests = Array.from({ length: MAX_TEST_MAILS + 3 }, () => sendTestMail(ctx, userId));
  const outcomes = await Promise.allSettled(requests);
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(MAX_TEST_MAILS);
  await expect(sendTestMail(ctx, userId)).rejects.toMatchObject({ code: 'RATE_LIMITED', retryAfter: 3600 });
  expect(await mails()).toHaveLength(MAX_TEST_MAILS);
  clock.advance(3_600_000);
  await sendTestMail(ctx, userId);
});

it('no mail is queued where email is not set up, nor for someone who is not a member', async () => {
  const { ctx, userId, mails } = await begin({ mail: false });
  await expect(sendTestMail(ctx, userId)).rejects.toThrow('no mail server is set up');
  expect(await mails()).toEqual([]);
  const [mine, other] = [await begin(), await begin()];
  await expect(sendTestMail(mine.ctx, other.userId)).rejects.toThrow('Member not found.');
});

it('its outcome is that of the latest one', async () => {
  const { ctx, userId, clock } = await begin();
  const email = await sendTestMail(ctx, userId);
  expect(await readTestMail(ctx, email)).toEqual({ isSent: false, isFinal: false, error: null });
  await database.db.mail.updateMany({ where: { recipient: email }, data: { error: '450 try later' } });
  expect(await readTestMail(ctx, email)).toEqual({ isSent: false, isFinal: false, error: '450 try later' });
  clock.advance(1000);
  await sendTestMail(ctx, userId);
  expect(await readTestMail(ctx, email)).toMatchObject({ error: null });
  expect(await readTestMail(ctx, 'nobody@example.com')).toBeNull();
});
