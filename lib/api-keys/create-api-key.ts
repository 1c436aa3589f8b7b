import { createId } from '@/lib/core/ids';
import type { Transaction } from '@/lib/db/client';
import { apiKeyHint, generateApiKey, hashApiKey } from './key-format';

export type NewApiKey = { name: string; scope: 'read' | 'write'; expiresAt: Date | null };

/** Makes a key of the organization and answers it in clear text, for the only time. */
export async function createApiKey(
  tx: Transaction,
  { organizationId, now, name, scope, expiresAt }: NewApiKey & { organizationId: string; now: Date },
): Promise<{ id: string; key: string }> {
  const key = generateApiKey();
  const id = createId('apiKey');
  await tx.apiKey.create({
    data: {
      id,
      organizationId,
      name,
      scope,
      expiresAt,
      hash: hashApiKey(key),
      hint: apiKeyHint(key),
      createdAt: now,
    },
  });
  return { id, key };
}
