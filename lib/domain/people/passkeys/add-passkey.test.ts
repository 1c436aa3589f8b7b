import { describe, expect, it } from 'vitest';
import { useSharedDatabase } from '@/lib/testing/database';
import { readSecondFactor } from '../second-factor/enroll-second-factor';
import { RECOVERY_CODES } from '../second-factor/recovery-codes';
import { findSession } from '../sessions';
import { isPlain, MAX_PASSKEYS } from './add-passkey';
import { CHALLENGE_SECONDS } from './challenges';
import { listPasskeys } from './own-passkeys';
import { createAuthenticator } from './testing/authenticator';
import { beginStory, NOW, ORIGIN } from './testing/passkey-story';

const database = useSharedDatabase();
const begin = () => beginStory(database.db);

describe('adding a passkey', () => {
  it('asks for one that signs in alone, is logged and mailed, and comes with recovery codes', async () => {
    const story = await begin();
    const { options } = await story.begin();
    expect(options).toMatchObject({
      rp: { id: 'status.example.com', name: 'Pharos' },
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      attestation: 'none',
      excludeCredentials: [],
    });
    const codes = await story.add();
    expect(new Set(codes).size).toBe(RECOVERY_CODES);
    expect(await listPasskeys(story.services, story.user.id)).toEqual([
      { id: expect.stringMatching(/^psk_/), name: 'Phone', isSynced: true, createdAt: NOW, lastUsedAt: null },
    ]);
    expect(await story.actions()).toEqual(['member.add-passkey']);
    expect(await story.mails()).toEqual(['A passkey was added']);
  });

  it('ends every other session if it is the first second factor, and counts as a use in this one', async () => {
    const story = await begin();
    const [other, own] = [await story.signIn(), await story.signIn()];
    await story.add({ keepSession: own });
    expect(await findSession(story.services, other)).toBeNull();
    expect(await findSession(story.services, own)).toMatchObject({ hasFactor: true, secondFactorAt: NOW });
    const later = await story.signIn();
    expect(await story.add({ keepSession: own }, createAuthenticator(ORIGIN))).toEqual([]);
    expect(await findSession(story.services, later)).not.toBeNull();
    const { recoveryCodesLeft } = await readSecondFactor(story.services, story.user.id);
    expect(recoveryCodesLeft).toBe(RECOVERY_CODES);
  });

  it.each([
    ['another origin', { origin: 'https://status.example.com.evil.test' }],
    ['another domain', { rpId: 'evil.test' }],
    ['a device that did not verify the person', { isVerified: false }],
    ['certificates, which nobody asked for', { certificates: [new Uint8Array([1, 2, 3])] }],
  ])('is refused for %s', async (_, lie) => {
    const story = await begin();
    const { options, ticket } = await story.begin();
    const response = story.device.create(options, lie);
    // Before the library reads them.
    expect(isPlain(response)).toBe(!('certificates' in lie));
    await expect(story.finish({ response, ticket })).rejects.toThrow('could not be added');
    expect(await listPasskeys(story.services, story.user.id)).toEqual([]);
  });

  it('takes a challenge of this person and browser, once, within five minutes', async () => {
    const [story, other] = [await begin(), await begin()];
    const first = await story.begin();
    const second = await story.begin();
    const response = story.device.create(first.options);
    await expect(story.finish({ response, ticket: second.ticket })).rejects.toThrow('could not be added');
    await expect(other.finish({ response, ticket: first.ticket })).rejects.toThrow('could not be added');
    story.clock.advance(CHALLENGE_SECONDS * 1000);
    await expect(story.finish({ response, ticket: first.ticket })).rejects.toThrow('could not be added');
    const third = await story.begin();
    const last = { response: story.device.create(third.options), ticket: third.ticket };
    await story.finish(last);
    await expect(story.finish(last)).rejects.toThrow('could not be added');
  });

  it('is refused for one that is registered, also by somebody else', async () => {
    const [story, other] = [await begin(), await begin()];
    await story.add();
    await expect(other.add({}, story.device)).rejects.toThrow('already registered');
    const { options } = await story.begin();
    expect(options.excludeCredentials).toEqual([
      { id: story.device.id.toString('base64url'), type: 'public-key', transports: ['internal'] },
    ]);
  });

  it(`is refused after ${MAX_PASSKEYS}, also for two at the same time`, async () => {
    const story = await begin();
    for (let n = 0; n < MAX_PASSKEYS - 1; n++) await story.add({}, createAuthenticator(ORIGIN));
    const results = await Promise.allSettled([story.add(), story.add({}, createAuthenticator(ORIGIN))]);
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    await expect(story.begin()).rejects.toThrow(`${MAX_PASSKEYS} passkeys`);
    expect(await listPasskeys(story.services, story.user.id)).toHaveLength(MAX_PASSKEYS);
  });

  it('is refused on a service without an address of its own', async () => {
    const story = await begin();
    story.services.appUrl = 'http://status.example.com';
    await expect(story.begin()).rejects.toThrow('Passkeys are not available');
  });
});
