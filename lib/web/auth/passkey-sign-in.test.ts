import { beforeEach, describe, expect, it } from 'vitest';
import { removeMember } from '@/lib/domain/members/change-members';
import { requireSecondFactor } from '@/lib/domain/members/require-second-factor';
import { addPasskey } from '@/lib/domain/people/passkeys/add-passkey';
import { beginStory } from '@/lib/domain/people/passkeys/testing/passkey-story';
import type { PasskeyUse } from '@/lib/domain/people/passkeys/use-passkey';
import {
  createPasswordResetByOperator,
  readPasswordReset,
  resetPassword,
} from '@/lib/domain/people/passwords';
import { findPerson } from '@/lib/domain/people/profile';
import { findSession } from '@/lib/domain/people/sessions';
import { useTestDatabase, useTestPool } from '@/lib/testing/database';
import {
  completeSignIn,
  finishWithEnrollment,
  finishWithFactor,
  readPending,
  type SignInPlace,
  signInWithPasskey,
} from './complete-sign-in';
import { confirmSession } from './guard-factor';
import { createPasswordThrottle, THROTTLE } from './password-throttle';

const database = useTestDatabase();
const pool = useTestPool(database, { max: 2 });
const PLACE: SignInPlace = {
  address: '192.0.2.7',
  countedAddress: '192.0.2.7',
  userAgent: 'Firefox',
  knownBrowser: undefined,
};

let story: Awaited<ReturnType<typeof beginStory>>;
let recoveryCodes: string[];

beforeEach(async () => {
  story = await beginStory(database.db);
  recoveryCodes = await story.add();
});

const web = () => ({ services: story.services, throttle: createPasswordThrottle(pool()) });

const signInAlone = (use: PasskeyUse, isOn = true) =>
  signInWithPasskey(story.services, { use, ways: { passwords: isOn, passkeys: isOn } }, PLACE);

/** Begins a sign-in with the password. */
async function begin(): Promise<string> {
  const outcome = await completeSignIn(story.services, { userId: story.user.id, method: 'password' }, PLACE);
  if (outcome.kind !== 'pending') throw new Error('a second factor is asked for');
  return outcome.token;
}

describe('a passkey alone', () => {
  it('creates a session that has used the second factor, and mails about the browser', async () => {
    const outcome = await signInAlone(await story.sign());
    if (outcome.kind !== 'session') throw new Error('no session was created');
    expect(await findSession(story.services, outcome.sessionId)).toMatchObject({
      userId: story.user.id,
      secondFactorAt: story.clock.now(),
    });
    expect(await story.mails()).toContain('New sign-in to your account');
  });

  it('satisfies an organization that requires a second factor', async () => {
    await requireSecondFactor(story.owner, { graceDays: 0 });
    const outcome = await signInAlone(await story.sign());
    const sessionId = outcome.kind === 'session' ? outcome.sessionId : '';
    expect(await findPerson(story.services, sessionId)).toMatchObject({
      hasFactor: true,
      lacksFactor: false,
    });
  });

  it('creates one session for two simultaneous requests with the same signature', async () => {
    const use = await story.sign();
    const results = await Promise.allSettled([1, 2].map(() => signInAlone(use)));
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(await database.db.session.count({ where: { userId: story.user.id } })).toBe(1);
  });

  it('is refused where only providers sign people in, but remains the second factor', async () => {
    await expect(signInAlone(await story.sign(), false)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    const proof = { userId: story.user.id, method: 'provider' as const };
    const pending = await completeSignIn(story.services, proof, PLACE);
    const token = pending.kind === 'pending' ? pending.token : '';
    const factor = { passkey: await story.sign() };
    expect(await finishWithFactor(web(), { token, factor }, PLACE)).toMatchObject({ kind: 'session' });
  });

  it('is refused with a wrong signature, and for a person who was removed', async () => {
    const wrong = await story.sign({ origin: 'https://evil.test' });
    await expect(signInAlone(wrong)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
    });
    const other = await beginStory(database.db);
    await other.add();
    const { organizationId } = story.owner;
    const membership = { userId: other.user.id, role: 'member' as const, createdAt: story.clock.now() };
    await database.db.membership.deleteMany({ where: { userId: other.user.id } });
    await database.db.membership.create({ data: { organizationId, ...membership } });
    await removeMember(story.owner, other.user.id);
    await expect(signInAlone(await other.sign())).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });
  });
});

