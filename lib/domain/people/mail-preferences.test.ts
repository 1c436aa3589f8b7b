import { expect, it } from 'vitest';
import { createManualClock } from '@/lib/core/time/clock';
import { memberLinkSchema } from '@/lib/schemas/people';
import { useSharedDatabase } from '@/lib/testing/database';
import { createTestOrganization, createTestServices } from '@/lib/testing/services';
import {
  changeMailPreferences,
  readMailPreferences,
  readMemberLink,
  unsubscribeMember,
} from './mail-preferences';
import { memberUnsubscribeUrl } from './unsubscribe-link';

const NOW = new Date('2026-11-25T12:00:00.000Z');
const database = useSharedDatabase();

/** Alerts are on, and the digest is off, until the member chooses. */
const DEFAULTS = { alertMail: true, alertRules: [], digestTimeZone: null };

/** An owner, and the link in their emails of a list. */
async function begin(list: 'alerts' | 'digest' = 'alerts') {
  const services = createTestServices({ ...database, clock: createManualClock(NOW) });
  const { ctx, userId, organizationId } = await createTestOrganization(services);
  const member = { organizationId, userId, list };
  const { searchParams } = new URL(memberUnsubscribeUrl(ctx.keyring, 'https://pharos.test', member));
  const link = memberLinkSchema.parse(Object.fromEntries(searchParams));
  const entries = () =>
    database.db.auditEntry.findMany({ where: { organizationId, action: 'member.change-email' } });
  return { ctx, userId, link, entries };
}

it('a link turns off the alerts of its member, once, and leaves an entry in the audit log', async () => {
  const { ctx, userId, link, entries } = await begin();
  expect(await readMemberLink(ctx, link)).toEqual({ organizationName: 'Test', ...DEFAULTS });
  await unsubscribeMember(ctx, link, '192.0.2.7');
  await unsubscribeMember(ctx, link, '192.0.2.7');
  expect(await readMailPreferences(ctx, userId)).toEqual({ ...DEFAULTS, alertMail: false });
  expect(await entries()).toMatchObject([
    {
      actorKind: 'user',
      actorId: userId,
      subjectId: userId,
      before: { alertMail: true },
      after: { alertMail: false },
      address: '192.0.2.7',
    },
  ]);
});

it('a change in the settings leaves an entry too', async () => {
  const { ctx, userId, entries } = await begin();
  await changeMailPreferences(ctx, userId, { alertMail: true });
  expect(await entries()).toEqual([]);
  await changeMailPreferences(ctx, userId, { alertMail: false });
  expect(await entries()).toMatchObject([{ actorId: userId, after: { alertMail: false } }]);
});

it('a link with another token, member or organization changes nothing', async () => {
  const [mine, other] = [await begin(), await begin()];
  const wrong = [
    { ...mine.link, token: 'x' },
    { ...mine.link, token: other.link.token },
    { ...mine.link, user: other.link.user },
    { ...mine.link, list: 'digest' as const },
    { ...mine.link, organization: other.link.organization },
  ];
  for (const link of wrong) {
    await expect(unsubscribeMember(mine.ctx, link, null)).rejects.toThrow('This link is not valid.');
    await expect(readMemberLink(mine.ctx, link)).rejects.toThrow('This link is not valid.');
  }
  for (const { ctx, userId } of [mine, other]) {
    expect(await readMailPreferences(ctx, userId)).toEqual(DEFAULTS);
  }
});

it('a link of a former member does nothing', async () => {
  const { ctx, userId, link, entries } = await begin();
  await database.db.membership.deleteMany({ where: { userId } });
  await unsubscribeMember(ctx, link, null);
  expect(await readMemberLink(ctx, link)).toMatchObject({ alertMail: false });
  expect(await entries()).toEqual([]);
});

it('a member turns the digest on in a time zone, moves it, and turns it off by its link', async () => {
  const { ctx, userId, link, entries } = await begin('digest');
  const dueAt = async () => (await database.db.digestMail.findFirstOrThrow({ where: { userId } })).nextAt;
  await changeMailPreferences(ctx, userId, { digestTimeZone: 'Europe/Berlin' });
  expect(await readMailPreferences(ctx, userId)).toEqual({ ...DEFAULTS, digestTimeZone: 'Europe/Berlin' });
  expect(await dueAt()).toEqual(new Date('2026-11-30T07:00:00.000Z'));
  await changeMailPreferences(ctx, userId, { alertMail: true, digestTimeZone: 'Asia/Tokyo' });
  expect(await dueAt()).toEqual(new Date('2026-11-29T23:00:00.000Z'));
  await unsubscribeMember(ctx, link, null);
  expect(await readMailPreferences(ctx, userId)).toEqual(DEFAULTS);
  expect(await dueAt()).toBeNull();
  expect((await entries()).map(({ after }) => after)).toEqual([
    { digestTimeZone: 'Europe/Berlin' },
    { digestTimeZone: 'Asia/Tokyo' },
    { digestTimeZone: null },
  ]);
});
