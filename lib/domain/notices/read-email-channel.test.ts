import { expect, it } from 'vitest';
import { createId } from '@/lib/core/ids';
import { useSharedDatabase } from '@/lib/testing/database';
import { createTestOrganization, createTestServices } from '@/lib/testing/services';
import { readEmailChannel } from './read-email-channel';

const NOW = new Date('2026-03-10T12:00:00.000Z');
const database = useSharedDatabase();

async function begin({ mail = true } = {}) {
  const { ctx, userId, organizationId } = await createTestOrganization(
    createTestServices({ ...database, mail }),
  );
  const { email } = await database.db.user.findUniqueOrThrow({ where: { id: userId } });
  /** An email of so many minutes ago, sent or refused with an error. */
  const addMail = (minutesAgo: number, error: string | null, { kind = 'alert', recipient = email } = {}) => {
    const at = new Date(NOW.getTime() - minutesAgo * 60_000);
    const end = error === null ? { sentAt: at } : { failedAt: at, error };
    const row = { id: createId('mail'), organizationId, kind, recipient, createdAt: at, ...end };
    return database.db.mail.create({ data: row });
  };
  return { ctx, userId, email, organizationId, addMail };
}

it('lists who receives alerts, of how many members', async () => {
  const { ctx, email, organizationId } = await begin();
  const createdAt = new Date();
  for (const alertMail of [true, false]) {
    const id = createId('user');
    const user = {
      id,
      email: `${id}@example.com`,
      name: 'Bob',
      passwordHash: '',
      createdAt,
      updatedAt: createdAt,
    };
    const memberships = { create: { organizationId, role: 'viewer' as const, alertMail, createdAt } };
    await database.db.user.create({ data: { ...user, memberships } });
  }
  const { recipients, members } = await readEmailChannel(ctx);
  expect(members).toBe(3);
  expect(recipients).toMatchObject([{ email, name: null }, { name: 'Bob' }]);
});

it('is off without a mail server, and active before the first email', async () => {
  const off = await begin({ mail: false });
  expect(await readEmailChannel(off.ctx)).toMatchObject({ status: 'off', lastSentAt: null, failure: null });
  const on = await begin();
  expect(await readEmailChannel(on.ctx)).toMatchObject({ status: 'active', lastSentAt: null, failure: null });
});

it('is failing after an email was refused, until one is sent', async () => {
  const { ctx, email, addMail } = await begin();
  await addMail(10, null);
  await addMail(5, '535 wrong password');
  const { status, failure, lastSentAt } = await readEmailChannel(ctx);
  expect([status, failure]).toEqual([
    'failing',
    { recipient: email, at: new Date('2026-03-10T11:55:00.000Z'), error: '535 wrong password' },
  ]);
  expect(lastSentAt).toEqual(new Date('2026-03-10T11:50:00.000Z'));
  await addMail(1, null, { kind: 'test' });
  expect(await readEmailChannel(ctx)).toMatchObject({ status: 'active', failure: null });
});

it('is active if only one of several members could not be reached', async () => {
  const { ctx, addMail } = await begin();
  await addMail(5, '550 no such user', { recipient: 'gone@example.com' });
  await addMail(5, null);
  expect(await readEmailChannel(ctx)).toMatchObject({ status: 'active' });
});

it('ignores emails to subscribers and of other organizations', async () => {
  const [mine, other] = [await begin(), await begin()];
  await mine.addMail(5, '550 no such user', { kind: 'subscriber' });
  await other.addMail(5, '550 no such user');
  expect(await readEmailChannel(mine.ctx)).toMatchObject({ status: 'active', failure: null });
});