describe('after the password, a passkey', () => {
  it('ends the sign-in, and cannot be avoided by setting up another second factor', async () => {
    const token = await begin();
    expect(await readPending(story.services, token)).toMatchObject({
      lacks: 'second factor',
      hasApp: false,
      hasPasskey: true,
    });
    const setUp = () => Promise.reject(new Error('nothing is set up'));
    await expect(finishWithEnrollment(story.services, { token, setUp }, PLACE)).rejects.toThrow(
      'You already have a second factor',
    );
    const factor = { passkey: await story.sign() };
    expect(await finishWithFactor(web(), { token, factor }, PLACE)).toMatchObject({ kind: 'session' });
    expect(await readPending(story.services, token)).toBeNull();
  });

  it('of another person is refused, logged and throttled, and the sign-in continues', async () => {
    const other = await beginStory(database.db);
    await other.add();
    const token = await begin();
    const finish = async (passkey: Awaited<ReturnType<typeof story.sign>>) =>
      finishWithFactor(web(), { token, factor: { passkey } }, PLACE);
    await expect(finish(await other.sign())).rejects.toThrow('The passkey was not accepted');
    expect(await story.actions()).toContain('member.fail-second-factor');
    expect(await finish(await story.sign())).toMatchObject({ kind: 'session' });
    const again = await begin();
    for (let n = 0; n < THROTTLE.freeAttempts; n++) {
      const factor = { passkey: await other.sign() };
      await expect(finishWithFactor(web(), { token: again, factor }, PLACE)).rejects.toThrow('not accepted');
    }
    const factor = { passkey: await other.sign() };
    await expect(finishWithFactor(web(), { token: again, factor }, PLACE)).rejects.toMatchObject({
      code: 'RATE_LIMITED',
    });
  });

  it('is replaced by a recovery code', async () => {
    const factor = { code: recoveryCodes[0] ?? '' };
    const outcome = await finishWithFactor(web(), { token: await begin(), factor }, PLACE);
    expect(outcome.kind).toBe('session');
  });
});

it('a passkey is set up by a sign-in that lacks a required second factor, whose session it creates', async () => {
  const other = await beginStory(database.db);
  const secondFactorFrom = other.clock.now();
  await database.db.organization.update({ where: { id: other.organizationId }, data: { secondFactorFrom } });
  const pending = await completeSignIn(other.services, { userId: other.user.id, method: 'password' }, PLACE);
  const token = pending.kind === 'pending' ? pending.token : '';
  const { options, ticket } = await other.begin();
  const input = { response: other.device.create(options), ticket, name: 'Phone', address: null };
  const { outcome, recoveryCodes: created } = await finishWithEnrollment(
    other.services,
    { token, setUp: (tx, user) => addPasskey(tx, other.services, { ...input, user }) },
    PLACE,
  );
  expect(created).toHaveLength(10);
  expect(await findPerson(other.services, outcome.kind === 'session' ? outcome.sessionId : '')).toMatchObject(
    {
      isFactorStale: false,
      lacksFactor: false,
    },
  );
});

it('a passkey confirms a session for ten minutes', async () => {
  const sessionId = await story.signIn();
  expect(await findPerson(story.services, sessionId)).toMatchObject({ isFactorStale: true });
  const attempt = { user: story.user, place: PLACE, sessionId };
  await confirmSession(web(), { ...attempt, factor: { passkey: await story.sign() } });
  expect(await findPerson(story.services, sessionId)).toMatchObject({ isFactorStale: false });
  story.clock.advance(600_000);
  expect(await findPerson(story.services, sessionId)).toMatchObject({ isFactorStale: true });
});

it('a password reset takes effect only with the passkey of the person', async () => {
  const { path } = await createPasswordResetByOperator(story.services, story.user.email);
  const token = path.slice(path.indexOf('=') + 1);
  expect(await readPasswordReset(story.services, token)).toMatchObject({ hasFactor: true, hasPasskey: true });
  const reset = { token, password: 'a new password', address: null };
  expect(await resetPassword(story.services, reset)).toBeNull();
  const other = await beginStory(database.db);
  await other.add();
  const factor = { passkey: await other.sign() };
  expect(await resetPassword(story.services, { ...reset, factor })).toBeNull();
  const own = { passkey: await story.sign() };
  expect(await resetPassword(story.services, { ...reset, factor: own })).toEqual({ email: story.user.email });
});
