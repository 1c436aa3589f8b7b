import { describe, expect, it } from 'vitest';
import { useSharedDatabase } from '@/lib/testing/database';
import { consumeToken, issueToken, readToken } from './one-time-links';

const database = useSharedDatabase();
const now = new Date('2027-01-01T00:00:00Z');
const later = (ms: number) => new Date(now.getTime() + ms);
const lifetimeMs = 3_600_000;
let count = 0;
const subject = () => ({ kind: 'email_confirmation' as const, email: `a${count++}@example.com` });
const consume = (token: string, at = now, kind: 'email_confirmation' | 'invitation' = 'email_confirmation') =>
  database.db.$transaction((tx) => consumeToken(tx, { kind, token, now: at }));

describe('a one-time token', () => {
  it('is stored only as a hash', async () => {
    const { id, token } = await issueToken(database.db, subject(), { now, lifetimeMs });
    expect(token).toMatch(/^[\w-]{43}$/);
    const row = await database.db.oneTimeToken.findUniqueOrThrow({ where: { id } });
    const stored = JSON.stringify({ ...row, hash: Buffer.from(row.hash).toString('base64url') });
    expect(stored).not.toContain(token);
  });

  it('is used once, even with concurrent attempts', async () => {
    const of = subject();
    const { token } = await issueToken(database.db, of, { now, lifetimeMs });
    expect(await readToken(database.db, { kind: of.kind, token, now })).toMatchObject(of);
    const outcomes = await Promise.allSettled([1, 2, 3, 4].map(() => consume(token)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await expect(consume(token)).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: 'This link has already been used. Request a new one.',
    });
  });

  it('is valid until it expires', async () => {
    const { token, expiresAt } = await issueToken(database.db, subject(), { now, lifetimeMs });
    expect(expiresAt).toEqual(later(lifetimeMs));
    await expect(consume(token, later(lifetimeMs))).rejects.toThrow('has expired');
    await consume(token, later(lifetimeMs - 1));
  });

  it('replaces the older one for the same address, even if several are created concurrently', async () => {
    const of = subject();
    const created = await Promise.all(
      [1, 2, 3, 4].map(() => issueToken(database.db, of, { now, lifetimeMs })),
    );
    const outcomes = await Promise.allSettled(created.map(({ token }) => consume(token)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await consume((await issueToken(database.db, of, { now, lifetimeMs })).token);
  });

  it('stays valid if its transaction fails', async () => {
    const { token } = await issueToken(database.db, subject(), { now, lifetimeMs });
    const failing = database.db.$transaction(async (tx) => {
      await consumeToken(tx, { kind: 'email_confirmation', token, now });
      throw new Error('later fault');
    });
    await expect(failing).rejects.toThrow('later fault');
    await consume(token);
  });

  it.each(['', 'guess', '\0', 'a'.repeat(43), 'a'.repeat(1_000_000)])(
    'is not any text (%#)',
    async (token) => {
      await expect(consume(token)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    },
  );

  it('is not valid for another kind', async () => {
    const { token } = await issueToken(database.db, subject(), { now, lifetimeMs });
    await expect(consume(token, now, 'invitation')).rejects.toThrow('is not valid');
  });
});
