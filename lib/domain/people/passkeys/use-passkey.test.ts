import { describe, expect, it } from 'vitest';
import { createKeyring } from '@/lib/core/keyring';
import { useTestDatabase } from '@/lib/testing/database';
import { TEST_SECRET_KEY } from '@/lib/testing/services';
import { CHALLENGE_SECONDS } from './challenges';
import { createAuthenticator } from './testing/authenticator';
import { beginStory, NOW, ORIGIN } from './testing/passkey-story';
import { beginPasskeyUse } from './use-passkey';

const database = useTestDatabase();

/** A person with a passkey. */
async function begin() {
  const story = await beginStory(database.db);
  await story.add();
  return story;
}

describe('a passkey', () => {
  it('names its person, and remembers when it was used', async () => {
    const story = await begin();
    const { options } = await beginPasskeyUse(story.services);
    expect(options).toMatchObject({ rpId: 'status.example.com', userVerification: 'required' });
    expect(options.allowCredentials).toBeUndefined();
    story.clock.advance(60_000);
    expect(await story.consume(await story.sign())).toBe(story.user.id);
    expect(await database.db.passkey.findFirst({ where: { userId: story.user.id } })).toMatchObject({
      counter: 1n,
      lastUsedAt: new Date(NOW.getTime() + 60_000),
    });
  });

  it.each([
    ['another origin', { origin: 'https://status.example.com.evil.test' }],
    ['another scheme', { origin: 'http://status.example.com' }],
    ['another domain', { rpId: 'evil.test' }],
    ['a device that did not verify the person', { isVerified: false }],
    ['an unknown credential', { credentialId: Buffer.alloc(32, 7) }],
  ])('does not count with %s', async (_, lie) => {
    const story = await begin();
    expect(await story.consume(await story.sign(lie))).toBeNull();
    expect(await story.consume(await story.sign())).toBe(story.user.id);
  });

  it('does not count with the signature of another device', async () => {
    const story = await begin();
    const { options, ticket } = await beginPasskeyUse(story.services);
    const response = createAuthenticator(ORIGIN).use(options, { credentialId: story.device.id });
    expect(await story.consume({ response, ticket })).toBeNull();
  });

  it('works once per challenge, also for several at the same time', async () => {
    const story = await begin();
    const use = await story.sign();
    const results = await Promise.all(Array.from({ length: 4 }, () => story.consume(use)));
    expect(results.filter((each) => each !== null)).toEqual([story.user.id]);
    expect(await story.consume(use)).toBeNull();
  });

  it('works once per challenge if its device does not count, too', async () => {
    const story = await begin();
    const use = await story.sign({ counter: 0 });
    expect(await story.consume(use)).toBe(story.user.id);
    expect(await story.consume(use)).toBeNull();
    expect(await story.consume(await story.sign({ counter: 0 }))).toBe(story.user.id);
  });

  it('does not count if its counter went back, as that of a copied device does', async () => {
    const story = await begin();
    expect(await story.consume(await story.sign({ counter: 5 }))).toBe(story.user.id);
    for (const counter of [5, 4, 0]) expect(await story.consume(await story.sign({ counter }))).toBeNull();
    expect(await story.consume(await story.sign({ counter: 6 }))).toBe(story.user.id);
  });

  it('does not count after five minutes, however its ticket is changed', async () => {
    const story = await begin();
    const use = await story.sign();
    story.clock.advance(CHALLENGE_SECONDS * 1000 - 1);
    const inTime = await story.sign();
    expect(await story.consume(use)).toBe(story.user.id);
    story.clock.advance(CHALLENGE_SECONDS * 1000);
    expect(await story.consume(inTime)).toBeNull();
    const [, random] = inTime.ticket.split('.');
    const later = `${story.clock.now().getTime() + 60_000}.${random}`;
    expect(await story.consume({ ...inTime, ticket: later })).toBeNull();
  });

  it('does not count in another browser, or with the challenge of an addition', async () => {
    const story = await begin();
    const [use, other] = [await story.sign(), await story.sign()];
    expect(await story.consume({ ...use, ticket: other.ticket })).toBeNull();
    expect(await story.consume({ ...use, ticket: '' })).toBeNull();
    const { options, ticket } = await story.begin();
    expect(await story.consume({ response: story.device.use(options), ticket })).toBeNull();
  });

  it('is accepted with a challenge of a previous key of the service', async () => {
    const story = await begin();
    const use = await story.sign();
    story.services.keyring = createKeyring('another key '.repeat(4), [TEST_SECRET_KEY]);
    expect(await story.consume(use)).toBe(story.user.id);
  });

  it('is worthless for another person', async () => {
    const [story, other] = [await begin(), await begin()];
    expect(await story.consume(await story.sign(), other.user.id)).toBeNull();
    expect(await story.consume(await story.sign(), story.user.id)).toBe(story.user.id);
  });

  it('does not count after it was removed', async () => {
    const story = await begin();
    const use = await story.sign();
    const { id } = await database.db.passkey.findFirstOrThrow({ where: { userId: story.user.id } });
    await story.remove(id);
    expect(await story.consume(use)).toBeNull();
  });

  it('stores nothing for challenges that nobody signs', async () => {
    const story = await begin();
    const count = () => database.db.usedChallenge.count();
    const before = await count();
    await beginPasskeyUse(story.services);
    await story.consume(await story.sign({ origin: 'https://evil.test' }));
    expect(await count()).toBe(before);
    await story.consume(await story.sign());
    expect(await count()).toBe(before + 1);
  });
});
