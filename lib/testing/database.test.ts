import { Client } from 'pg';
import { expect, it } from 'vitest';
import { createTestDatabase } from './database';
import { createTestOrganization, createTestServices } from './services';

it('every test database is migrated, empty and separate', async () => {
  const [one, other] = await Promise.all([createTestDatabase(), createTestDatabase()]);
  try {
    const services = createTestServices(one);
    const { organizationId, ctx } = await createTestOrganization(services, { plan: 'pro' });
    expect(ctx).toMatchObject({ organizationId, actor: { kind: 'key', scope: 'write' } });
    expect(await one.db.organization.count()).toBe(1);
    expect(await other.db.organization.count()).toBe(0);
  } finally {
    await Promise.all([one.close(), other.close()]);
  }
});

it('closing a test database drops it, even with open connections', async () => {
  const { url, close } = await createTestDatabase();
  const guest = new Client({ connectionString: url });
  guest.on('error', () => undefined);
  await guest.connect();
  await close();
  await expect(new Client({ connectionString: url }).connect()).rejects.toThrow('does not exist');
});
