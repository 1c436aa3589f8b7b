import type { OrganizationContext } from '@/lib/context/organization-context';
import { requirePermission } from '@/lib/context/permissions';
import type { ApiKey, ApiKeyChanges } from '@/lib/schemas/api-key';
import { apiKeyNotFound, getApiKey } from './read-api-keys';

/** Renames a key; without a name it changes nothing. Throws FORBIDDEN and NOT_FOUND. */
export async function updateApiKey(
  ctx: OrganizationContext,
  id: string,
  { name }: ApiKeyChanges,
): Promise<ApiKey> {
  requirePermission(ctx, 'api-key.update');
  if (name !== undefined) {
    const where = { id, organizationId: ctx.organizationId };
    const { count } = await ctx.db.apiKey.updateMany({ where, data: { name } });
    if (count === 0) throw apiKeyNotFound();
  }
  return getApiKey(ctx, id);
}
