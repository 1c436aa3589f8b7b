import { recordAudit } from '@/lib/domain/audit/record-audit';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import { getApiKey } from './read-api-keys';

/**
 * Ends a key at once, the caller's own included; its record stays. Revoking it again changes nothing. Throws FORBIDDEN and
 * NOT_FOUND.
 */
export async function revokeApiKey(ctx: OrganizationContext, id: string): Promise<{ message: string }> {
  requirePermission(ctx, 'api-key.revoke');
  const { name } = await getApiKey(ctx, id);
  const revokedAt = ctx.clock.now();
  await ctx.db.$transaction(async (tx) => {
    const where = { id, organizationId: ctx.organizationId, revokedAt: null };
    const { count } = await tx.apiKey.updateMany({ where, data: { revokedAt } });
    if (count === 0) return;
    const subject = { id, label: name };
    await recordAudit(tx, ctx, { action: 'api-key.revoke', subject, after: { revokedAt } });
  });
  return { message: 'API key revoked' };
}
