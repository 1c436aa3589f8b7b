import { beforeAll, describe, expect, it } from 'vitest';
import { createId } from '@/lib/core/ids';
import { createManualClock } from '@/lib/core/time/clock';
import { removeMember } from '@/lib/domain/members/change-members';
import { inviteMember } from '@/lib/domain/members/invitations';
import { hashPassword } from '@/lib/domain/organizations/password';
import { findPerson } from '@/lib/domain/people/profile';
import { beginEnrollment, confirmEnrollment } from '@/lib/domain/people/second-factor/enroll-second-factor';
import { totpCode } from '@/lib/domain/people/second-factor/totp';
import { readPendingSignIn } from '@/lib/domain/people/sign-in/pending-sign-ins';
import type { Transaction } from '@/lib/platform/db/client';
import { useTestDatabase, useTestPool } from '@/lib/testing/database';
import { createTestOrganization, createTestServices, type TestOrganization } from '@/lib/testing/services';
import {
  completeSignIn,
  finishWithEnrollment,
  finishWithFactor,
  readPending,
  type SignInPlace,
} from './complete-sign-in';
import { wrongCode } from './guard-factor';
import { createPasswordThrottle } from './password-throttle';
import { createKnownBrowser } from './session';

const database = useTestDatabase();
const pool = useTestPool(database, { max: 2 });
const VISITOR: SignInPlace = {
  address: '192.0.2.7',
  countedAddress: '192.0.2.7',
  userAgent: 'Firefox',
  knownBrowser: undefined,
};
const PASSWORD = 'correct horse';

const METHODS = ['password', 'provider', 'passkey'] as const;
const FACTORS = ['no factor', 'TOTP', 'required but missing'] as const;
const PEOPLE = ['member', 'invited', 'stranger', 'removed'] as const;

let services: ReturnType<typeof createTestServices>;
let plain: TestOrganization;
let strict: TestOrganization;
let passwordHash: string;

beforeAll(async () => {
  services = createTestServices({ db: database.db });
  plain = await createTestOrganization(services);
  strict = await createTestOrganization(services);
  const where = { id: strict.organizationId };
  await services.db.organization.update({ where, data: { secondFactorFrom: services.clock.now() } });
  passwordHash = await hashPassword(PASSWORD);
});

/** Creates a person and returns the ID that a proof names. */
async function createPerson(person: (typeof PEOPLE)[number], factor: (typeof FACTORS)[number]) {
  const { db, clock } = services;
  const [userId, now] = [createId('user'), clock.now()];
  if (person === 'stranger') return userId;
  const { ctx, organizationId } = factor === 'required but missing' ? strict : plain;
  const email = `${userId}@example.com`;
  await db.user.create({ data: { id: userId, email, passwordHash, createdAt: now, updatedAt: now } });
  if (factor === 'TOTP') {
    const secretSealed = services.keyring.seal('x', `${userId}/totp`);
    await db.totpFactor.create({ data: { userId, secretSealed, confirmedAt: now, createdAt: now } });
  }
  if (person === 'invited') await inviteMember(ctx, { email, role: 'member' }, { baseUrl: 'https://x.test' });
  else await db.membership.create({ data: { organizationId, userId, role: 'member', createdAt: now } });
  if (person === 'removed') await removeMember(ctx, userId);
  return userId;
}

/** What each sign-in leads to. An invitation requires nothing yet: the organization asks once it is accepted. */
function expected(method: (typeof METHODS)[number], factor: (typeof FACTORS)[number], person: string) {
  if (person === 'stranger' || person === 'removed') return 'refused';
  if (method === 'passkey' || factor === 'no factor') return 'session';
  if (factor === 'TOTP') return 'second factor';
  return person === 'member' ? 'enrollment' : 'session';
}

const MATRIX = METHODS.flatMap((method) =>
  FACTORS.flatMap((factor) =>
    PEOPLE.map((person) => [method, factor, person, expected(method, factor, person)] as const),
  ),
);

describe('the matrix of sign-in', () => {
  it.each(MATRIX)('%s, %s, %s: %s', async (method, factor, person, outcome) => {
    const userId = await createPerson(person, factor);
    const signIn = completeSignIn(services, { userId, method }, VISITOR);
    if (outcome === 'refused') {
      await expect(signIn).rejects.toMatchObject({ code: 'FORBIDDEN' });
    } else {
      const made = await signIn;
      expect(made.kind === 'session' ? 'session' : made.lacks).toBe(outcome);
      if (made.kind === 'session') expect((await findPerson(services, made.sessionId))?.userId).toBe(userId);
      else {
        const proof = await readPendingSignIn(database.db, made.token, services.clock.now());
        expect(proof).toEqual({ userId, method });
      }
    }
    const sessions = await database.db.session.findMany({ where: { userId } });
    expect(sessions).toHaveLength(outcome === 'session' ? 1 : 0);
    for (const session of sessions) expect(session.secondFactorAt !== null).toBe(method === 'passkey');
  });
});

it('a factor that is not confirmed yet is not asked for', async () => {
  const userId = await createPerson('member', 'TOTP');
  await database.db.totpFactor.update({ where: { userId }, data: { confirmedAt: null } });
  expect(await completeSignIn(services, { userId, method: 'password' }, VISITOR)).toMatchObject({
    kind: 'session',
  });
});

it('an organization asks only once its grace period is over', async () => {
  const userId = await createPerson('member', 'no factor');
  const now = services.clock.now();
  const set = (secondFactorFrom: Date | null) =>
    database.db.organization.update({ where: { id: plain.organizationId }, data: { secondFactorFrom } });
  await set(new Date(now.getTime() + 60_000));
  const signIn = () => completeSignIn(services, { userId, method: 'password' }, VISITOR);
  expect(await signIn()).toMatchObject({ kind: 'session' });
  await set(now);
  expect(await signIn()).toMatchObject({ kind: 'pending', lacks: 'enrollment' });
  await set(null);
});

