import { expect, it } from 'vitest';
import { useTestDatabase } from '@/lib/testing/database';
import { createTestOrganization, createTestServices } from '@/lib/testing/services';
import {
  changeMailPreferences,
  readMailPreferences,
  readMemberLink,
  turnOffAlerts,
} from './mail-preferences';
import { memberUnsubscribeUrl } from './unsubscribe-link';

const database = useTestDatabase();

async function begin() {
  const { ctx, userId, organizationId } = await createTestOrganization(createTestServices(database));
  const url = memberUnsubscribeUrl(ctx.keyring, 'https://pharos.test', { organizationId, userId });
  const query = new URL(url).searchParams;
  const [organization = '', user = '', token = ''] = ['organization', 'user', 'token'].map(
    (name) => query.get(name) ?? undefined,
  );
  const entries = () =>
    database.db.auditEntry.findMany({ where: { organizationId, action: 'member.change-email' } });
  return { ctx, userId, link: { organization, user, token }, entries };
}

it('a link turns off the alerts of its member, once, and leaves an entry in the audit log', async () => {
  const { ctx, userId, link, entries } = await begin();
  expect(await readMemberLink(ctx, link)).toEqual({ organizationName: 'Test', alertMail: true });
  await turnOffAlerts(ctx, link, '192.0.2.7');
  await turnOffAlerts(ctx, link, '192.0.2.7');
  expect(await readMailPreferences(ctx, userId)).toEqual({ alertMail: false });
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
    { ...mine.link, organization: other.link.organization },
  ];
  for (const link of wrong) {
    await expect(turnOffAlerts(mine.ctx, link, null)).rejects.toThrow('This link is not valid.');
    await expect(readMemberLink(mine.ctx, link)).rejects.toThrow('This link is not valid.');
  }
  for (const { ctx, userId } of [mine, other]) {
    expect(await readMailPreferences(ctx, userId)).toEqual({ alertMail: true });
  }
});

it('a link of a former member does nothing', async () => {
  const { ctx, userId, link, entries } = await begin();
  await database.db.membership.deleteMany({ where: { userId } });
  await turnOffAlerts(ctx, link, null);
  expect(await readMemberLink(ctx, link)).toMatchObject({ alertMail: false });
  expect(await entries()).toEqual([]);
});
