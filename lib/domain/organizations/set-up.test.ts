import { describe, expect, it } from 'vitest';
import { checkSecretKey } from '@/lib/domain/context/services';
import { useTestDatabase } from '@/lib/testing/database';
import { createTestServices } from '@/lib/testing/services';
import { createOrganization, isSetUpOpen, isSetUpToken, setUp, setUpToken } from './create-organization';

const fresh = useTestDatabase();
const other = useTestDatabase();
const INPUT = { name: 'Acme', plan: 'pro' as const, email: 'ada@example.com', password: 'correct horse' };

describe('set-up', () => {
  it('requires the token from any address', () => {
    const { keyring } = createTestServices({ db: fresh.db });
    const token = setUpToken(keyring);
    expect(token).toMatch(/^[0-9a-f]{32}$/);
    expect(isSetUpToken(keyring, token)).toBe(true);
    for (const wrong of ['', 'guess', token.slice(1), `${token}0`, token.toUpperCase()]) {
      expect(isSetUpToken(keyring, wrong)).toBe(false);
    }
  });

  it('succeeds once, even with concurrent attempts', async () => {
    const services = createTestServices({ db: fresh.db });
    await checkSecretKey(services);
    expect(await isSetUpOpen(fresh.db)).toBe(true);
    await expect(setUp(services, INPUT, 'guess')).rejects.toMatchObject({ code: 'FORBIDDEN' });

    const token = setUpToken(services.keyring);
    const outcomes = await Promise.allSettled(
      [1, 2, 3, 4].map((n) => setUp(services, { ...INPUT, email: `ada${n}@example.com` }, token)),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await isSetUpOpen(fresh.db)).toBe(false);
    expect(await fresh.db.organization.count()).toBe(1);
    expect(await fresh.db.user.count()).toBe(1);
    await expect(setUp(services, INPUT, token)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  });

  it('is closed by an organization created at the command line', async () => {
    const services = createTestServices({ db: other.db });
    await checkSecretKey(services);
    await createOrganization(services, INPUT);
    expect(await isSetUpOpen(other.db)).toBe(false);
  });
});

describe('a new organization', () => {
  it('stores neither password nor key in clear text', async () => {
    const services = createTestServices({ db: other.db });
    const { userId, organizationId, apiKey } = await createOrganization(services, {
      ...INPUT,
      email: 'b@example.com',
    });
    const user = await other.db.user.findUniqueOrThrow({ where: { id: userId } });
    const key = await other.db.apiKey.findFirstOrThrow({ where: { organizationId } });
    expect(user.passwordHash).toMatch(/^\$argon2id\$/);
    expect(JSON.stringify({ user, key })).not.toContain(INPUT.password);
    expect(JSON.stringify({ ...key, hash: Buffer.from(key.hash).toString() })).not.toContain(apiKey);
    expect(apiKey.startsWith(key.hint)).toBe(true);
  });
});
