import { DomainError } from '@/lib/core/errors';
import { noteCaller } from '@/lib/core/request-context';
import { readBearer } from '@/lib/core/token-format';
import { hashApiKey, isWellFormedApiKey } from '@/lib/domain/api-keys/key-format';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import type { Services } from '@/lib/domain/context/services';
import { isUseNoted } from '@/lib/domain/tokens/token-life';
import type { PlanId } from '@/lib/plans/catalogue';
import type { KeyScope } from '@/lib/platform/db/generated/enums';

type Row = { id: string; scope: KeyScope; lastUsedAt: Date | null; organizationId: string; plan: PlanId };

/**
 * Authenticates `Authorization: Bearer <API_KEY>` and returns the context and the plan. Throws UNAUTHORIZED,
 * with the same message, for a missing, malformed, unknown, revoked or expired key; a malformed one never
 * reaches the database.
 */
export async function authenticateApiKey(
  services: Services,
  authorization: string | null,
): Promise<{ ctx: OrganizationContext; plan: PlanId }> {
  const key = readBearer(authorization) ?? '';
  if (!isWellFormedApiKey(key)) throw unauthorized();
  const now = services.clock.now();
  const [row] = await services.db.$queryRaw<Row[]>`
    SELECT api_key.id, api_key.scope::text AS scope, api_key.last_used_at AS "lastUsedAt",
           organization.id AS "organizationId", organization.plan::text AS plan
      FROM api_key
      JOIN organization ON organization.id = api_key.organization_id
     WHERE hash = ${hashApiKey(key)}
       AND revoked_at IS NULL
       AND (expires_at IS NULL OR expires_at > ${now})`;
  if (row === undefined) throw unauthorized();
  noteCaller({ organizationId: row.organizationId, keyId: row.id });
  if (isUseNoted(row.lastUsedAt, now)) {
    await services.db.apiKey.update({ where: { id: row.id }, data: { lastUsedAt: now } });
  }
  const actor = { kind: 'key', keyId: row.id, scope: row.scope } as const;
  return { ctx: { ...services, organizationId: row.organizationId, actor }, plan: row.plan };
}

function unauthorized(): DomainError {
  return new DomainError('UNAUTHORIZED', 'Send a valid API key as Authorization: Bearer <API_KEY>.');
}
