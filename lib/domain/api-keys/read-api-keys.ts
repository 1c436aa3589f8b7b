import { DomainError } from '@/lib/core/errors';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import type { ApiKey } from '@/lib/schemas/api-key';
import { serializeApiKey } from './serialize-api-key';

/** All keys of the organization, revoked and expired ones too, newest first. */
export async function listApiKeys(ctx: OrganizationContext): Promise<ApiKey[]> {
  requirePermission(ctx, 'api-key.read');
  const rows = await ctx.db.apiKey.findMany({
    where: { organizationId: ctx.organizationId },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
  });
  return rows.map(serializeApiKey);
}

/** One key; NOT_FOUND for an unknown id and for another organization's alike. */
export async function getApiKey(ctx: OrganizationContext, id: string): Promise<ApiKey> {
  requirePermission(ctx, 'api-key.read');
  const row = await ctx.db.apiKey.findFirst({ where: { id, organizationId: ctx.organizationId } });
  if (row === null) throw apiKeyNotFound();
  return serializeApiKey(row);
}

/** The refusal that every verb on a missing key shares. */
export function apiKeyNotFound(): DomainError {
  return new DomainError('NOT_FOUND', 'There is no such API key.');
}
