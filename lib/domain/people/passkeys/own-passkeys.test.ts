import { describe, expect, it } from 'vitest';
import { useSharedDatabase } from '@/lib/testing/database';
import {
  beginEnrollment,
  confirmEnrollment,
  readSecondFactor,
  removeApp,
  renewRecoveryCodes,
} from '../second-factor/enroll-second-factor';
import { RECOVERY_CODES } from '../second-factor/recovery-codes';
import { resetSecondFactor, resetSecondFactorByOperator } from '../second-factor/reset-second-factor';
import { totpCode } from '../second-factor/totp';
import { findSession } from '../sessions';
import { listPasskeys, removePasskey, renamePasskey } from './own-passkeys';
import { createAuthenticator } from './testing/authenticator';
import { beginStory, NOW, ORIGIN } from './testing/passkey-story';

const database = useSharedDatabase();

/** A person with a passkey, its ID, and an authenticator app to set up. */
async function begin() {
  const story = await beginStory(database.db);
  const { services, user, clock } = story;
  await story.add();
  const [passkey] = await listPasskeys(services, user.id);
  const id = passkey?.id ?? '';
  const addApp = async () => {
    const secret = await beginEnrollment(services, user.id);
    const code = totpCode(secret, clock.now());
    return database.db.$transaction((tx) => confirmEnrollment(tx, services, { user, code, address: null }));
  };
  const codesLeft = async () => (await readSecondFactor(services, user.id)).recoveryCodesLeft;
  return { ...story, id, addApp, codesLeft };
}

it('a passkey is renamed by its person only', async () => {
  const [story, other] = [await begin(), await begin()];
  await renamePasskey(story.services, { userId: story.user.id, id: story.id, name: 'Laptop' });
  expect(await listPasskeys(story.services, story.user.id)).toMatchObject([{ name: 'Laptop' }]);
  const foreign = { userId: other.user.id, id: story.id, name: 'Mine' };
  await expect(renamePasskey(story.services, foreign)).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

describe('removing a passkey', () => {
  it('requires the second factor, is logged and mailed, and ends recovery codes with the last factor', async () => {
    const story = await begin();
    await story.add({ name: 'Key' }, createAuthenticator(ORIGIN));
    const stale = { ...story.owner, actor: { ...story.owner.actor, isFactorStale: true } };
    const removal = {
      user: story.user,
      id: story.id,
      address: null,
      ways: { passwords: true, passkeys: true },
    };
    await expect(removePasskey(stale, removal)).rejects.toThrow('Confirm your second factor');
    await story.remove(story.id);
    expect(await story.codesLeft()).toBe(RECOVERY_CODES);
    await expect(story.remove(story.id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const [last] = await listPasskeys(story.services, story.user.id);
    await story.remove(last?.id ?? '');
    expect(await story.codesLeft()).toBe(0);
    const added = ['member.add-passkey', 'member.add-passkey'];
    expect(await story.actions()).toEqual([...added, 'member.remove-passkey', 'member.remove-passkey']);
    expect((await story.mails()).slice(2)).toEqual(['A passkey was removed', 'A passkey was removed']);
  });

  it('is refused for that of another person', async () => {
    const [story, other] = [await begin(), await begin()];
    await expect(other.remove(story.id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await listPasskeys(story.services, story.user.id)).toHaveLength(1);
  });

  it('leaves the person a way to sign in', async () => {
    const story = await begin();
    await database.db.user.update({ where: { id: story.user.id }, data: { passwordHash: null } });
    await expect(story.remove(story.id)).rejects.toThrow('only way to sign in');
    await story.add({}, createAuthenticator(ORIGIN));
    const ids = (await listPasskeys(story.services, story.user.id)).map(({ id }) => id);
    const results = await Promise.allSettled(ids.map((id) => story.remove(id)));
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  });

  it('leaves the second factor that an organization requires, but not before its grace period ends', async () => {
    const story = await begin();
    const require = (secondFactorFrom: Date) =>
      database.db.organization.update({ where: { id: story.organizationId }, data: { secondFactorFrom } });
    await require(NOW);
    await expect(story.remove(story.id)).rejects.toThrow('Your organization requires a second factor');
    await story.addApp();
    await story.remove(story.id);
    await removeApp(story.owner, { user: story.user, address: null });
    await story.add();
    await require(new Date(NOW.getTime() + 1));
    const [again] = await listPasskeys(story.services, story.user.id);
    await story.remove(again?.id ?? '');
  });
});

describe('a passkey and an authenticator app', () => {
  it('share their recovery codes, which go with the last of them', async () => {
    const story = await begin();
    expect(await story.addApp()).toEqual([]);
    await removeApp(story.owner, { user: story.user, address: null });
    expect(await story.codesLeft()).toBe(RECOVERY_CODES);
    expect(await renewRecoveryCodes(story.owner, { user: story.user, address: null })).toHaveLength(
      RECOVERY_CODES,
    );
    await story.remove(story.id);
    expect(await story.codesLeft()).toBe(0);
    await expect(renewRecoveryCodes(story.owner, { user: story.user, address: null })).rejects.toThrow(
      'Set up a second factor first',
    );
  });

  it.each(['an owner', 'the operator'])('are both removed by %s who resets them', async (who) => {
    const story = await begin();
    await story.addApp();
    const session = await story.signIn();
    const use = await story.sign();
    if (who === 'an owner') await resetSecondFactor(story.owner, story.user.id);
    else await resetSecondFactorByOperator(story.services, story.user.email);
    expect(await listPasskeys(story.services, story.user.id)).toEqual([]);
    expect(await story.consume(use)).toBeNull();
    expect(await story.codesLeft()).toBe(0);
    expect(await findSession(story.services, session)).toBeNull();
  });
});
