import { createId } from '@/lib/core/ids';
import type { Transaction } from '@/lib/platform/db/client';
import { apiKeyHint, generateApiKey, hashApiKey } from './key-format';

export type NewApiKey = { name: string; scope: 'read' | 'write'; expiresAt: Date | null };

/**
 * Creates a key of the organization and returns it in clear text, for the only time. One that replaces another by rotation
 * carries on its `lineageId`.
 */
export async function createApiKey(
  tx: Transaction,
  {
    organizationId,
    now,
    name,
    scope,
    expiresAt,
    lineageId,
  }: NewApiKey & { organizationId: string; now: Date; lineageId?: string },
): Promise<{ id: string; key: string }> {
  const key = generateApiKey();
  const id = createId('apiKey');
  await tx.apiKey.create({
    data: {
      id,
      organizationId,
      name,
      scope,
      lineageId: lineageId ?? id,
      expiresAt,
      hash: hashApiKey(key),
      hint: apiKeyHint(key),
      createdAt: now,
    },
  });
  return { id, key };
}
