import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createKeyring } from '@/lib/core/keyring';
import { findPerson } from '@/lib/domain/people/profile';
import { useTestDatabase, useTestPool } from '@/lib/testing/database';
import { createTestOrganization, createTestServices, TEST_SECRET_KEY } from '@/lib/testing/services';
import { createPasswordThrottle, type PasswordThrottle } from './password-throttle';
import { createKnownBrowser, openSession, readKnownBrowser, sealSession } from './session';
import { authorizeByPassword, signIn } from './sign-in';

const database = useTestDatabase();
const pool = useTestPool(database, { max: 2 });
let throttle: PasswordThrottle;
let services: ReturnType<typeof createTestServices>;
const WHERE = { address: null, countedAddress: null, userAgent: null, knownBrowser: undefined };

beforeAll(() => {
  services = createTestServices({ db: database.db });
  throttle = createPasswordThrottle(pool());
});

async function makePerson() {
  const { userId, organizationId } = await createTestOrganization(services);
  const { email } = await database.db.user.findUniqueOrThrow({ where: { id: userId } });
  return { userId, organizationId, email };
}

describe('signing in', () => {
  it('creates a session that the cookie identifies, whatever the case of the address', async () => {
    const { userId, email } = await makePerson();
    const input = { email: ` ${email.toUpperCase()} `, password: 'correct horse' };
    const made = await signIn({ services, throttle }, input, WHERE);
    if (made.kind !== 'session') throw new Error('no session');
    expect(made.email).toBe(email);
    expect((await findPerson(services, made.sessionId))?.userId).toBe(userId);
    const cookie = await sealSession(services, made.sessionId);
    expect(await openSession(services, cookie)).toBe(made.sessionId);
    expect(cookie).not.toContain(made.sessionId);
    const changed = `${cookie.slice(0, -10)}${cookie.at(-10) === 'A' ? 'B' : 'A'}${cookie.slice(-9)}`;
    for (const forged of [undefined, '', 'x', changed, made.sessionId]) {
      expect(await openSession(services, forged)).toBeNull();
    }
  });

  it('rejects an unknown address and a wrong password with the same message', async () => {
    const { email } = await makePerson();
    for (const input of [
      { email, password: 'wrong' },
      { email: 'nobody@example.com', password: 'correct horse' },
    ]) {
      await expect(signIn({ services, throttle }, input, WHERE)).rejects.toMatchObject({
        code: 'UNAUTHORIZED',
        message: 'Incorrect email or password.',
      });
    }
  });

  it.each([
    ['a look-alike of @', { email: 'ada＠example.com', password: 'x' }, 'email'],
    ['a line break', { email: 'ada@example.com\r\nBcc: x@example.com', password: 'x' }, 'email'],
    ['1 MB of password', { email: 'ada@example.com', password: 'x'.repeat(1_000_000) }, 'password'],
    ['no password', { email: 'ada@example.com', password: null }, 'password'],
    ['a file for a password', { email: 'ada@example.com', password: new Blob() }, 'password'],
  ])('names the field that holds %s', async (_, input, path) => {
    await expect(signIn({ services, throttle }, input, WHERE)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: [{ path }],
    });
  });

  it('explains that a person no longer has an organization', async () => {
    const { email, userId } = await makePerson();
    await database.db.membership.deleteMany({ where: { userId } });
    const input = { email, password: 'correct horse' };
    await expect(signIn({ services, throttle }, input, WHERE)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect(await database.db.session.count({ where: { userId } })).toBe(0);
  });

  it('works in a person’s own browser while strangers guess passwords', async () => {
    const { email } = await makePerson();
    const input = { email, password: 'correct horse' };
    for (let n = 0; n < 10; n++) {
      await signIn({ services, throttle }, { email, password: 'guess' }, WHERE).catch(() => undefined);
    }
    await expect(signIn({ services, throttle }, input, WHERE)).rejects.toMatchObject({
      code: 'RATE_LIMITED',
    });
    const proof = createKnownBrowser(services.keyring, email);
    const another = createKnownBrowser(services.keyring, 'another@example.com');
    await expect(
      signIn({ services, throttle }, input, { ...WHERE, knownBrowser: another }),
    ).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    await signIn({ services, throttle }, input, { ...WHERE, knownBrowser: proof });
  });
});

describe("next-auth's own path", () => {
  const authorize = async (email: string, password = 'correct horse') =>
    authorizeByPassword((input) => signIn({ services, throttle }, input, WHERE), { email, password });

  it('signs in by password', async () => {
    const { email, userId } = await makePerson();
    const user = await authorize(email);
    expect((await findPerson(services, user?.sid ?? ''))?.userId).toBe(userId);
  });

  it('signs in nobody by a wrong password, or with a second factor, which it does not ask for', async () => {
    const { email, userId } = await makePerson();
    expect(await authorize(email, 'wrong horse')).toBeNull();
    const now = new Date();
    await database.db.totpFactor.create({
      data: { userId, secretSealed: new Uint8Array(), confirmedAt: now, createdAt: now },
    });
    expect(await authorize(email)).toBeNull();
    expect(await database.db.session.count({ where: { userId } })).toBe(0);
  });
});

it('cookies from before a change of the secret key are valid until the old key is deleted', async () => {
  const newKey = 'another secret key '.repeat(3);
  const both = createKeyring(newKey, [TEST_SECRET_KEY]);
  const cookie = await sealSession(services, 'ses_1');
  const proof = createKnownBrowser(services.keyring, 'ada@example.com');
  expect(await openSession({ keyring: both }, cookie)).toBe('ses_1');
  expect(readKnownBrowser(both, 'ada@example.com', proof)).not.toBeNull();
  const onlyNew = createKeyring(newKey);
  expect(await openSession({ keyring: onlyNew }, cookie)).toBeNull();
  expect(readKnownBrowser(onlyNew, 'ada@example.com', proof)).toBeNull();
  expect(
    await openSession({ keyring: onlyNew }, await sealSession({ ...services, keyring: both }, 'ses_1')),
  ).toBe('ses_1');
});

it('a cookie that was opened before expires all the same', async () => {
  const cookie = await sealSession(
    { ...services, sessions: { ...services.sessions, lifetimeMs: 60_000 } },
    'ses_1',
  );
  expect(await openSession(services, cookie)).toBe('ses_1');
  const later = Date.now() + 2 * 60_000;
  vi.useFakeTimers({ toFake: ['Date'], now: later });
  onTestFinished(() => void vi.useRealTimers());
  expect(await openSession(services, cookie)).toBeNull();
});

it('a known browser is proved by a MAC over its name and the address', () => {
  const { keyring } = services;
  const proof = createKnownBrowser(keyring, 'ada@example.com');
  const [name = '', mac = ''] = proof.split('.');
  expect(readKnownBrowser(keyring, 'ada@example.com', proof)).toBe(name);
  for (const wrong of [undefined, '', '.', name, `x${name}.${mac}`, `${name}.${mac}x`, `${name}.`]) {
    expect(readKnownBrowser(keyring, 'ada@example.com', wrong)).toBeNull();
  }
});
