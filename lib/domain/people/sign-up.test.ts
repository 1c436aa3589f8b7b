import { beforeAll, expect, it } from 'vitest';
import { findUserByPassword } from '@/lib/domain/organizations/password';
import { mailContentSchema } from '@/lib/platform/mail/queue-mail';
import { useTestDatabase } from '@/lib/testing/database';
import { createTestServices } from '@/lib/testing/services';
import { confirmSignUp, readSignUp, requestSignUp } from './sign-up';

const database = useTestDatabase();
let services: ReturnType<typeof createTestServices>;
const INPUT = { name: 'Acme', password: 'correct horse', plan: 'free' as const };

beforeAll(() => {
  services = { ...createTestServices({ db: database.db, mail: true }), appUrl: 'https://pharos.test' };
});

/** The links in the emails to an address, newest first. */
async function linksTo(recipient: string): Promise<string[]> {
  const rows = await database.db.mail.findMany({ where: { recipient }, orderBy: { id: 'desc' } });
  return rows.map(({ id, contentSealed }) => {
    const text = services.keyring.open(contentSealed ?? new Uint8Array(), id);
    return mailContentSchema.parse(JSON.parse(text)).button?.url ?? '';
  });
}

const tokenOf = (link = '') => new URL(link).searchParams.get('token') ?? '';

it('an address is confirmed first and then creates one organization and its owner', async () => {
  const email = 'ada@example.com';
  await requestSignUp(services, email);
  expect(await database.db.user.count({ where: { email } })).toBe(0);
  const [link] = await linksTo(email);
  expect(link).toMatch(/^https:\/\/pharos\.test\/sign-up\/confirm\?token=[\w-]{43}$/);
  const token = tokenOf(link);
  expect(await readSignUp(services, token)).toEqual({ email });

  const outcomes = await Promise.allSettled(
    [1, 2, 3].map(() => confirmSignUp(services, { ...INPUT, token })),
  );
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(await database.db.organization.findMany({ select: { name: true, plan: true } })).toEqual([
    { name: 'Acme', plan: 'free' },
  ]);
  expect(await findUserByPassword(services, email, INPUT.password)).not.toBeNull();
  await expect(readSignUp(services, token)).rejects.toThrow('has already been used');
});

it('an address that already has an account gets only an email', async () => {
  const email = 'bob@example.com';
  await requestSignUp(services, email);
  const token = tokenOf((await linksTo(email))[0]);
  await confirmSignUp(services, { ...INPUT, token });
  await requestSignUp(services, email);
  expect((await linksTo(email))[0]).toBe('https://pharos.test/sign-in');
});

it('an address that got an account in the meantime is rejected, and the link stays valid', async () => {
  const email = 'eve@example.com';
  await requestSignUp(services, email);
  const token = tokenOf((await linksTo(email))[0]);
  const at = new Date();
  await database.db.user.create({
    data: {
      id: 'usr_eve',
      email,
      passwordHash: '$argon2id$v=19$m=16,t=2,p=1$YWJjZGVmZ2g$YWJjZGVmZ2hpams',
      createdAt: at,
      updatedAt: at,
    },
  });
  await expect(confirmSignUp(services, { ...INPUT, token })).rejects.toMatchObject({
    code: 'VALIDATION_ERROR',
  });
  expect(await readSignUp(services, token)).toEqual({ email });
});
