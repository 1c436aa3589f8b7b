import type { ApiKey as Row } from '@/lib/platform/db/generated/client';
import type { ApiKey } from '@/lib/schemas/api-key';

/** The key as the API answers it: neither the key nor its hash. */
export function serializeApiKey(row: Row): ApiKey {
  return {
    id: row.id,
    name: row.name,
    scope: row.scope,
    hint: row.hint,
    createdAt: row.createdAt.toISOString(),
    expiresAt: row.expiresAt?.toISOString() ?? null,
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
    revokedAt: row.revokedAt?.toISOString() ?? null,
  };
}