/** A person with an authenticator app, who has entered their password; emails are on. */
async function beginWithFactor() {
  const clock = createManualClock(new Date('2026-11-25T12:00:00.000Z'));
  const own = createTestServices({ db: database.db, clock, mail: true });
  const web = { services: own, throttle: createPasswordThrottle(pool()) };
  const { userId, organizationId } = await createTestOrganization(own);
  const { email } = await database.db.user.findUniqueOrThrow({ where: { id: userId } });
  const user = { id: userId, email };
  const secret = await beginEnrollment(own, userId);
  const code = () => totpCode(secret, clock.now());
  const recoveryCodes = await database.db.$transaction((tx) =>
    confirmEnrollment(tx, own, { user, code: code(), address: null }),
  );
  clock.advance(60_000);
  const signIn = async () => {
    const outcome = await completeSignIn(own, { userId, method: 'password' }, VISITOR);
    return outcome.kind === 'pending' ? outcome.token : '';
  };
  const finish = (token: string, text: string, place = VISITOR) =>
    finishWithFactor(web, { token, factor: { code: text } }, place);
  const failures = () =>
    database.db.auditEntry.count({ where: { organizationId, action: 'member.fail-second-factor' } });
  const newBrowserMails = async () => {
    const rows = await database.db.mail.findMany({ where: { recipient: email } });
    return rows.filter(({ id, contentSealed }) =>
      own.keyring.open(contentSealed ?? new Uint8Array(), id).includes('New sign-in'),
    ).length;
  };
  return { own, clock, user, code, recoveryCodes, signIn, finish, failures, newBrowserMails };
}

describe('the second step', () => {
  it('takes a code, once, and creates a session that has used the second factor', async () => {
    const { own, clock, user, code, recoveryCodes, signIn, finish } = await beginWithFactor();
    const token = await signIn();
    expect(await readPending(own, token)).toEqual({
      userId: user.id,
      email: user.email,
      lacks: 'second factor',
      hasApp: true,
      hasPasskey: false,
    });
    const used = code();
    const outcome = await finish(token, used);
    expect(outcome).toMatchObject({ kind: 'session', email: user.email });
    const [session] = await database.db.session.findMany({ where: { userId: user.id } });
    expect(session?.secondFactorAt).toEqual(clock.now());
    expect(await readPending(own, token)).toBeNull();
    await expect(finish(token, recoveryCodes?.[0] ?? '')).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    await expect(finish(await signIn(), used)).rejects.toThrow('already used');
    expect(await finish(await signIn(), recoveryCodes?.[1] ?? '')).toMatchObject({ kind: 'session' });
  });

  it('ends after ten minutes, and when the password is reset or the person is removed', async () => {
    const { own, clock, user, code, signIn, finish } = await beginWithFactor();
    const late = await signIn();
    clock.advance(600_000);
    await expect(finish(late, code())).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    const token = await signIn();
    await database.db.membership.deleteMany({ where: { userId: user.id } });
    await expect(finish(token, code())).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect(await database.db.session.count({ where: { userId: user.id } })).toBe(0);
    expect(await readPending(own, 'x'.repeat(43))).toBeNull();
  });

  it('throttles guesses and logs them; the right code has to wait, too, and more passwords do not help', async () => {
    const { code, signIn, finish, failures } = await beginWithFactor();
    const token = await signIn();
    for (let n = 0; n < 10; n++) await expect(finish(token, 'wrong')).rejects.toThrow('incorrect');
    await expect(finish(token, code())).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    await expect(finish(await signIn(), code())).rejects.toThrow('Too many wrong codes');
    expect(await failures()).toBe(10);
  });

  it('mails the first sign-in of a browser, and no other', async () => {
    const { own, clock, user, code, signIn, finish, newBrowserMails } = await beginWithFactor();
    await finish(await signIn(), code());
    expect(await newBrowserMails()).toBe(1);
    clock.advance(60_000);
    const knownBrowser = createKnownBrowser(own.keyring, user.email);
    await finish(await signIn(), code(), { ...VISITOR, knownBrowser });
    expect(await newBrowserMails()).toBe(1);
  });
});

/** Sets up an authenticator app with a code. */
const setUpApp = (code: string) => async (tx: Transaction, user: { id: string; email: string }) => {
  const codes = await confirmEnrollment(tx, services, { user, code, address: null });
  if (codes === null) throw wrongCode();
  return codes;
};

it('a person who lacks a required factor gets a session by setting one up, and not before', async () => {
  const userId = await createPerson('member', 'required but missing');
  const outcome = await completeSignIn(services, { userId, method: 'provider' }, VISITOR);
  const token = outcome.kind === 'pending' ? outcome.token : '';
  const secret = await beginEnrollment(services, userId);
  const finish = (code: string) => finishWithEnrollment(services, { token, setUp: setUpApp(code) }, VISITOR);
  await expect(finish('000000')).rejects.toMatchObject({ details: [{ path: 'code' }] });
  expect(await database.db.session.count({ where: { userId } })).toBe(0);
  const made = await finish(totpCode(secret, services.clock.now()));
  expect(made.recoveryCodes).toHaveLength(10);
  expect(made.outcome.kind).toBe('session');
  expect(await readPending(services, token)).toBeNull();
  expect(await completeSignIn(services, { userId, method: 'provider' }, VISITOR)).toMatchObject({
    lacks: 'second factor',
  });
});
