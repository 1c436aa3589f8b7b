import { describe, expect, it } from 'vitest';
import { createManualClock } from '@/lib/core/time/clock';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import type { MailContent } from '@/lib/platform/mail/queue-mail';
import { createEmailRecipientSchema } from '@/lib/schemas/email-recipient';
import { useTestDatabase } from '@/lib/testing/database';
import { createTestOrganization, createTestServices } from '@/lib/testing/services';
import { createEmailRecipient, resendConfirmation } from './change-recipients';
import { confirmRecipient, readConfirmation, unsubscribeRecipient } from './confirm-recipient';
import { getEmailRecipient } from './read-recipients';
import { MAX_OF_ORGANIZATION, MAX_TO_ADDRESS } from './send-confirmation';

const MINUTE = 60_000;
const DAY = 86_400_000;
const database = useTestDatabase();

/** An organization that can send email, and what is mailed to addresses. */
async function begin({ plan = 'enterprise' as 'enterprise' | 'free', mail = true } = {}) {
  const { db } = database;
  const clock = createManualClock(new Date('2026-03-01T12:00:00.000Z'));
  const services = { ...createTestServices({ db, clock, mail }), appUrl: 'https://pharos.test' };
  const created = await createTestOrganization(services, { plan });
  const ctx: OrganizationContext = { ...created.ctx, ...services };
  const { organizationId } = ctx;
  const address = (name: string) => `${name}@${organizationId.replace('_', '-')}.example.com`;
  return {
    ctx,
    clock,
    services,
    address,
    add: (name: string) =>
      createEmailRecipient(ctx, createEmailRecipientSchema.parse({ email: address(name) })),
    /** The token of the latest confirmation to an address. */
    tokenFor: async (name: string) => {
      const { id, contentSealed } = await db.mail.findFirstOrThrow({
        where: { recipient: address(name) },
        orderBy: { id: 'desc' },
      });
      const content: MailContent = JSON.parse(ctx.keyring.open(contentSealed ?? new Uint8Array(), id));
      return new URL(content.button?.url ?? '').searchParams.get('token') ?? '';
    },
  };
}

describe('an address', () => {
  it('is confirmed with the link that was mailed to it, which works once and is stored as a hash', async () => {
    const story = await begin();
    const { id, status } = await story.add('agency');
    expect(status).toBe('pending');
    const token = await story.tokenFor('agency');
    const { tokenHash } = await database.db.emailRecipient.findUniqueOrThrow({ where: { id } });
    expect(Buffer.from(tokenHash ?? []).toString('latin1')).not.toContain(token);
    expect(await readConfirmation(story.services, token)).toEqual({ organizationName: 'Test' });
    expect(await getEmailRecipient(story.ctx, id), 'a visit confirms nothing').toMatchObject({
      status: 'pending',
    });
    await confirmRecipient(story.services, token);
    expect(await getEmailRecipient(story.ctx, id)).toMatchObject({ status: 'active' });
    await expect(confirmRecipient(story.services, token)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('is not confirmed with an expired, replaced or made-up link, and the reason is not stated', async () => {
    const story = await begin();
    const { id } = await story.add('agency');
    const first = await story.tokenFor('agency');
    story.clock.advance(10 * MINUTE);
    await resendConfirmation(story.ctx, id);
    const second = await story.tokenFor('agency');
    const errorOf = (token: string) =>
      readConfirmation(story.services, token).catch((error: Error) => error.message);
    const unknown = await errorOf('x'.repeat(43));
    expect(await errorOf(first)).toBe(unknown);
    story.clock.advance(7 * DAY + 1);
    expect(await errorOf(second)).toBe(unknown);
  });

  it('that unsubscribed is active again only after its owner confirms it once more', async () => {
    const story = await begin();
    const { id } = await story.add('agency');
    await confirmRecipient(story.services, await story.tokenFor('agency'));
    await expect(resendConfirmation(story.ctx, id)).rejects.toThrow('already confirmed');
    await unsubscribeRecipient(story.services, story.ctx.organizationId, id);
    expect(await getEmailRecipient(story.ctx, id)).toMatchObject({ status: 'unsubscribed' });
    story.clock.advance(10 * MINUTE);
    await resendConfirmation(story.ctx, id);
    expect(await getEmailRecipient(story.ctx, id)).toMatchObject({ status: 'unsubscribed' });
    await confirmRecipient(story.services, await story.tokenFor('agency'));
    expect(await getEmailRecipient(story.ctx, id)).toMatchObject({ status: 'active' });
  });

  it('is added without a confirmation while email is off, which is sent later', async () => {
    const story = await begin({ mail: false });
    const { id, confirmationSentAt } = await story.add('agency');
    expect(confirmationSentAt).toBeNull();
    await expect(resendConfirmation(story.ctx, id)).rejects.toThrow('cannot send confirmations yet');
    const later = await resendConfirmation({ ...story.ctx, mail: { isOn: true } }, id);
    expect(later.confirmationSentAt).not.toBeNull();
  });

  it('is refused if the organization has it already, or it is that of a member', async () => {
    const story = await begin();
    await story.add('agency');
    await expect(story.add('agency')).rejects.toMatchObject({ details: [{ path: 'email', code: 'taken' }] });
    const { user } = await database.db.membership.findFirstOrThrow({
      where: { organizationId: story.ctx.organizationId },
      select: { user: true },
    });
    const input = createEmailRecipientSchema.parse({ email: user.email });
    await expect(createEmailRecipient(story.ctx, input)).rejects.toMatchObject({
      details: [{ message: expect.stringContaining('belongs to a member') }],
    });
  });

  it('counts toward the quota of the plan', async () => {
    const story = await begin({ plan: 'free' });
    for (const name of ['one', 'two', 'three']) await story.add(name);
    await expect(story.add('four')).rejects.toMatchObject({ code: 'PLAN_LIMIT_EXCEEDED' });
  });
});

describe('confirmations are bounded', () => {
  it('to one in ten minutes for each recipient', async () => {
    const story = await begin();
    const { id } = await story.add('agency');
    await expect(resendConfirmation(story.ctx, id)).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    story.clock.advance(10 * MINUTE);
    await resendConfirmation(story.ctx, id);
  });

  it('to a few in an hour for each address, whichever organizations ask for it', async () => {
    const email = 'victim@example.com';
    const input = createEmailRecipientSchema.parse({ email });
    for (let count = 0; count < MAX_TO_ADDRESS; count++)
      await createEmailRecipient((await begin()).ctx, input);
    const last = await begin();
    await expect(createEmailRecipient(last.ctx, input)).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    last.clock.advance(60 * MINUTE + 1);
    await createEmailRecipient(last.ctx, input);
  });

  it('to those of an organization in an hour', async () => {
    const story = await begin();
    const { organizationId } = story.ctx;
    const row = {
      organizationId,
      kind: 'confirm-recipient',
      recipient: 'a@example.com',
      createdAt: story.clock.now(),
      sentAt: story.clock.now(),
    };
    await database.db.mail.createMany({
      data: Array.from({ length: MAX_OF_ORGANIZATION }, (_, index) => ({
        ...row,
        id: `mail_${organizationId}_${index}`,
      })),
    });
    await expect(story.add('agency')).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  });
});
