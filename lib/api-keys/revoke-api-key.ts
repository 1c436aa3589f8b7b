import type { OrganizationContext } from '@/lib/context/organization-context';
import { requirePermission } from '@/lib/context/permissions';
import { getApiKey } from './read-api-keys';

/**
 * Ends a key at once, the caller's own included; its record stays. Revoking it again changes nothing. Throws FORBIDDEN and
 * NOT_FOUND.
 */
export async function revokeApiKey(ctx: OrganizationContext, id: string): Promise<{ message: string }> {
  requirePermission(ctx, 'api-key.revoke');
  await getApiKey(ctx, id);
  await ctx.db.apiKey.updateMany({
    where: { id, organizationId: ctx.organizationId, revokedAt: null },
    data: { revokedAt: ctx.clock.now() },
  });
  return { message: 'API key revoked' };
}
