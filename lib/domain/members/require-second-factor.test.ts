import { expect, it } from 'vitest';
import { createManualClock } from '@/lib/core/time/clock';
import { issueApiKey, revokeApiKey, rotateApiKey, updateApiKey } from '@/lib/domain/api-keys/change-api-keys';
import { deleteOrganization } from '@/lib/domain/organizations/change-organization';
import { createApiKeySchema } from '@/lib/schemas/api-key';
import { useSharedDatabase } from '@/lib/testing/database';
import { createTestOrganization, createTestServices } from '@/lib/testing/services';
import { authenticateApiKey } from '@/lib/web/auth/authenticate-api-key';
import { changeRole, removeMember, transferOwnership } from './change-members';
import { readFactorHolders, readFactorRequirement, requireSecondFactor } from './require-second-factor';

const database = useSharedDatabase();
const NOW = new Date('2026-11-25T12:00:00.000Z');
const DAY = 86_400_000;

/** An owner, with a second factor if they set one up. */
async function begin() {
  const { db } = database;
  const clock = createManualClock(NOW);
  const services = createTestServices({ db, clock });
  const { ctx, userId, organizationId, apiKey } = await createTestOrganization(services);
  const owner = { ...ctx, actor: { kind: 'user', userId, role: 'owner' } as const };
  const stale = { ...owner, actor: { ...owner.actor, isFactorStale: true } };
  const addFactor = async () => {
    const secretSealed = services.keyring.seal('x', `${userId}/totp`);
    await db.totpFactor.create({ data: { userId, secretSealed, confirmedAt: NOW, createdAt: NOW } });
  };
  return { db, services, owner, stale, userId, organizationId, apiKey, addFactor };
}

it('an owner with a second factor requires it of all members, after days of grace; API keys are not affected', async () => {
  const { services, owner, userId, apiKey, addFactor } = await begin();
  await expect(requireSecondFactor(owner, { graceDays: 0 })).rejects.toThrow('your own second factor first');
  expect([...(await readFactorHolders(owner))]).toEqual([]);
  await addFactor();
  expect([...(await readFactorHolders(owner))]).toEqual([userId]);
  await requireSecondFactor(owner, { graceDays: 7 });
  expect(await readFactorRequirement(owner)).toEqual(new Date(NOW.getTime() + 7 * DAY));
  await requireSecondFactor(owner, { graceDays: 0 });
  expect(await readFactorRequirement(owner)).toEqual(NOW);
  await authenticateApiKey(services, `Bearer ${apiKey}`);
  await requireSecondFactor(owner, { graceDays: null });
  expect(await readFactorRequirement(owner)).toBeNull();
});

it('ownership, keys and the requirement cannot change in a session that did not use its second factor recently', async () => {
  const { db, owner, stale, organizationId } = await begin();
  const key = createApiKeySchema.parse({ name: 'CI' });
  const { id: keyId } = await issueApiKey(owner, key);
  const member = await createTestOrganization(owner);
  const other = { organizationId, userId: member.userId, role: 'owner', createdAt: NOW } as const;
  await db.membership.create({ data: other });
  const changes = [
    () => issueApiKey(stale, key),
    () => updateApiKey(stale, keyId, { name: 'Other' }),
    () => rotateApiKey(stale, keyId, { overlapHours: 1 }),
    () => revokeApiKey(stale, keyId),
    () => transferOwnership(stale, other.userId),
    () => changeRole(stale, other.userId, { role: 'viewer' }),
    () => removeMember(stale, other.userId),
    () => deleteOrganization(stale, { name: 'Test' }),
    () => requireSecondFactor(stale, { graceDays: null }),
  ];
  for (const change of changes) await expect(change()).rejects.toThrow('Confirm your second factor first');
  await changeRole(owner, other.userId, { role: 'viewer' });
  // Roles below ownership need no second factor.
  await changeRole(stale, other.userId, { role: 'member' });
  await removeMember(stale, other.userId);
});
